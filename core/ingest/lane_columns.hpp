#pragma once
// The columns of a lane while they are filled, slice by slice: how many there will be is known before, so that nothing
// is moved.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/large_memory.hpp"
#include "core/trace/lane.hpp"

namespace warpscope::ingest {

/// Room for `count`, in huge pages where they fit.
template <class Column>
void grow_to(Column& column, std::size_t count) {
  column.reserve(count);
  prefer_huge_pages(column.data(), count * sizeof(typename Column::value_type));
}

struct LaneColumns {
  std::vector<Ns> bases;
  trace::TimeColumn::Arrays times;
  std::vector<NameId> names;
  std::vector<trace::CategoryId> categories;
  trace::OffsetColumn offsets;
  std::vector<trace::Family> families;

  void reserve(std::uint32_t count) {
    if (count == 0) return;
    bases.reserve((count + trace::TimeColumn::kBlock - 1) / trace::TimeColumn::kBlock);
    grow_to(times.begins, count);
    grow_to(times.durations, count);
    grow_to(names, count);
    categories.reserve(count);
    offsets.reserve(count);
    families.reserve(count);
  }
  void push_time(Ns begin, Ns duration) {
    constexpr std::uint32_t kEscape = trace::TimeColumn::kEscape;
    const auto i = static_cast<std::uint32_t>(times.begins.size());
    if (i % trace::TimeColumn::kBlock == 0) bases.push_back(begin);
    const auto distance = static_cast<std::uint64_t>(begin) - static_cast<std::uint64_t>(bases.back());
    const bool far = distance >= kEscape;
    times.begins.push_back(far ? kEscape : static_cast<std::uint32_t>(distance));
    if (far) times.begin_escapes.emplace_back(i, static_cast<Ns>(distance));
    const bool odd = duration < 0 || duration >= kEscape;
    times.durations.push_back(odd ? kEscape : static_cast<std::uint32_t>(duration));
    if (odd) times.duration_escapes.emplace_back(i, duration);
  }
  trace::Lane::Columns take() {
    return {trace::TimeColumn(std::move(bases), std::move(times)), std::move(names), std::move(categories),
            std::move(offsets), std::move(families)};
  }
};

}  // namespace warpscope::ingest
