#include "core/trace/time_column.hpp"

#include <algorithm>

namespace warpscope::trace {

void TimeColumn::reserve(std::size_t count) {
  bases_.reserve((count + kBlock - 1) / kBlock);
  begins_.reserve(count);
  durations_.reserve(count);
}

void TimeColumn::push_back(Ns begin, Ns duration) {
  const auto i = static_cast<std::uint32_t>(begins_.size());
  if (i % kBlock == 0) bases_.push_back(begin);
  const auto distance = static_cast<std::uint64_t>(begin) - static_cast<std::uint64_t>(bases_.back());
  if (distance < kEscape) {
    begins_.push_back(static_cast<std::uint32_t>(distance));
  } else {
    begins_.push_back(kEscape);
    begin_escapes_.emplace_back(i, begin);
  }
  if (duration >= 0 && duration < kEscape) {
    durations_.push_back(static_cast<std::uint32_t>(duration));
  } else {
    durations_.push_back(kEscape);
    duration_escapes_.emplace_back(i, duration);
  }
}

void TimeColumn::shrink() {
  bases_.shrink_to_fit();
  begins_.shrink_to_fit();
  durations_.shrink_to_fit();
  begin_escapes_.shrink_to_fit();
  duration_escapes_.shrink_to_fit();
}

Ns TimeColumn::escaped(const Escapes& escapes, std::uint32_t i) {
  const auto found = std::lower_bound(escapes.begin(), escapes.end(), i,
                                      [](const auto& escape, std::uint32_t index) { return escape.first < index; });
  return found->second;
}

std::uint32_t TimeColumn::within_block(std::uint32_t block, Ns t) const {
  std::uint32_t i = block * kBlock;
  const std::uint32_t last = std::min(i + kBlock, size());
  while (i < last && begin(i) < t) ++i;
  return i;
}

std::uint32_t TimeColumn::lower_bound(Ns t) const {
  const auto block = static_cast<std::uint32_t>(std::lower_bound(bases_.begin(), bases_.end(), t) - bases_.begin());
  // Every slice of `block` begins at or after t; the answer may still lie in the block before.
  return block == 0 ? 0 : within_block(block - 1, t);
}

std::uint32_t TimeColumn::block_lower_bound_from(std::uint32_t from, Ns t) const {
  const std::uint32_t count = blocks();
  if (from >= count || bases_[from] >= t) return std::min(from, count);
  std::uint32_t step = 1;
  std::uint32_t low = from;  // bases_[low] < t
  while (low + step < count && bases_[low + step] < t) {
    low += step;
    step *= 2;
  }
  const std::uint32_t high = std::min(low + step, count);
  return static_cast<std::uint32_t>(std::lower_bound(bases_.begin() + low + 1, bases_.begin() + high, t) -
                                    bases_.begin());
}

std::uint32_t TimeColumn::lower_bound_from(std::uint32_t from, Ns t) const {
  if (from >= size()) return size();
  const std::uint32_t block = block_lower_bound_from(from / kBlock, t);
  const std::uint32_t found = block == 0 ? 0 : within_block(block - 1, t);
  return std::max(found, from);
}

void TimeColumn::shift(Ns delta) {
  for (Ns& base : bases_) base = saturating_add(base, delta);
  for (auto& escape : begin_escapes_) escape.second = saturating_add(escape.second, delta);
}

std::size_t TimeColumn::resident_bytes() const {
  return bases_.capacity() * sizeof(Ns) + (begins_.capacity() + durations_.capacity()) * sizeof(std::uint32_t) +
         (begin_escapes_.capacity() + duration_escapes_.capacity()) * sizeof(Escapes::value_type);
}

}  // namespace warpscope::trace
