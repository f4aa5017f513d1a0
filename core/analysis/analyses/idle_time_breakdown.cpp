// idle_time_breakdown: idle time of GPUs and streams by cause.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/bucket_sort.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/hta_columns.hpp"
#include "core/analysis/shared/idle_gaps.hpp"
#include "core/analysis/shared/idle_tables.hpp"
#include "core/base/format.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis::registered::idle_time_breakdown {

namespace {

constexpr std::string_view kThreshold = "consecutive_kernel_delay";
constexpr std::string_view kRows = "rows";
constexpr std::array kParameters{
    duration_parameter(kThreshold, "gaps shorter than this count as device delay; auto: 10us, or 30us with --hta",
                       Parameter::kAutomatic),
    integer_parameter(kRows, "number of gaps to list, longest first; 0 for all", "100"), kHtaParameter,
    kRoundingParameter};

/// The longest gaps between GPU activities on a stream or GPU.
class LongestGaps {
 public:
  struct Gap {
    std::uint32_t rank = 0;            ///< index
    std::int64_t device = 0;           ///< device number
    std::int64_t stream = 0;           ///< stream of the gap; for a GPU, stream of the activity that ended it
    std::string_view cause;            ///< cause of the largest part; must outlive this
    Interval time;                     ///< ns, absolute
    trace::SliceOrdinal next_run = 0;  ///< the activity that ended it
    std::optional<Ns> host_wait{};     ///< part of `time`; nullopt if not computed
    std::optional<trace::SliceOrdinal> awaited{};  ///< see IdleGap
  };

  /// Keeps the `most` longest gaps; 0: all.
  explicit LongestGaps(std::size_t most) : most_(most) {}

  /// O(log most).
  void add(const Gap& gap) {
    ++added_;
    if (most_ == 0 || gaps_.size() < most_) {
      gaps_.push_back(gap);
      if (gaps_.size() == most_) std::ranges::make_heap(gaps_, comes_before);
      return;
    }
    if (!comes_before(gap, gaps_.front())) return;
    std::ranges::pop_heap(gaps_, comes_before);
    gaps_.back() = gap;
    std::ranges::push_heap(gaps_, comes_before);
  }

  /// Returns the gaps sorted by length, longest first, then by time. `zero`: Column::csv_zero of times. The note
  /// contains the total number of gaps.
  [[nodiscard]] Table table(std::string_view id, std::string_view title, const trace::Profile& profile, Ns zero) const {
    Table table(std::string(id), std::string(title),
                {{"rank", "", ColumnRole::rank, "rank"},
                 {"device", "", ColumnRole::device, "device"},
                 {"stream", "", ColumnRole::stream, "stream"},
                 Column{"begin", "", ColumnRole::start, "ts", 1000, zero}.labeled("start"),
                 {"duration", "", ColumnRole::duration, "dur", 1000, 0, 1},
                 {"cause", "", ColumnRole::wait_cause, "idle_category"},
                 {"host wait", "", ColumnRole::host_wait, "host_wait", 1000, 0, 1},
                 {"next run", "", ColumnRole::kernel_names, "next_run"},
                 {"waited for", "", ColumnKind::text, "waited_for"},
                 {"on stream", "", ColumnKind::identifier, "waited_for_stream"}});
    std::vector<Gap> order = gaps_;
    std::ranges::sort(order, comes_before);
    for (const Gap& gap : order) {
      const trace::Rank& rank = *profile.ranks[gap.rank];
      const auto name = [&](trace::SliceOrdinal slice) { return profile.names().view(rank.name(slice)); };
      table.add_row({rank.number, gap.device, gap.stream, saturating_difference(gap.time.begin, profile.span.begin),
                     gap.time.length(), gap.cause, gap.host_wait ? Cell(*gap.host_wait) : Cell(), name(gap.next_run),
                     gap.awaited ? Cell(name(*gap.awaited)) : Cell(),
                     gap.awaited ? Cell(rank.tracks[rank.track_of_lane(rank.locate(*gap.awaited).lane)].id) : Cell()});
    }
    if (table.rows() < added_)
      table.note =
          fmt::format("Shows the {} longest of {} gaps.", format_count(static_cast<std::int64_t>(table.rows())),
                      format_count(static_cast<std::int64_t>(added_)));
    return table;
  }

