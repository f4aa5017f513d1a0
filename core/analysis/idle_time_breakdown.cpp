// idle_time_breakdown: why each stream stood still between its runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/analysis/gpu_rows.hpp"
#include "core/analysis/hta_columns.hpp"
#include "core/analysis/longest_gaps.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"
#include "core/analysis/statistics.hpp"
#include "core/analysis/tables.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::idle_time_breakdown {

namespace {

constexpr std::string_view kThreshold = "consecutive_kernel_delay";
constexpr std::string_view kRows = "rows";
constexpr std::array kParameters{
    Parameter{.name = kThreshold,
              .about = "a shorter gap is the devices' own delay between runs; auto: 30ns, and as HTA does 30us",
              .kind = ParameterKind::duration,
              .preset = Parameter::kAutomatic,
              .least = 0},
    Parameter{.name = kRows,
              .about = "how many single gaps are told, the longest; 0 for all",
              .kind = ParameterKind::integer,
              .preset = "100",
              .least = 0,
              .most = 1e9},
    kHtaParameter, kRoundingParameter};

enum class Cause : std::uint8_t { host_wait, kernel_wait, other, no_launch };
constexpr std::array<std::string_view, 4> kCauses{"host_wait", "kernel_wait", "other", "no_launch_record"};

/// One stream's gaps by cause.
struct StreamGaps {
  std::array<std::vector<Ns>, kCauses.size()> gaps;

  void add(Cause cause, Ns gap) { gaps[static_cast<std::size_t>(cause)].push_back(gap); }
};

struct Rules {
  Ns threshold;
  bool hta;

  /// Of the gap from `idle_since` to the begin of a run that was launched at `launch`.
  [[nodiscard]] Cause cause(Ns idle_since, Ns gap, std::optional<Ns> launch) const {
    if (launch && *launch > idle_since) return Cause::host_wait;
    if (!launch && !hta) return Cause::no_launch;
    return gap < threshold ? Cause::kernel_wait : Cause::other;
  }
};

/// Whatever part of the time from its first to its last run a stream ran nothing. HTA's gap is from the end of the run
/// that began before to the begin of the next, less than nothing where they overlap; and it has gaps of no length.
/// visit(cause, time, next run) is called with those that take time.
template <class Visit>
StreamGaps gaps_of(std::span<const GpuRow> stream, const GpuRows& all, std::uint32_t rank, const Rules& rules,
                   Visit visit) {
  StreamGaps result;
  Ns reached = stream.front().time.end;
  for (const GpuRow& row : stream.subspan(1)) {
    const Ns gap = saturating_difference(row.time.begin, reached);
    if (gap > 0 || rules.hta) {
      const Cause cause = rules.cause(reached, gap, all.launch_begin(rank, row));
      result.add(cause, gap);
      if (gap > 0) visit(cause, Interval{reached, row.time.begin}, row.slice);
    }
    reached = rules.hta ? row.time.end : std::max(reached, row.time.end);
  }
  return result;
}

std::vector<Column> columns(std::initializer_list<Column> figures) {
  std::vector<Column> columns{{"rank", "", ColumnKind::identifier, "rank"},
                              {"stream", "", ColumnKind::identifier, "stream"},
                              {"cause", "", ColumnKind::text, "idle_category"},
                              {"device", "", ColumnKind::identifier, "device"}};
  columns.insert(columns.end(), figures);
  return columns;
}

/// Standard deviation of a sample; nothing of fewer than two.
Cell sample_deviation(const Statistics& of) {
  if (of.count < 2) return {};
  const auto count = static_cast<double>(of.count);
  return of.stddev * std::sqrt(count / (count - 1));
}

class Tables {
 public:
  Tables()
      : times_("idle-time-breakdown", "Idle time of streams by cause",
               columns({{"idle", "", ColumnKind::duration, "idle_time", 1000},
                        {"share", "", ColumnKind::share, "idle_time_ratio", 100},
                        {"gaps", "", ColumnKind::integer, "intervals"}})),
        statistics_("idle-intervals", "Gaps between runs",
                    columns({{"count", "", ColumnKind::integer, "count"},
                             {"mean", "", ColumnKind::duration, "mean", 1000, 0, 1},
                             {"stddev", "", ColumnKind::duration, "std", 1000, 0, 1},
                             {"min", "", ColumnKind::duration, "min", 1000, 0, 1},
                             {"25 %", "", ColumnKind::duration, "25%", 1000, 0, 1},
                             {"median", "", ColumnKind::duration, "50%", 1000, 0, 1},
                             {"75 %", "", ColumnKind::duration, "75%", 1000, 0, 1},
                             {"max", "", ColumnKind::duration, "max", 1000, 0, 1}})),
        by_stream_("idle-by-stream", "Idle time by stream",
                   {{"rank", "", ColumnKind::identifier, "rank"},
                    {"device", "", ColumnKind::identifier, "device"},
                    {"stream", "", ColumnKind::identifier, "stream"},
                    {"host wait", "", ColumnKind::duration, {}, 1, 0, 1},
                    {"kernel wait", "", ColumnKind::duration, {}, 1, 0, 1},
                    {"other", "", ColumnKind::duration, {}, 1, 0, 1},
                    {"no launch record", "", ColumnKind::duration, {}, 1, 0, 1}}) {
    times_.csv_first = "rank,stream,idle_category,idle_time,idle_time_ratio";
    statistics_.csv_first = "idle_category,rank,stream,count,mean,std,min,25%,50%,75%,max";
  }

