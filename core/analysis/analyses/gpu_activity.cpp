// gpu_activity: GPU time spent in kernels, memory operations and waits, and idle time.
#include <algorithm>
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/analysis/shared/row_words.hpp"

namespace warpscope::analysis::registered::gpu_activity {

namespace {

constexpr std::array<std::string_view, 2> kMeasures{"summed", "union"};
constexpr std::array kParameters{choice_parameter(
    "by", "in percentages, count overlapping time multiple times (summed) or once (union)", kMeasures)};

struct ActivityTime {
  Ns total = 0;
  Ns once = 0;
};
/// Indexed by GpuActivity.
using ActivityTimes = std::array<ActivityTime, kGpuActivities.size()>;

ActivityTime& time_of(ActivityTimes& times, GpuActivity activity) { return times[static_cast<std::size_t>(activity)]; }

/// Sums the activity times of GPUs.
class ActivitySums {
 public:
  ActivitySums(const AnalysisInput& input, const RoleOfCategory& roles)
      : input_(input), roles_(roles), measured_(input.profile, input.scope) {}

  /// Adds the times of a GPU; returns the time that is evaluated on it.
  Ns add(const trace::Gpu& gpu, ActivityTimes& times) {
    for (auto& each : intervals_) each.clear();
    for (const trace::GpuPart part : gpu.parts) {
      const trace::Rank& rank = *input_.profile.ranks[part.rank];
      for (const std::uint32_t stream : rank.devices[part.device].streams) {
        const trace::Track& track = rank.tracks[stream];
        for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l)
          add_lane(part.rank, l, times);
      }
    }
    for (std::size_t a = 0; a < intervals_.size(); ++a)
      times[a].once = saturating_add(times[a].once, total_length(joined(std::move(intervals_[a]))));
    const std::vector<Interval> own = measured_.of(gpu);
    const Ns length = total_length(own);
    ActivityTime& idle = time_of(times, GpuActivity::idle);
    idle.total = saturating_add(idle.total, length - GpuBusy(input_.profile, gpu).within(own));
    idle.once = idle.total;
    return length;
  }

 private:
  void add_lane(std::uint32_t r, std::uint32_t l, ActivityTimes& times) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const trace::LaneKind kind = rank.rows_of(l);
    if ((!holds_recorded(rank, l) && kind != trace::LaneKind::sync) || cancelled(input_.cancel)) return;
    const trace::Lane& lane = rank.lanes[l];
    for_each_part(lane, input_.scope.on_gpu(r), [&](std::uint32_t i, Interval part) {
      auto activity = GpuActivity::sync;
      if (kind != trace::LaneKind::sync) {
        const trace::Role role = roles_[lane.category(i)];
        if (!trace::is_run(role)) return;
        activity = trace::is_kernel(role) ? GpuActivity::kernel : GpuActivity::memory;
      }
      Ns& total = time_of(times, activity).total;
      total = saturating_add(total, part.length());
      intervals_[static_cast<std::size_t>(activity)].push_back(part);
    });
  }

  const AnalysisInput& input_;
  const RoleOfCategory& roles_;
  MeasuredTime measured_;
  std::array<std::vector<Interval>, kGpuActivities.size()> intervals_;  // by GpuActivity; none for idle
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const RoleOfCategory roles = roles_of_categories(input.profile);
  const std::vector<trace::Gpu> gpus = gpus_in(input.profile, input.scope);
  ActivityTimes times{};
  ActivitySums activity(input, roles);
  double evaluated = 0;
  for (const trace::Gpu& gpu : gpus) evaluated += static_cast<double>(activity.add(gpu, times));

  const bool once = input.values.text("by") == "union";
  Table table(
      "gpu-activity", "GPU activity distribution",
      {col::activity, col::total, col::union_time, col::share, Column("share of gpu time", col::share_of_gpu_time)});
  // The sum may overflow Ns; compute shares in floating point.
  const auto measured = [once](const ActivityTime& time) { return static_cast<double>(once ? time.once : time.total); };
  double whole = 0;
  for (const ActivityTime& time : times) whole += measured(time);
  for (std::size_t a = 0; a < times.size() && whole > 0; ++a)
    table.add_row({Cell(kGpuActivities[a], static_cast<GpuActivity>(a)), times[a].total, times[a].once,
                   share_of(measured(times[a]), whole), share_of(static_cast<double>(times[a].once), evaluated)});
  const std::uint64_t impossible =
      count_impossible(input.profile, input.scope, static_cast<RoleSet>(kRunRoles | role_set(trace::Role::sync)));
  table.note =
      gpus.empty()
          ? gpu_time_note({})
          : joined_notes(
                {once
                     ? "Percentages are relative to the union: overlapping time within an activity counts once per GPU."
                     : "Percentages are relative to the sum: overlapping time counts more than once.",
                 "Idle means that no kernel, memcpy or memset is running. Waits may overlap any other activity.",
                 impossible_note(impossible, "slice")});
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{"gpu_activity", "GPU activity distribution",
                                "Time spent in kernels, memory operations (memcpys and memsets) and waits on all GPUs, "
                                "as a sum and as a per-GPU union, and idle time.",
                                kParameters, run};

}  // namespace warpscope::analysis::registered::gpu_activity