 private:
  /// Longer gaps come first.
  static bool comes_before(const Gap& a, const Gap& b) {
    const auto place = [](const Gap& gap) {
      return std::tuple(-gap.time.length(), gap.time.begin, gap.rank, gap.device, gap.stream);
    };
    return place(a) < place(b);
  }

  std::size_t most_;
  std::uint64_t added_ = 0;
  std::vector<Gap> gaps_;  // heap with the shortest on top, once it has `most_` gaps
};

// Gaps between kernels launched in time measure 1 to 4 µs on GPUs from V100 to H100.
constexpr Ns kOwnDelay = 10'000;
constexpr Ns kHtaOwnDelay = 30'000;

using Causes = std::array<StreamIdleTables::Cause, 6>;
constexpr Causes kCauses{{{kIdleCauses[0], "host wait", kIdleRoles[0], true},
                          {kIdleCauses[1], "stream wait", kIdleRoles[1], true},
                          {kIdleCauses[2], "kernel wait", kIdleRoles[2], true},
                          {kIdleCauses[3], "unknown", kIdleRoles[3], true},
                          {kIdleCauses[4], "no launch record", kIdleRoles[4], false},
                          {kIdleCauses[5], "host callback", kIdleRoles[5], false}}};
/// HTA always has "other", because it assigns the missing gap before the first activity to it.
constexpr std::array<StreamIdleTables::Cause, 4> kHtaCauses{
    {{kIdleCauses[0], "host wait", kIdleRoles[0], false},
     {kIdleCauses[2], "kernel wait", kIdleRoles[2], false},
     {kHtaOtherCause, "other", ColumnRole::other, true},
     {kIdleCauses[4], "no launch record", kIdleRoles[4], false}}};
constexpr std::size_t kHtaHostWait = 0;
constexpr std::size_t kHtaKernelWait = 1;
constexpr std::size_t kHtaOther = 2;

/// Calls visit(runs) for each group of `rows` with the same key, in key order.
template <class Key, class Visit>
void for_each_group(std::vector<GpuRow>& rows, Key key, Visit visit) {
  if (!std::ranges::is_sorted(rows, {}, key)) std::ranges::stable_sort(rows, {}, key);
  for (auto from = rows.begin(); from != rows.end();) {
    const auto to = std::find_if(from, rows.end(),
                                 [&](const GpuRow& row) { return std::invoke(key, row) != std::invoke(key, *from); });
    visit(std::span<const GpuRow>(from, to));
    from = to;
  }
}

class Breakdown {
 public:
  explicit Breakdown(const AnalysisInput& input)
      : input_(input),
        hta_(input.values.flag(kHtaParameter.name)),
        delay_(input.values.automatic(kThreshold) ? (hta_ ? kHtaOwnDelay : kOwnDelay)
                                                  : input.values.duration(kThreshold)),
        rows_(input.profile, input.scope, choice(), input.cancel, input.shared),
        streams_(hta_ ? std::span<const StreamIdleTables::Cause>(kHtaCauses) : kCauses, hta_),
        longest_idle_(most()),
        longest_gaps_(most()) {}

  std::vector<Table> tables() {
    std::size_t without = 0;
    for (const std::uint32_t rank : rows_.ranks()) {
      GpuRows::Rows rows = *rows_.of(rank);
      if (cancelled(input_.cancel)) break;
      std::erase_if(rows, [](const GpuRow& row) { return !trace::is_run(row.role); });
      if (rows.empty()) ++without;
      if (hta_)
        add_as_hta(rank, rows);
      else
        for_each_group(rows, &GpuRow::device, [&](std::span<const GpuRow> runs) { add_device(rank, runs); });
    }
    return take(
        joined_notes({without_runs_note(without, rows_.ranks().size()),
                      fmt::format("kernel_wait: shorter than {}.", format_duration(delay_)),
                      impossible_note(count_impossible(input_.profile, input_.scope, kRunRoles), "GPU slice")}));
  }

