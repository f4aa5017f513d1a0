#pragma once
// Builds a lane's columns. The final size of each column is known in advance, so columns never reallocate.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/large_memory.hpp"
#include "core/trace/lane.hpp"

namespace warpscope::ingest {

/// Reserves memory for `count` elements, using huge pages where they fit.
template <class Column>
void grow_to(Column& column, std::size_t count) {
  column.reserve(count);
  prefer_huge_pages(column.data(), count * sizeof(typename Column::value_type));
}

/// Columns of a lane under construction. Buffers 16 slices (TimeColumn's block size) before appending to the vectors,
/// so capacity is checked once per block.
struct LaneColumns {
  void reserve(std::uint32_t count) {
    if (count == 0) return;
    bases_.reserve((count + kBlock - 1) / kBlock);
    grow_to(times_.begins, count);
    grow_to(times_.durations, count);
    grow_to(names_, count);
    categories_.reserve(count);
    offsets_.reserve(count);
    families_.reserve(count);
  }
  void push_back(Ns begin, Ns duration, NameId name, trace::CategoryId category, std::uint64_t offset,
                 trace::Family family) {
    constexpr std::uint32_t kEscape = trace::TimeColumn::kEscape;
    const std::uint32_t k = filled_;
    if (k == 0) bases_.push_back(base_ = begin);
    const auto distance = static_cast<std::uint64_t>(begin) - static_cast<std::uint64_t>(base_);
    const bool far = distance >= kEscape;
    const bool odd = static_cast<std::uint64_t>(duration) >= kEscape;  // or negative
    block_.begins[k] = far ? kEscape : static_cast<std::uint32_t>(distance);
    block_.durations[k] = odd ? kEscape : static_cast<std::uint32_t>(duration);
    if (far || odd) [[unlikely]] {
      const auto i = static_cast<std::uint32_t>(times_.begins.size()) + k;
      if (far) times_.begin_escapes.emplace_back(i, static_cast<Ns>(distance));
      if (odd) times_.duration_escapes.emplace_back(i, duration);
    }
    block_.names[k] = name;
    block_.offsets_low[k] = static_cast<std::uint32_t>(offset);
    block_.offsets_high[k] = static_cast<std::uint8_t>(offset >> 32);
    block_.categories[k] = category;
    block_.families[k] = family;
    if (++filled_ == kBlock) put_block();
  }
  trace::Lane::Columns take() {
    put_block();
    return {trace::TimeColumn(std::move(bases_), std::move(times_)), std::move(names_), std::move(categories_),
            std::move(offsets_), std::move(families_)};
  }

 private:
  static constexpr std::uint32_t kBlock = trace::TimeColumn::kBlock;
  struct Block {
    std::uint32_t begins[kBlock];
    std::uint32_t durations[kBlock];
    NameId names[kBlock];
    std::uint32_t offsets_low[kBlock];
    std::uint8_t offsets_high[kBlock];
    trace::CategoryId categories[kBlock];
    trace::Family families[kBlock];
  };

  void put_block() {
    const std::size_t count = std::exchange(filled_, 0);
    const auto put = [count](auto& column, const auto* from) { column.insert(column.end(), from, from + count); };
    put(times_.begins, block_.begins);
    put(times_.durations, block_.durations);
    put(names_, block_.names);
    put(categories_, block_.categories);
    put(families_, block_.families);
    offsets_.append({block_.offsets_low, count}, {block_.offsets_high, count});
  }

  Block block_;
  Ns base_ = 0;
  std::uint32_t filled_ = 0;
  std::vector<Ns> bases_;
  trace::TimeColumn::Arrays times_;
  std::vector<NameId> names_;
  std::vector<trace::CategoryId> categories_;
  trace::OffsetColumn offsets_;
  std::vector<trace::Family> families_;
};

}  // namespace warpscope::ingest
