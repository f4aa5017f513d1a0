// idle_time_breakdown: idle time of GPUs and streams by cause.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/analysis/causes/idle_gaps.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/bucket_sort.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/analysis/shared/step_curve.hpp"
#include "core/base/format.hpp"
#include "core/base/stretches.hpp"

namespace warpscope::analysis::registered::idle_time_breakdown {

namespace {

constexpr std::string_view kThreshold = "consecutive_kernel_delay";
constexpr std::string_view kRows = "rows";
constexpr std::array kParameters{
    duration_parameter(kThreshold, "gaps shorter than this count as latency; auto: 10us, or 30us with --hta",
                       Parameter::kAutomatic),
    integer_parameter(kRows, "number of gaps to list, longest first; 0 for all", "100"), kHtaParameter,
    kRoundingParameter};
constexpr Ns kHtaOwnDelay = 30'000;

struct Cause {
  TimeLabel label;
  std::string_view name;
  bool always = false;  ///< has a row for each stream, even if its time is 0

  [[nodiscard]] Cell cell() const { return {name, label}; }
};
constexpr auto kCauses = [] {
  std::array<Cause, kTimeLabels> causes{};
  for (std::size_t l = 0; l < kTimeLabels; ++l) causes[l] = {static_cast<TimeLabel>(l), kTimeLabelWords[l].words};
  return causes;
}();
/// HTA always has "other", because it assigns the missing gap before the first activity to it.
constexpr std::array kHtaCauses{Cause{TimeLabel::host, "host_wait"}, Cause{TimeLabel::latency, "kernel_wait"},
                                Cause{TimeLabel::unknown, "other", true}};
constexpr std::size_t kHtaHostWait = 0;
constexpr std::size_t kHtaKernelWait = 1;
constexpr std::size_t kHtaOther = 2;

/// A gap between GPU activities on a stream or GPU.
struct Gap {
  std::uint32_t rank = 0;                        ///< index
  std::int64_t device = 0;                       ///< device number
  std::int64_t stream = 0;                       ///< stream of the gap; for a GPU, stream of the activity that ended it
  Cell cause;                                    ///< cause of the largest part
  Interval time;                                 ///< ns, absolute
  trace::SliceOrdinal next_run = 0;              ///< the activity that ended it
  std::optional<Ns> host_wait{};                 ///< part of `time`; nullopt if not computed
  std::optional<trace::SliceOrdinal> awaited{};  ///< see IdleGap

  /// Longer gaps come first.
  friend bool operator<(const Gap& a, const Gap& b) {
    const auto place = [](const Gap& gap) {
      return std::tuple(-gap.time.length(), gap.time.begin, gap.rank, gap.device, gap.stream);
    };
    return place(a) < place(b);
  }
};

/// The longest gaps.
class LongestGaps {
 public:
  /// Keeps the `most` longest gaps; 0: all.
  explicit LongestGaps(std::size_t most) : most_(most) {}

  /// O(log most).
  void add(const Gap& gap) {
    ++added_;
    gaps_.push(gap);
    if (most_ > 0 && gaps_.size() > most_) gaps_.pop();
  }

