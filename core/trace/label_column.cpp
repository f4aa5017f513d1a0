#include "core/trace/label_column.hpp"

#include <array>
#include <utility>

namespace warpscope::trace {

namespace {

std::size_t bytes_of(const LabelColumn::Arrays& arrays) {
  return arrays.names.capacity() * sizeof(NameId) + arrays.categories.capacity() + arrays.families.capacity();
}

}  // namespace

LabelColumn::LabelColumn(std::vector<NameId> names, std::vector<CategoryId> categories,
                         std::span<const Family> families)
    : size_(static_cast<std::uint32_t>(names.size())), several_families_(!families.empty()) {
  Arrays& arrays = arrays_.edit();
  arrays.names = std::move(names);
  arrays.categories = std::move(categories);
  arrays.families.resize((families.size() + 1) / 2);
  for (std::size_t i = 0; i < families.size(); ++i)
    arrays.families[i / 2] |= static_cast<std::uint8_t>(static_cast<unsigned>(families[i]) << (i % 2 * 4));
  point_at_arrays(arrays);
}

LabelColumn::LabelColumn(Arrays arrays)
    : size_(static_cast<std::uint32_t>(arrays.names.size())), several_families_(!arrays.families.empty()) {
  arrays_.edit() = std::move(arrays);
  point_at_arrays(arrays_.edit());
}

LabelColumn::LabelColumn(std::uint32_t size, bool several_families, Family otherwise,
                         std::shared_ptr<const BlockSet> near, Arrays at_hand, Load load)
    : arrays_([size, several_families, otherwise, load = std::move(load)] {
        const std::size_t halves = several_families ? (std::size_t{size} + 1) / 2 : 0;
        if (load)
          if (auto loaded = load(); loaded && loaded->names.size() == size && loaded->categories.size() == size &&
                                    loaded->families.size() == halves)
            return std::move(*loaded);
        Arrays harmless;
        harmless.names.assign(size, 0);
        harmless.categories.assign(size, 0);
        harmless.families.assign(halves, twice(otherwise));
        return harmless;
      }),
      size_(size),
      several_families_(several_families),
      otherwise_(otherwise),
      near_(std::move(near)),
      at_hand_(std::move(at_hand)) {}

void LabelColumn::point_at_arrays(const Arrays& arrays) const {
  names_.store(arrays.names.data(), std::memory_order_release);
  categories_.store(arrays.categories.data(), std::memory_order_release);
  families_.store(arrays.families.data(), std::memory_order_release);
}

const LabelColumn::Arrays& LabelColumn::arrays() const {
  const Arrays& arrays = arrays_.get();
  if (names_.load(std::memory_order_acquire) == nullptr) point_at_arrays(arrays);
  return arrays;
}

LabelColumn::Place LabelColumn::place_of(std::uint32_t i) const {
  if (i >= size_) return {nullptr, 0};  // same as in TimeColumn::find()
  const std::uint32_t block = near_ ? near_->find(i / kBlock) : BlockSet::kNone;
  if (block != BlockSet::kNone) return {&at_hand_, block * kBlock + i % kBlock};
  const Arrays* arrays = arrays_.resident();
  if (arrays != nullptr && names_.load(std::memory_order_acquire) == nullptr) point_at_arrays(*arrays);
  return {arrays, i};
}

NameId LabelColumn::absent_name(std::uint32_t i) const {
  const Place place = place_of(i);
  return place.arrays != nullptr ? place.arrays->names[place.index] : 0;
}

CategoryId LabelColumn::absent_category(std::uint32_t i) const {
  const Place place = place_of(i);
  return place.arrays != nullptr ? place.arrays->categories[place.index] : 0;
}

Family LabelColumn::absent_family(std::uint32_t i) const {
  const Place place = place_of(i);
  return place.arrays != nullptr ? half(place.arrays->families.data(), place.index) : otherwise_;
}

const std::uint8_t* LabelColumn::absent_families_of_block(std::uint32_t block) const {
  static constexpr auto kAlike = [] {
    std::array<std::array<std::uint8_t, kBlock / 2>, kFamilies> blocks{};
    for (std::size_t f = 0; f < kFamilies; ++f) blocks[f].fill(twice(static_cast<Family>(f)));
    return blocks;
  }();
  const Place place = place_of(block * kBlock);
  if (place.arrays == nullptr) return kAlike[static_cast<std::size_t>(otherwise_)].data();
  return place.arrays->families.data() + place.index / 2;
}

std::size_t LabelColumn::resident_bytes() const {
  std::size_t bytes = bytes_of(at_hand_);
  if (const Arrays* arrays = arrays_.ready()) bytes += bytes_of(*arrays);
  return bytes;
}

}  // namespace warpscope::trace