 private:
  [[nodiscard]] KernelClasses::Choice choice() const {
    KernelClasses::Choice choice;
    choice.hta = hta_;
    choice.rounding = hta_ && input_.values.flag(kRoundingParameter.name);
    return choice;
  }
  [[nodiscard]] std::size_t most() const { return static_cast<std::size_t>(input_.values.integer(kRows)); }

  void add_device(std::uint32_t rank_index, std::span<const GpuRow> runs) {
    const trace::Rank& rank = *input_.profile.ranks[rank_index];
    const std::int64_t device = rank.devices[runs.front().device].id;
    const IdleGaps gaps(input_.profile, rank_index, rows_, runs, delay_);
    const auto listed = [&](const IdleGap& gap) {
      return LongestGaps::Gap{.rank = rank_index,
                              .device = device,
                              .stream = rank.tracks[gap.next.track].id,
                              .cause = kIdleCauses[static_cast<std::size_t>(largest(gap.parts))],
                              .time = gap.time,
                              .next_run = gap.next.slice,
                              .host_wait = gap.parts[static_cast<std::size_t>(IdleCause::host_wait)],
                              .awaited = gap.awaited};
    };
    const std::optional<Interval> whole = input_.scope.evaluated_on_gpu(rank_index);
    const std::optional<Ns> start = whole ? std::optional(whole->begin) : std::nullopt;
    std::vector<IdleGap> of_device;
    gaps.for_each(
        runs,
        [&](const IdleGap& gap) {
          of_device.push_back(gap);
          longest_idle_.add(listed(gap));
        },
        start);
    Ns last = std::ranges::max_element(runs, {}, [](const GpuRow& row) { return row.time.end; })->time.end;
    if (whole && whole->end > last) {  // nothing of the evaluated steps ends this gap
      IdleGap rest{.time = {last, whole->end}, .next = runs.back()};
      rest.parts[static_cast<std::size_t>(IdleCause::unknown)] = rest.time.length();
      of_device.push_back(rest);
      last = whole->end;
    }
    devices_.add(rank.number, device, saturating_difference(last, start.value_or(runs.front().time.begin)), of_device);
    std::vector<GpuRow> by_stream(runs.begin(), runs.end());
    if (by_stream.size() >= rank.tracks.size())  // else for_each_group() sorts: devices · tracks may be many
      bucket_sort(by_stream, rank.tracks.size(), [](const GpuRow& row) { return row.track; });
    for_each_group(by_stream, &GpuRow::track, [&](std::span<const GpuRow> stream) {
      std::vector<std::vector<Ns>> parts(kCauses.size());
      gaps.for_each(stream, [&](const IdleGap& gap) {
        for (std::size_t c = 0; c < parts.size(); ++c)
          if (gap.parts[c] > 0) parts[c].push_back(gap.parts[c]);
        longest_gaps_.add(listed(gap));
      });
      streams_.add(rank.number, device, rank.tracks[stream.front().track].id, std::move(parts));
    });
  }

