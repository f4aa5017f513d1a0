#include "core/analysis/shared/gpu_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/analysis/request/runs.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {

GpuRows::GpuRows(const trace::Profile& profile, Scope scope, const KernelClasses::Choice& choice,
                 const CancelToken* cancel, SharedResults* shared)
    : profile_(profile),
      scope_(std::move(scope)),
      choice_(choice),
      cancel_(cancel),
      shared_(shared),
      ranks_(ranks_in(profile, scope_)),
      steps_(profile, choice.hta) {
  if (shared_ != nullptr) choice_.host_calls = true;
}

std::string GpuRows::key(std::string_view what, std::uint32_t rank) const {
  return fmt::format("{} of {} {} {}", what, rank, range_key(scope_.on_gpu(rank)), choice_.key());
}

std::shared_ptr<const GpuRows::Rows> GpuRows::of(std::uint32_t rank) const {
  return derived(
      "rows", rank, [&] { return rows_of_rank(rank); }, bytes_of_rows);
}

std::optional<Ns> GpuRows::launch_begin(std::uint32_t rank, const GpuRow& row) const {
  const auto time = launch_time(rank, row);
  return time ? std::optional(time->begin) : std::nullopt;
}

std::optional<Interval> GpuRows::launch_time(std::uint32_t rank, const GpuRow& row) const {
  if (!row.launch) return std::nullopt;
  const trace::SlicePlace place = profile_.ranks[rank]->locate(*row.launch);
  const trace::TimeColumn& times = profile_.ranks[rank]->lanes[place.lane].time();
  const Interval time{times.begin(place.index), times.end(place.index)};
  return choice_.rounding ? hta_rounded(time) : time;
}

GpuRows::Rows GpuRows::rows_of_rank(std::uint32_t rank_index) const {
  const trace::Rank& rank = *profile_.ranks[rank_index];
  const KernelClasses& classes = *classes_.get([&] { return shared_classes(profile_, choice_, shared_); });
  const RoleOfCategory roles = roles_of_categories(profile_);
  const std::optional<Ns> last_step = steps_.last_begin(rank);
  const std::optional<Interval> range = scope_.on_gpu(rank_index);
  Rows rows;
  if (scope_.whole()) rows.reserve(rank.counts.runs);
  for (std::uint32_t d = 0; d < rank.devices.size(); ++d) {
    for (const std::uint32_t t : rank.devices[d].streams) {
      const trace::Track& track = rank.tracks[t];
      for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
        if (cancelled(cancel_)) return {};
        const bool waits = choice_.hta && rank.rows_of(l) == trace::LaneKind::sync && track.id >= 0;
        if (!waits && !holds_recorded(rank, l)) continue;
        const trace::Lane& lane = rank.lanes[l];
        trace::Connections::Causes causes(rank.launches);
        for_each_part(lane, range, [&](std::uint32_t i, Interval part) {
          const trace::Role role = roles[lane.category(i)];
          if (!waits && !trace::is_run(role)) return;
          if (choice_.hta && role == trace::Role::job && track.id < 0) return;
          const trace::SliceOrdinal slice = rank.lane_start[l] + i;
          const trace::Connection* launch = causes.of(slice);
          if (last_step && (launch == nullptr || rank.begin(launch->from) >= *last_step)) return;
          rows.push_back({choice_.rounding ? hta_rounded(part) : part, lane.name(i), classes.of(rank_index, l, i, role),
                          role, d, t, slice, launch == nullptr ? std::nullopt : std::optional(launch->from)});
        });
      }
    }
  }
  natural_merge_sort(rows, [](const GpuRow& a, const GpuRow& b) {
    return std::tuple(a.time.begin, a.time.end, a.slice) < std::tuple(b.time.begin, b.time.end, b.slice);
  });
  return rows;
}

std::string without_runs_note(std::size_t without, std::size_t ranks) {
  if (without == ranks) return "No GPU activity in this selection.";
  if (without == 0) return "";
  return fmt::format("{} of {} ranks have no GPU activity.", without, ranks);
}

}  // namespace warpscope::analysis