  /// Returns the gaps sorted by length, longest first, then by time. `zero`: Column::csv_zero of times. The note
  /// contains the total number of gaps.
  [[nodiscard]] Table table(std::string id, std::string title, const trace::Profile& profile, Ns zero) {
    Table table(std::move(id), std::move(title),
                {col::rank, col::device, col::stream, col::begin().csv("ts", 1000, zero), col::us(col::duration, "dur"),
                 Column(col::wait_cause).csv("idle_category"), col::us(col::ns("host wait"), "host_wait"),
                 Column("next run", col::kernel_names), col::text("waited for"),
                 col::id("on stream").csv("waited_for_stream")});
    std::vector<Gap> order;
    for (; !gaps_.empty(); gaps_.pop()) order.push_back(gaps_.top());
    std::ranges::reverse(order);
    for (const Gap& gap : order) {
      const trace::Rank& rank = *profile.ranks[gap.rank];
      const auto name = [&](trace::SliceOrdinal slice) { return profile.names().view(rank.name(slice)); };
      table.add_row({rank.number, gap.device, gap.stream, saturating_difference(gap.time.begin, profile.span.begin),
                     gap.time.length(), gap.cause, gap.host_wait, name(gap.next_run),
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
  std::size_t most_;
  std::uint64_t added_ = 0;
  std::priority_queue<Gap> gaps_;  // the shortest on top
};

Ns sum_of(std::span<const Ns> values) { return std::accumulate(values.begin(), values.end(), Ns{0}, saturating_add); }

/// Calls visit(runs) for each group of `rows` with the same key, in key order.
template <class Key, class Visit>
void for_each_group(std::vector<GpuRow>& rows, Key key, Visit visit) {
  if (!std::ranges::is_sorted(rows, {}, key)) std::ranges::stable_sort(rows, {}, key);
  for_each_stretch(std::span<const GpuRow>(rows), key, visit);
}

class Breakdown {
 public:
  explicit Breakdown(const AnalysisInput& input)
      : input_(input),
        choice_{.hta = input.values.flag(kHtaParameter.name),
                .rounding = input.values.flag(kHtaParameter.name) && input.values.flag(kRoundingParameter.name)},
        delay_(input.values.automatic(kThreshold) ? (choice_.hta ? kHtaOwnDelay : kOwnDelay)
                                                  : input.values.duration(kThreshold)),
        rows_(input.profile, input.scope, choice_, input.cancel, input.shared),
        causes_(choice_.hta ? std::span<const Cause>(kHtaCauses) : kCauses),
        longest_idle_(static_cast<std::size_t>(input.values.integer(kRows))),
        longest_gaps_(longest_idle_) {}

  std::vector<Table> tables() {
    std::size_t without = 0;
    const HostWorkNames names(input_.profile);
    for (const std::uint32_t rank : rows_.ranks()) {
      GpuRows::Rows rows = *rows_.of(rank);
      if (cancelled(input_.cancel)) break;
      std::erase_if(rows, [](const GpuRow& row) { return !trace::is_run(row.role); });
      if (rows.empty()) ++without;
      if (choice_.hta) {
        add_as_hta(rank, rows);
        continue;
      }
      const HostChain chain(input_.profile, rank,
                            *GpuRows(input_.profile, {{rank}, {}}, {}, input_.cancel, input_.shared).of(rank), names,
                            input_.cancel);
      for_each_group(rows, &GpuRow::device, [&](std::span<const GpuRow> runs) { add_device(rank, runs, chain); });
    }
    const std::string note =
        joined_notes({without_runs_note(without, rows_.ranks().size()),
                      fmt::format("Latency is shorter than {}.", format_duration(delay_)),
                      impossible_note(count_impossible(input_.profile, input_.scope, kRunRoles), "GPU slice")});
    const Ns zero = csv_zero(input_);
    std::vector<Table> tables;
    tables.push_back(std::move(times_));
    tables.push_back(std::move(statistics_));
    if (!choice_.hta)
      tables.push_back(longest_idle_.table("longest-idle", "Longest GPU idle times", input_.profile, zero));
    tables.push_back(longest_gaps_.table("longest-gaps", "Longest gaps on streams", input_.profile, zero));
    for (Table& table : tables) table.note = joined_notes({table.note, note});
    return tables;
  }

 private:
  void add_device(std::uint32_t r, std::span<const GpuRow> runs, const HostChain& chain) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const std::int64_t number = rank.devices[runs.front().device].id;
    const IdleGaps gaps(input_.profile, r, rows_, runs, chain, delay_);
    const auto listed = [&](const IdleGap& gap, const LabelTimes& times) {
      Gap of{.rank = r,
             .device = number,
             .stream = rank.tracks[gap.next.track].id,
             .cause = kCauses[static_cast<std::size_t>(std::ranges::max_element(times) - times.begin())].cell(),
             .time = gap.time,
             .next_run = gap.next.slice,
             .host_wait = 0,
             .awaited = gap.awaited};
      for (const Cause& cause : kCauses)
        if (is_host_delay(cause.label)) *of.host_wait += times[static_cast<std::size_t>(cause.label)];
      return of;
    };
    const auto evaluated = input_.scope.evaluated_on_gpu(r);
    const auto start = evaluated ? std::optional(evaluated->begin) : std::nullopt;
    gaps.for_each(
        runs, [&](const IdleGap& gap) { longest_idle_.add(listed(gap, gap.times())); }, start);
    std::vector<GpuRow> by_stream(runs.begin(), runs.end());
    if (by_stream.size() >= rank.tracks.size())  // else for_each_group() sorts: devices · tracks may be many
      bucket_sort(by_stream, rank.tracks.size(), [](const GpuRow& row) { return row.track; });
    for_each_group(by_stream, &GpuRow::track, [&](std::span<const GpuRow> stream) {
      std::vector<std::vector<Ns>> by_cause(kCauses.size());
      gaps.for_each(
          stream,
          [&](const IdleGap& gap) {
            const LabelTimes times = gap.times();
            for (std::size_t c = 0; c < by_cause.size(); ++c)
              if (times[c] > 0) by_cause[c].push_back(times[c]);
            longest_gaps_.add(listed(gap, times));
          },
          start);
      add_stream(rank.number, number, rank.tracks[stream.front().track].id, by_cause);
    });
  }

  /// Adds gaps as HTA does: each extends from the end of one GPU activity to the start of the next, in order of start.
  /// A gap may be empty; it is negative if the activities overlap. Merges streams that have the same number on
  /// different devices.
  void add_as_hta(std::uint32_t r, std::vector<GpuRow>& rows) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const auto number = [&](const GpuRow& row) { return rank.tracks[row.track].id; };
    for_each_group(rows, number, [&](std::span<const GpuRow> stream) {
      std::vector<std::vector<Ns>> gaps(kHtaCauses.size());
      for (std::size_t i = 1; i < stream.size(); ++i) {
        const Interval time{stream[i - 1].time.end, stream[i].time.begin};
        const Ns gap = saturating_difference(time.end, time.begin);
        const auto launch = rows_.launch_begin(r, stream[i]);
        std::size_t cause = gap < delay_ ? kHtaKernelWait : kHtaOther;
        if (launch && *launch > time.begin) cause = kHtaHostWait;
        gaps[cause].push_back(gap);
        if (gap <= 0) continue;
        longest_gaps_.add({.rank = r,
                           .device = rank.devices[stream.front().device].id,
                           .stream = number(stream.front()),
                           .cause = kHtaCauses[cause].cell(),
                           .time = time,
                           .next_run = stream[i].slice});
      }
      add_stream(rank.number, {}, number(stream.front()), gaps);
    });
  }

  /// `gaps`: lengths of the gaps, by cause. HTA's sums may be negative, and so may their shares.
  void add_stream(std::int64_t rank, Cell device, std::int64_t stream, const std::vector<std::vector<Ns>>& gaps) {
    Ns total = 0;
    for (const std::vector<Ns>& values : gaps) total = saturating_add(total, sum_of(values));
    for (std::size_t c = 0; c < causes_.size(); ++c) {
      if (gaps[c].empty() && !causes_[c].always) continue;
      const Ns sum = sum_of(gaps[c]);
      times_.add_row({rank, stream, causes_[c].cell(), device, sum,
                      total == 0 ? Cell() : Cell(static_cast<double>(sum) / static_cast<double>(total)),
                      gaps[c].size()});
      if (gaps[c].empty() && !choice_.hta) continue;
      const CurveStatistics of = statistics_of_samples({gaps[c].begin(), gaps[c].end()});
      statistics_.add_row({rank, stream, causes_[c].cell(), device, of.count, of.mean, of.stddev, of.min, of.quarter,
                           of.median, of.three_quarters, of.max});
    }
  }

  const AnalysisInput& input_;
  KernelClasses::Choice choice_;
  Ns delay_;
  GpuRows rows_;
  std::span<const Cause> causes_;
  LongestGaps longest_idle_;
  LongestGaps longest_gaps_;
  Table times_{"idle-time-breakdown",
               "Stream idle time by cause",
               {col::rank, col::stream, Column(col::wait_cause).csv("idle_category"), col::device,
                Column(col::idle).csv("idle_time", 1000), Column(col::share).csv("idle_time_ratio", 100),
                col::integer("gaps").csv("intervals")},
               "rank,stream,idle_category,idle_time,idle_time_ratio"};
  Table statistics_{"idle-intervals",
                    "Gaps by stream",
                    {col::rank, col::stream, Column(col::wait_cause).csv("idle_category"), col::device, col::count,
                     col::us(col::mean, "mean"), col::us(col::stddev, "std"), col::us(col::min, "min"),
                     col::us(col::ns("25 %"), "25%"), col::us(col::median, "50%"), col::us(col::ns("75 %"), "75%"),
                     col::us(col::max, "max")},
                    "idle_category,rank,stream,count,mean,std,min,25%,50%,75%,max"};
};

Result<std::vector<Table>> run(const AnalysisInput& input) { return Breakdown(input).tables(); }

constexpr std::array kCharts{ChartSpec{.table = "idle-time-breakdown",
                                       .kind = ChartKind::rows,
                                       .title = "Stream idle time by cause",
                                       .x = ColumnRole::wait_cause,
                                       .y = ColumnRole::idle}};

}  // namespace

extern const Analysis kAnalysis{
    .name = "idle_time_breakdown",
    .title = "Idle time by cause",
    .about =
        "Idle time between kernels on each stream, by cause, and the longest gaps of streams and GPUs. Until the host "
        "has launched the next kernel, each moment counts as what the host does. Waiting for another stream: its work "
        "ended at most 20 us before the next kernel started. Launch latency: device delay, shorter than "
        "consecutive_kernel_delay or up to 100 us after a late launch. Unknown reasons: all other idle time. HTA "
        "assigns each gap on a stream to one cause (the host if the launch started in the gap). It reads "
        "consecutive_kernel_delay as µs and counts overlapping kernels as negative gaps.",
    .parameters = kParameters,
    .run = run,
    .charts = kCharts,
    .still_ours =
        "Gaps before GPU activity without a launch record are not counted as host_wait. HTA treats the first event in "
        "the file as their launch if it is a host event. In traces with ns timestamps, HTA's epoch timestamps are "
        "precise only to 0.25 µs, so a launch that close to a kernel's end may fall on either side of it."};

}  // namespace warpscope::analysis::registered::idle_time_breakdown
