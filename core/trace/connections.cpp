#include "core/trace/connections.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace warpscope::trace {

namespace {

// Stable radix sort by a 32-bit key, 11 bits per pass. Skips a pass if all keys are equal in its bits.
template <class T, class Key>
void radix_sort(std::vector<T>& values, const Key& key) {
  constexpr unsigned kBits = 11;
  constexpr std::uint32_t kBuckets = 1u << kBits;
  if (std::is_sorted(values.begin(), values.end(), [&](const T& a, const T& b) { return key(a) < key(b); })) return;
  std::vector<T> other(values.size());
  for (unsigned shift = 0; shift < 32; shift += kBits) {
    std::array<std::size_t, kBuckets + 1> start{};
    for (const T& value : values) ++start[(key(value) >> shift & (kBuckets - 1)) + 1];
    if (std::find(start.begin(), start.end(), values.size()) != start.end()) continue;
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (const T& value : values) other[start[key(value) >> shift & (kBuckets - 1)]++] = value;
    values.swap(other);
  }
}

}  // namespace

Connections::Sorted Connections::sort(std::vector<Connection> pairs) {
  Sorted sorted;
  radix_sort(pairs, [](const Connection& pair) { return pair.to; });
  radix_sort(pairs, [](const Connection& pair) { return pair.from; });
  pairs.shrink_to_fit();
  sorted.by_to.resize(pairs.size());
  std::iota(sorted.by_to.begin(), sorted.by_to.end(), 0u);
  radix_sort(sorted.by_to, [&](std::uint32_t i) { return pairs[i].to; });
  sorted.pairs = std::move(pairs);
  return sorted;
}

Connections::Connections(std::vector<Connection> pairs) : size_(pairs.size()) {
  sorted_.edit() = sort(std::move(pairs));
}

Connections::Connections(std::size_t size, Load load)
    : sorted_([size, load = std::move(load)] {
        if (load)
          if (auto loaded = load(); loaded && loaded->size() == size) return sort(std::move(*loaded));
        return Sorted();
      }),
      size_(size) {}

const Connections::Sorted& Connections::absent() {
  static const Sorted kNone;
  return kNone;
}

std::span<const Connection> Connections::caused_by(SliceOrdinal from) const {
  const std::vector<Connection>& pairs = sorted().pairs;
  const auto first = std::lower_bound(pairs.begin(), pairs.end(), from,
                                      [](const Connection& pair, SliceOrdinal key) { return pair.from < key; });
  auto last = first;
  while (last != pairs.end() && last->from == from) ++last;
  return {first, last};
}

const Connection* Connections::cause_of(SliceOrdinal to) const {
  const auto& [pairs, by_to] = sorted();
  const auto found = std::lower_bound(by_to.begin(), by_to.end(), to,
                                      [&](std::uint32_t i, SliceOrdinal key) { return pairs[i].to < key; });
  return found != by_to.end() && pairs[*found].to == to ? &pairs[*found] : nullptr;
}

std::vector<Connection> Connections::causes_of(SliceOrdinal to) const {
  const auto& [pairs, by_to] = sorted();
  auto found = std::lower_bound(by_to.begin(), by_to.end(), to,
                                [&](std::uint32_t i, SliceOrdinal key) { return pairs[i].to < key; });
  std::vector<Connection> causes;
  for (; found != by_to.end() && pairs[*found].to == to; ++found) causes.push_back(pairs[*found]);
  return causes;
}

const Connection* Connections::Causes::of(SliceOrdinal to) {
  const auto& [pairs, by_to] = sorted_;
  constexpr std::size_t kNear = 8;
  const auto ends_before = [&](std::size_t i) { return pairs[by_to[i]].to < to; };
  const std::size_t near = std::min(at_ + kNear, by_to.size());
  while (at_ < near && ends_before(at_)) ++at_;
  if (at_ == near && at_ < by_to.size() && ends_before(at_))
    at_ = static_cast<std::size_t>(
        std::lower_bound(by_to.begin() + static_cast<std::ptrdiff_t>(at_), by_to.end(), to,
                         [&](std::uint32_t i, SliceOrdinal key) { return pairs[i].to < key; }) -
        by_to.begin());
  return at_ < by_to.size() && pairs[by_to[at_]].to == to ? &pairs[by_to[at_]] : nullptr;
}

std::size_t Connections::causes() const {
  const std::span<const Connection> pairs = all();
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (i == 0 || pairs[i].from != pairs[i - 1].from) ++count;
  return count;
}

std::size_t Connections::resident_bytes() const {
  const Sorted* sorted = sorted_.ready();
  if (sorted == nullptr) return 0;
  return sorted->pairs.capacity() * sizeof(Connection) + sorted->by_to.capacity() * sizeof(std::uint32_t);
}

}  // namespace warpscope::trace