  void add(Cell rank, Cell device, Cell stream, StreamGaps gaps, bool hta) {
    Ns total = 0;
    std::array<Ns, kCauses.size()> sums{};
    for (std::size_t c = 0; c < kCauses.size(); ++c) {
      for (const Ns gap : gaps.gaps[c]) sums[c] = saturating_add(sums[c], gap);
      total = saturating_add(total, sums[c]);
    }
    by_stream_.add_row({rank, device, stream, sums[0], sums[1], sums[2], sums[3]});
    for (std::size_t c = 0; c < kCauses.size(); ++c) {
      std::vector<Ns>& values = gaps.gaps[c];
      // HTA always has "other", for it counts the missing gap before the first run there.
      const bool always =
          hta ? c == static_cast<std::size_t>(Cause::other) : c != static_cast<std::size_t>(Cause::no_launch);
      if (values.empty() && !always) continue;
      times_.add_row({rank, stream, kCauses[c], device, sums[c], share(sums[c], total), values.size()});
      if (values.empty() && !hta) continue;
      add_statistics({rank, stream, kCauses[c], device}, values);
    }
  }

  [[nodiscard]] std::vector<Table> take(const std::string& note, Table longest) && {
    std::vector<Table> tables;
    for (Table* table : {&times_, &statistics_, &by_stream_, &longest}) {
      table->note = joined_notes({note, table->note});
      tables.push_back(std::move(*table));
    }
    return tables;
  }

 private:
  /// HTA's sums may be less than nothing, and their shares then too.
  static Cell share(Ns part, Ns whole) {
    if (whole == 0) return {};
    return static_cast<double>(part) / static_cast<double>(whole);
  }

  /// `place`: the first four cells of the row.
  void add_statistics(const std::array<Cell, 4>& place, std::vector<Ns>& values) {
    if (values.empty()) {
      statistics_.add_row({place[0], place[1], place[2], place[3], 0});
      return;
    }
    const Statistics figures = statistics(values);
    std::ranges::sort(values);
    statistics_.add_row({place[0], place[1], place[2], place[3], values.size(), figures.mean, sample_deviation(figures),
                         figures.min, quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75),
                         figures.max});
  }

  Table times_;
  Table statistics_;
  Table by_stream_;
};

Table single_gaps(const LongestGaps& longest, const AnalysisInput& input) {
  Table table = longest.table(input.profile, csv_zero(input));
  if (table.rows() < longest.added())
    table.note = fmt::format("The {} longest of {}.", format_count(static_cast<std::int64_t>(table.rows())),
                             format_count(static_cast<std::int64_t>(longest.added())));
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  KernelClasses::Choice choice;
  choice.hta = input.values.flag(kHtaParameter.name);
  choice.rounding = choice.hta && input.values.flag(kRoundingParameter.name);
  const Rules rules{input.values.automatic(kThreshold) ? (choice.hta ? 30'000 : 30) : input.values.duration(kThreshold),
                    choice.hta};
  const GpuRows all(input.profile, input.scope, choice, input.cancel);
  Tables tables;
  LongestGaps longest(static_cast<std::size_t>(input.values.integer(kRows)));
  std::size_t without = 0;
  for (const std::uint32_t r : all.ranks()) {
    const trace::Rank& rank = *input.profile.ranks[r];
    std::vector<GpuRow> rows = all.of(r);
    if (cancelled(input.cancel)) break;
    std::erase_if(rows, [](const GpuRow& row) { return !trace::is_run(row.role); });
    if (rows.empty()) ++without;
    // Streams of different devices may share a number; HTA takes them for one.
    const auto stream = [&](const GpuRow& row) {
      return choice.hta ? std::pair(std::uint32_t{0}, rank.tracks[row.track].id)
                        : std::pair(row.device, std::int64_t{row.track});
    };
    std::ranges::sort(
        rows, {}, [&](const GpuRow& row) { return std::tuple(stream(row), row.time.begin, row.time.end, row.slice); });
    for (auto from = rows.begin(); from != rows.end();) {
      const auto to = std::find_if(from, rows.end(), [&](const GpuRow& row) { return stream(row) != stream(*from); });
      const std::int64_t device = rank.devices[from->device].id;
      const std::int64_t number = rank.tracks[from->track].id;
      const auto keep = [&](Cause cause, Interval time, trace::SliceOrdinal next) {
        longest.add({r, device, number, kCauses[static_cast<std::size_t>(cause)], time, next});
      };
      tables.add(rank.number, choice.hta ? Cell() : Cell(device), number, gaps_of({from, to}, all, r, rules, keep),
                 choice.hta);
      from = to;
    }
  }
  const std::string missing = without_runs_note(without, all.ranks().size());
  return std::move(tables).take(
      joined_notes({missing, fmt::format("kernel_wait: gaps shorter than {}.", format_duration(rules.threshold)),
                    impossible_note(count_impossible(input.profile, input.scope, kRunRoles), "run")}),
      single_gaps(longest, input));
}

}  // namespace

extern const Analysis kAnalysis;
const Analysis kAnalysis{
    "idle_time_breakdown",
    "Idle time of streams",
    "Gaps between the runs of a stream. host_wait: the host launched the next run only after the stream had run dry; "
    "kernel_wait: shorter than consecutive_kernel_delay; no_launch_record: nothing says when it was launched; other: "
    "the rest. HTA takes that delay for µs and adds "
    "negative gaps where runs overlap.",
    kParameters,
    run,
    false,
    "What has no launch record is not host_wait; HTA takes the first event of the file for its launch, if the "
    "host has that. In traces in ns, HTA's times since 1970 are 0.25 µs coarse: a launch within that of the "
    "end of a run may count on either side."};

}  // namespace warpscope::analysis::registered::idle_time_breakdown