  /// Adds gaps as HTA does: each extends from the end of one GPU activity to the start of the next, in order of start.
  /// A gap may be empty; it is negative if the activities overlap. Merges streams that have the same number on
  /// different devices.
  void add_as_hta(std::uint32_t rank_index, std::vector<GpuRow>& rows) {
    const trace::Rank& rank = *input_.profile.ranks[rank_index];
    const auto number = [&](const GpuRow& row) { return rank.tracks[row.track].id; };
    for_each_group(rows, number, [&](std::span<const GpuRow> stream) {
      std::vector<std::vector<Ns>> gaps(kHtaCauses.size());
      for (std::size_t i = 1; i < stream.size(); ++i) {
        const Interval time{stream[i - 1].time.end, stream[i].time.begin};
        const Ns gap = saturating_difference(time.end, time.begin);
        const auto launch = rows_.launch_begin(rank_index, stream[i]);
        std::size_t cause = gap < delay_ ? kHtaKernelWait : kHtaOther;
        if (launch && *launch > time.begin) cause = kHtaHostWait;
        gaps[cause].push_back(gap);
        if (gap <= 0) continue;
        longest_gaps_.add({.rank = rank_index,
                           .device = rank.devices[stream.front().device].id,
                           .stream = number(stream.front()),
                           .cause = kHtaCauses[cause].name,
                           .time = time,
                           .next_run = stream[i].slice});
      }
      streams_.add(rank.number, {}, number(stream.front()), std::move(gaps));
    });
  }

  std::vector<Table> take(const std::string& note) {
    const Ns zero = csv_zero(input_);
    std::vector<Table> tables;
    if (!hta_) tables.push_back(std::move(devices_).take());
    for (Table& table : std::move(streams_).take()) tables.push_back(std::move(table));
    if (!hta_) tables.push_back(longest_idle_.table("longest-idle", "Longest GPU idle times", input_.profile, zero));
    tables.push_back(longest_gaps_.table("longest-gaps", "Longest gaps on streams", input_.profile, zero));
    for (Table& table : tables) table.note = joined_notes({table.note, note});
    return tables;
  }

  const AnalysisInput& input_;
  bool hta_;
  Ns delay_;
  GpuRows rows_;
  DeviceIdleTable devices_;
  StreamIdleTables streams_;
  LongestGaps longest_idle_;
  LongestGaps longest_gaps_;
};

Result<std::vector<Table>> run(const AnalysisInput& input) { return Breakdown(input).tables(); }

constexpr std::array kParts{ChartSeries{ColumnRole::host_wait},    ChartSeries{ColumnRole::stream_wait},
                            ChartSeries{ColumnRole::kernel_wait},  ChartSeries{ColumnRole::unknown},
                            ChartSeries{ColumnRole::other},        ChartSeries{ColumnRole::no_launch_record},
                            ChartSeries{ColumnRole::host_callback}};
constexpr std::array kCharts{ChartSpec{"device-idle", ChartKind::columns, "GPU idle time by cause", kParts},
                             ChartSpec{"idle-by-stream", ChartKind::columns, "Stream idle time by cause", kParts},
                             ChartSpec{.table = "idle-time-breakdown",
                                       .kind = ChartKind::rows,
                                       .title = "Idle time by cause",
                                       .x = ColumnRole::wait_cause,
                                       .y = ColumnRole::idle}};

}  // namespace

extern const Analysis kAnalysis{
    .name = "idle_time_breakdown",
    .title = "Idle time by cause",
    .about =
        "Idle time between kernels on each GPU and stream, by cause. host_wait: the host had not finished launching "
        "the next kernel. stream_wait: the next kernel waited for work on another stream, which ended at most 20 us "
        "before that kernel started. kernel_wait: device delay, shorter than consecutive_kernel_delay or up "
        "to 100 us after a late launch. no_launch_record: the trace does not contain the launch of the next kernel. "
        "host_callback: the GPU was idle while a CUDA graph ran a function on the host. "
        "unknown: all other idle time. HTA assigns each gap on a stream to one cause (the host if the launch started "
        "in the gap). It reads consecutive_kernel_delay as µs and counts overlapping kernels as negative gaps.",
    .parameters = kParameters,
    .run = run,
    .charts = kCharts,
    .still_ours =
        "Gaps before GPU activity without a launch record are not counted as host_wait. HTA treats the first event in "
        "the file as their launch if it is a host event. In traces with ns timestamps, HTA's epoch timestamps are "
        "precise only to 0.25 µs, so a launch that close to a kernel's end may fall on either side of it."};

}  // namespace warpscope::analysis::registered::idle_time_breakdown
