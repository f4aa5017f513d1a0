#include "core/trace/time_column.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpscope::trace {

namespace {

std::size_t bytes_of(const TimeColumn::Arrays& arrays) {
  return (arrays.begins.capacity() + arrays.durations.capacity()) * sizeof(std::uint32_t) +
         (arrays.begin_escapes.capacity() + arrays.duration_escapes.capacity()) *
             sizeof(TimeColumn::Escapes::value_type);
}

}  // namespace

TimeColumn::TimeColumn(std::vector<Ns> bases, Arrays arrays)
    : bases_(std::move(bases)), size_(static_cast<std::uint32_t>(arrays.begins.size())) {
  arrays_.edit() = std::move(arrays);
  point_at_arrays(arrays_.edit());
}

TimeColumn::TimeColumn(std::vector<Ns> bases, std::uint32_t size, AtHand at_hand, Load load)
    : bases_(std::move(bases)),
      size_(size),
      arrays_([size, load = std::move(load)] {
        if (load)
          if (auto loaded = load(); loaded && loaded->begins.size() == size && loaded->durations.size() == size)
            return std::move(*loaded);
        Arrays harmless;
        harmless.begins.assign(size, 0);
        harmless.durations.assign(size, 0);
        return harmless;
      }),
      at_hand_(std::move(at_hand)) {}

TimeColumn::TimeColumn(const TimeColumn& other)
    : bases_(other.bases_),
      size_(other.size_),
      arrays_(other.arrays_),
      begins_(other.begins_.load(std::memory_order_acquire)),
      durations_(other.durations_.load(std::memory_order_acquire)),
      at_hand_(other.at_hand_) {}

TimeColumn& TimeColumn::operator=(TimeColumn&& other) noexcept {
  if (this == &other) return *this;
  bases_ = std::exchange(other.bases_, {});
  size_ = std::exchange(other.size_, 0);
  arrays_ = std::move(other.arrays_);
  begins_.store(other.begins_.exchange(nullptr));
  durations_.store(other.durations_.exchange(nullptr));
  at_hand_ = std::exchange(other.at_hand_, {});
  return *this;
}

void TimeColumn::point_at_arrays(const Arrays& arrays) const {
  begins_.store(arrays.begins.data(), std::memory_order_release);
  durations_.store(arrays.durations.data(), std::memory_order_release);
}

void TimeColumn::reserve(std::size_t count) {
  Arrays& arrays = arrays_.edit();
  bases_.reserve((count + kBlock - 1) / kBlock);
  arrays.begins.reserve(count);
  arrays.durations.reserve(count);
}

void TimeColumn::push_back(Ns begin, Ns duration) {
  Arrays& arrays = arrays_.edit();
  const std::uint32_t i = size_++;
  if (i % kBlock == 0) bases_.push_back(begin);
  const auto distance = static_cast<std::uint64_t>(begin) - static_cast<std::uint64_t>(bases_.back());
  if (distance < kEscape) {
    arrays.begins.push_back(static_cast<std::uint32_t>(distance));
  } else {
    arrays.begins.push_back(kEscape);
    arrays.begin_escapes.emplace_back(i, static_cast<Ns>(distance));
  }
  if (duration >= 0 && duration < kEscape) {
    arrays.durations.push_back(static_cast<std::uint32_t>(duration));
  } else {
    arrays.durations.push_back(kEscape);
    arrays.duration_escapes.emplace_back(i, duration);
  }
  point_at_arrays(arrays);
}

void TimeColumn::shrink() {
  bases_.shrink_to_fit();
  if (arrays_.ready() == nullptr) return;
  Arrays& arrays = arrays_.edit();
  arrays.begins.shrink_to_fit();
  arrays.durations.shrink_to_fit();
  arrays.begin_escapes.shrink_to_fit();
  arrays.duration_escapes.shrink_to_fit();
  point_at_arrays(arrays);
}

