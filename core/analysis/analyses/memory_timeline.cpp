// memory_timeline: device memory in use over time, by category.
#include <algorithm>
#include <array>
#include <limits>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/display_path.hpp"

namespace warpscope::analysis::registered::memory_timeline {

namespace {

constexpr std::size_t kCategories = trace::kMemoryCategories.size();
constexpr std::string_view kHowTo =
    "No memory timeline found. PyTorch writes one with profiler.export_memory_timeline(\"memory.raw.json.gz\") if the "
    "profiler recorded memory, shapes and stacks; converted profiles (.wscope) do not include it.";

/// Bytes by category and in total.
struct InUse {
  std::array<std::int64_t, kCategories> bytes{};
  std::int64_t total = 0;

  void add(std::uint8_t category, std::int64_t change) {
    bytes[category] = saturating_add(bytes[category], change);
    total = saturating_add(total, change);
  }
};

/// Time and size of a maximum.
struct Peak {
  std::int64_t bytes = 0;
  Ns time = 0;
  bool any = false;

  void see(std::int64_t now, Ns at) {
    if (!any || now > bytes) *this = {now, at, true};
  }
};

Table series_table() {
  std::vector<Column> columns{
      col::file, Column("time", col::start).csv("ts", 1000), {"clock", "ns", ColumnKind::identifier, "time_ns"}};
  for (const std::string_view category : trace::kMemoryCategories)
    columns.push_back(Column(std::string(category), col::part).csv(std::string(category)));
  columns.push_back(Column("total", ColumnKind::bytes, col::total).csv("Total"));
  return {"memory-timeline", "Memory in use", std::move(columns), "*,time_ns"};
}

Table peaks_table() {
  return Table("memory-peaks", "Peak memory in use",
               {col::file, Column(col::name).csv("category"), col::size("at the peak"), col::share, col::size("most"),
                col::moment("most at")});
}

class Timelines {
 public:
  explicit Timelines(const AnalysisInput& input) : input_(input), series_(series_table()), peaks_(peaks_table()) {}

  std::vector<Table> tables() {
    for (const auto& timeline : input_.profile.memory) {
      if (cancelled(input_.cancel)) break;
      add(*timeline);
    }
    if (input_.profile.memory.empty())
      series_.note = kHowTo;
    else if (series_.rows() == 0)
      series_.note = "Memory in use does not change in this range.";
    else if (other_clock_)
      series_.note = "No trace overlaps this timeline, so its times are relative to its own start.";
    std::vector<Table> tables;
    tables.push_back(std::move(series_));
    tables.push_back(std::move(peaks_));
    return tables;
  }

 private:
  void add(const trace::MemoryTimeline& timeline) {
    const std::string file = display_path(timeline.path, input_.profile.path);
    const Interval span{timeline.times.front(), timeline.times.back()};
    const bool meanwhile = span.begin < input_.profile.span.end && span.end >= input_.profile.span.begin;
    const Ns zero = meanwhile ? input_.profile.span.begin : span.begin;
    other_clock_ |= !meanwhile;
    const auto since_zero = [&](Ns time) { return saturating_difference(time, zero); };
    constexpr Interval kAll{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
    const Interval range = meanwhile ? input_.scope.on_job().value_or(kAll) : kAll;

    InUse now;
    InUse at_peak;
    Peak peak;
    std::array<Peak, kCategories> peaks;
    const auto see = [&](Ns time) {
      std::vector<Cell> cells{file, since_zero(time), time};
      cells.insert(cells.end(), now.bytes.begin(), now.bytes.end());
      cells.emplace_back(now.total);
      series_.add_row(cells);
      if (!peak.any || now.total > peak.bytes) at_peak = now;
      peak.see(now.total, since_zero(time));
      for (std::size_t c = 0; c < kCategories; ++c) peaks[c].see(now.bytes[c], since_zero(time));
    };
    const std::size_t size = timeline.times.size();
    bool before = false;  // the value at the start of the range must still be added
    for (std::size_t i = 0; i < size; ++i) {
      const Ns time = timeline.times[i];
      if (time >= range.end) break;
      if (before && time > range.begin) {
        see(range.begin);
        before = false;
      }
      now.add(timeline.categories[i], timeline.bytes[i]);
      if (i + 1 < size && timeline.times[i + 1] == time) continue;
      before = time < range.begin;
      if (!before) see(time);
    }
    if (before) see(range.begin);
    if (!peak.any) return;
    for (std::size_t c = 0; c < kCategories; ++c)
      peaks_.add_row({file, trace::kMemoryCategories[c], at_peak.bytes[c], share_of(at_peak.bytes[c], at_peak.total),
                      peaks[c].bytes, peaks[c].time});
    peaks_.add_row({file, "total", at_peak.total, share_of(at_peak.total, at_peak.total), peak.bytes, peak.time});
  }

  const AnalysisInput& input_;
  Table series_;
  Table peaks_;
  bool other_clock_ = false;
};

Result<std::vector<Table>> run(const AnalysisInput& input) { return Timelines(input).tables(); }

constexpr std::array kCharts{ChartSpec{"memory-timeline", ChartKind::areas}};

}  // namespace

extern const Analysis kAnalysis{
    "memory_timeline",
    "Memory timeline",
    "Device memory in use after each change, in bytes by category. Requires the memory timeline of PyTorch's memory "
    "profiler, a separate file next to the traces. The file does not record a rank, so selecting ranks has no effect.",
    {},
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::memory_timeline
