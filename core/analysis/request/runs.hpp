#pragma once
// Loops over GPU activity; these are the inner loops of most analyses. They read only streams, which contain a small
// fraction of a trace's slices, and skip slices outside the scope's range.
#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Bit r represents role r.
using RoleSet = std::uint16_t;
template <class... Roles>
[[nodiscard]] constexpr RoleSet role_set(Roles... roles) {
  return static_cast<RoleSet>(((1u << static_cast<unsigned>(roles)) | ...));
}
inline constexpr RoleSet kKernelRoles = role_set(trace::Role::kernel, trace::Role::job);
inline constexpr RoleSet kRunRoles = kKernelRoles | role_set(trace::Role::memory_copy, trace::Role::memory_set);

/// Role of each category.
using RoleOfCategory = std::array<trace::Role, 256>;
[[nodiscard]] RoleOfCategory roles_of_categories(const trace::Profile& profile);

/// True for lanes of ordinary recorded slices; false for lanes of annotation shadows, waits, marks or impossible
/// slices.
[[nodiscard]] inline bool holds_recorded(const trace::Rank& rank, std::uint32_t lane) {
  const trace::LaneKind kind = rank.rows_of(lane);
  return kind == trace::LaneKind::nested || kind == trace::LaneKind::overflow;
}

/// Returns the indices of a track's lanes for which holds_recorded() is true.
[[nodiscard]] inline auto recorded_lanes(const trace::Rank& rank, const trace::Track& track) {
  return std::views::iota(track.first_lane, track.first_lane + track.lane_count) |
         std::views::filter([&rank](std::uint32_t lane) { return holds_recorded(rank, lane); });
}

/// Number of threads for loops over ranks.
[[nodiscard]] std::size_t analysis_threads();

[[nodiscard]] inline bool cancelled(const CancelToken* cancel) { return cancel != nullptr && cancel->cancelled(); }

/// Calls visit(index, part) for each slice of the lane that overlaps the range, in time order; `part` is clipped to the
/// range.
template <class Visit>
void for_each_part(const trace::Lane& lane, const std::optional<Interval>& range, Visit visit) {
  const trace::TimeColumn& time = lane.time();
  if (range) {
    lane.for_each_overlapping(range->begin, range->end, [&](std::uint32_t i) {
      const Ns begin = time.begin(i);
      const Ns end = time.end(i);
      visit(i, Interval{begin > range->begin ? begin : range->begin, end < range->end ? end : range->end});
    });
    return;
  }
  for (std::uint32_t b = 0; b < time.blocks(); ++b) {
    const trace::TimeColumn::Block block = time.block(b);
    const std::uint32_t first = b * trace::TimeColumn::kBlock;
    const std::uint32_t count = std::min(trace::TimeColumn::kBlock, time.size() - first);
    for (std::uint32_t k = 0; k < count; ++k) {
      const Ns begin = block.begin(k);
      const Ns length = block.duration(k);
      visit(first + k, Interval{begin, length > 0 ? saturating_add(begin, length) : begin});
    }
  }
}

/// A slice on a stream, as passed to visitors.
struct RunPart {
  std::uint32_t rank;  ///< index
  std::uint32_t device;
  const trace::Lane& lane;
  std::uint32_t lane_index;
  std::uint32_t index;  ///< in the lane
  trace::Role role;
  Interval part;  ///< clipped to the scope's range
};

/// Calls visit(const RunPart&) for each kernel, memcpy and memset in the scope, except impossible ones: rank by rank,
/// device by device, lane by lane, ordered by start. Stops when cancelled.
template <class Visit>
void for_each_run(const trace::Profile& profile, const Scope& scope, const CancelToken* cancel, Visit visit) {
  const RoleOfCategory roles = roles_of_categories(profile);
  for (const std::uint32_t r : ranks_in(profile, scope)) {
    const trace::Rank& rank = *profile.ranks[r];
    for (std::uint32_t d = 0; d < rank.devices.size(); ++d) {
      for (const std::uint32_t t : rank.devices[d].streams) {
        const trace::Track& track = rank.tracks[t];
        for (const std::uint32_t l : recorded_lanes(rank, track)) {
          if (cancelled(cancel)) return;
          const trace::Lane& lane = rank.lanes[l];
          for_each_part(lane, scope.on_gpu(r), [&](std::uint32_t i, Interval part) {
            const trace::Role role = roles[lane.category(i)];
            if (trace::is_run(role)) visit(RunPart{r, d, lane, l, i, role, part});
          });
        }
      }
    }
  }
}

/// Counts the slices with these roles and impossible times on the scope's ranks. Ignores the range, because their real
/// times are unknown.
[[nodiscard]] std::uint64_t count_impossible(const trace::Profile& profile, const Scope& scope, RoleSet roles);

/// Returns "Excludes 7 kernels with impossible times."; "" for a count of 0. `what`: a singular noun.
[[nodiscard]] std::string impossible_note(std::uint64_t count, std::string_view what);

/// Joins notes into one string; skips empty ones.
[[nodiscard]] std::string joined_notes(std::initializer_list<std::string_view> notes);

// Notes about data missing from the traces. They explain how to record it, but only for traces from PyTorch's profiler:
// its options do not exist in other programs.

/// True if any trace in the scope is from PyTorch's profiler, including merged traces.
[[nodiscard]] bool of_pytorch(const trace::Profile& profile, const Scope& scope);

/// Returns "`missing`; `advice`." for PyTorch traces, otherwise "`missing`.".
[[nodiscard]] std::string not_recorded_note(const trace::Profile& profile, const Scope& scope, std::string_view missing,
                                            std::string_view advice);

}  // namespace warpscope::analysis