const TimeColumn::Arrays& TimeColumn::arrays() const {
  const Arrays& arrays = arrays_.get();
  if (begins_.load(std::memory_order_acquire) == nullptr) point_at_arrays(arrays);
  return arrays;
}

const TimeColumn::Arrays* TimeColumn::resident_arrays() const {
  const Arrays* arrays = arrays_.resident();
  if (arrays != nullptr && begins_.load(std::memory_order_acquire) == nullptr) point_at_arrays(*arrays);
  return arrays;
}

TimeColumn::Near TimeColumn::find(std::uint32_t block) const {
  if (block >= bases_.size()) return {nullptr};  // the rows have not been read
  const std::uint32_t near = at_hand_.blocks ? at_hand_.blocks->find(block) : BlockSet::kNone;
  if (near != BlockSet::kNone) return {&at_hand_.arrays, near};
  return {resident_arrays(), block};
}

bool TimeColumn::absent_resident(std::uint32_t block) const { return find(block).arrays != nullptr; }

TimeColumn::Block TimeColumn::absent_block(std::uint32_t block) const {
  static constexpr std::array<std::uint32_t, kBlock> kZeros{};
  const Near found = find(block);
  if (found.arrays == nullptr) return Block(*this, block * kBlock, kZeros.data(), kZeros.data());
  const std::size_t place = std::size_t{found.block} * kBlock;
  return Block(*this, block * kBlock, found.arrays->begins.data() + place, found.arrays->durations.data() + place);
}

Ns TimeColumn::absent_begin(std::uint32_t i) const {
  const Near found = find(i / kBlock);
  if (found.arrays == nullptr) return i / kBlock < bases_.size() ? bases_[i / kBlock] : 0;
  const std::uint32_t place = found.block * kBlock + i % kBlock;
  const std::uint32_t distance = found.arrays->begins[place];
  return from_base(i, distance == kEscape ? escaped(found.arrays->begin_escapes, place) : Ns{distance});
}

Ns TimeColumn::absent_duration(std::uint32_t i) const {
  const Near found = find(i / kBlock);
  if (found.arrays == nullptr) return 0;
  const std::uint32_t place = found.block * kBlock + i % kBlock;
  const std::uint32_t value = found.arrays->durations[place];
  return value == kEscape ? escaped(found.arrays->duration_escapes, place) : Ns{value};
}

Ns TimeColumn::escaped(const Escapes& escapes, std::uint32_t i) {
  return std::ranges::lower_bound(escapes, i, {}, &Escapes::value_type::first)->second;
}

std::uint32_t TimeColumn::within_block(std::uint32_t block, Ns t) const {
  const Block slices = this->block(block);
  const std::uint32_t count = std::min(kBlock, size() - block * kBlock);
  std::uint32_t k = 0;
  while (k < count && slices.begin(k) < t) ++k;
  return block * kBlock + k;
}

std::uint32_t TimeColumn::lower_bound(Ns t) const {
  const auto block = static_cast<std::uint32_t>(std::lower_bound(bases_.begin(), bases_.end(), t) - bases_.begin());
  // Every slice of `block` starts at or after t; the result may still be in the previous block.
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
  if (empty()) return;
  const Ns last = begin(size_ - 1);
  if (saturating_add(bases_.front(), delta) - delta == bases_.front() && saturating_add(last, delta) - delta == last) {
    for (Ns& base : bases_) base += delta;
    return;
  }
  TimeColumn clamped;
  clamped.reserve(size_);
  for (std::uint32_t i = 0; i < size_; ++i) clamped.push_back(saturating_add(begin(i), delta), duration(i));
  *this = std::move(clamped);
}

std::size_t TimeColumn::resident_bytes() const {
  std::size_t bytes = bases_.capacity() * sizeof(Ns) + bytes_of(at_hand_.arrays);
  if (at_hand_.blocks) bytes += at_hand_.blocks->resident_bytes();
  if (const Arrays* arrays = arrays_.ready()) bytes += bytes_of(*arrays);
  return bytes;
}

}  // namespace warpscope::trace
