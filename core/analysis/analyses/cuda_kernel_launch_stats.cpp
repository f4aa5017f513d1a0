// cuda_kernel_launch_stats: duration of launch calls and of the GPU activity they launch, and launch latency.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/analysis/shared/launched_runs.hpp"
#include "core/analysis/slices/launch_latency.hpp"
#include "core/base/format.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis::registered::cuda_kernel_launch_stats {

namespace {

constexpr std::string_view kRuntimeCutoff = "runtime_cutoff";
constexpr std::string_view kDelayCutoff = "launch_delay_cutoff";
constexpr std::array kParameters{
    duration_parameter(kRuntimeCutoff, "calls longer than this are outliers", "50us"),
    duration_parameter(kDelayCutoff, "launches with a longer delay from call end to first kernel are outliers",
                       "100us"),
    flag_parameter("include_memory", "include memcpys and memsets", "true"),
    kCorrelationParameter,
    kHtaParameter,
    kRoundingParameter};

/// Roles of the counted slices, if their times are plausible.
constexpr RoleSet kCounted = kRunRoles | role_set(trace::Role::launch);

/// One launch call and its GPU activity.
struct Launch {
  Interval call;
  NameId call_name = 0;
  const GpuRow* first = nullptr;  ///< activity that started first
  std::uint64_t runs = 0;
  Ns cpu = 0;
  Ns gpu = 0;             ///< ns, sum of its GPU activity
  LaunchLatency latency;  ///< of its first activity
};

/// Thresholds for marking outliers; a launch may have several marks.
struct Cutoffs {
  Ns runtime;
  Ns delay;
  bool hta;  ///< HTA does not report slow calls as short kernels

  [[nodiscard]] bool is_slow(const Launch& launch) const { return launch.cpu > runtime; }
  [[nodiscard]] bool is_short(const Launch& launch) const {
    return launch.gpu < launch.cpu && !(hta && is_slow(launch));
  }
  [[nodiscard]] bool is_late(const Launch& launch) const { return launch.latency.from_end > delay; }
  [[nodiscard]] std::string remark(const Launch& launch) const {
    std::string text;
    const auto add = [&](bool is, std::string_view what) {
      if (is) text.append(text.empty() ? "" : ", ").append(what);
    };
    add(is_slow(launch), "slow call");
    add(is_short(launch), "short kernel");
    add(is_late(launch), "late start");
    return text;
  }
  [[nodiscard]] std::string note(bool memory) const {
    return fmt::format(
        "Short kernels: launches{} with GPU activity shorter than the call{}. Slow calls: longer than {}. Late starts: "
        "GPU activity starts more than {} after the call ends.",
        memory ? " (including memcpys and memsets)" : "", hta ? ", except slow calls" : ", including slow calls",
        format_duration(runtime), format_duration(delay));
  }
};

struct Sum {
  std::uint64_t launches = 0;
  std::uint64_t runs = 0;
  std::uint64_t short_kernels = 0;
  std::uint64_t slow_calls = 0;
  std::uint64_t late_runs = 0;
  Ns cpu = 0;
  Ns gpu = 0;
  LaunchLatency latency;

  void add(const Launch& launch, const Cutoffs& cutoffs) {
    ++launches;
    runs += launch.runs;
    short_kernels += cutoffs.is_short(launch);
    slow_calls += cutoffs.is_slow(launch);
    late_runs += cutoffs.is_late(launch);
    cpu = saturating_add(cpu, launch.cpu);
    gpu = saturating_add(gpu, launch.gpu);
    latency.from_start = saturating_add(latency.from_start, launch.latency.from_start);
    latency.from_end = saturating_add(latency.from_end, launch.latency.from_end);
  }
};

/// Location of a launch's GPU activity among the activity of its rank.
struct LaunchPlace {
  Ns call = 0;  ///< start of the call, ns
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Returns the places sorted by start of the call.
std::vector<LaunchPlace> launch_places(const LaunchedRuns& all, std::uint32_t rank, std::span<const GpuRow> rows,
                                       bool hta) {
  std::size_t launches = 0;
  for_each_launch(rows, false, [&](std::span<const GpuRow> of_one) { launches += hta ? of_one.size() : 1; });
  std::vector<LaunchPlace> places;
  places.reserve(launches);
  for_each_launch(rows, false, [&](std::span<const GpuRow> of_one) {
    const auto first = static_cast<std::uint32_t>(of_one.data() - rows.data());
    const auto count = static_cast<std::uint32_t>(of_one.size());
    const Ns call = all.call(rank, of_one.front()).begin;
    // HTA pairs the call with each activity that it launched.
    for (std::uint32_t i = 0; hta && i < count; ++i) places.push_back({call, first + i, 1});
    if (!hta) places.push_back({call, first, count});
  });
  // The input is in slice order and therefore sorted by start within each lane.
  natural_merge_sort(places, [](const LaunchPlace& a, const LaunchPlace& b) {
    return std::pair(a.call, a.first) < std::pair(b.call, b.first);
  });
  return places;
}

Launch launch_of(const LaunchedRuns& all, std::uint32_t rank, std::span<const GpuRow> rows) {
  Launch launch;
  launch.call = all.call(rank, rows.front());
  launch.call_name = all.call_name(rank, rows.front());
  launch.first = &*std::ranges::min_element(rows, {}, [](const GpuRow& row) { return row.time.begin; });
  launch.runs = rows.size();
  launch.cpu = launch.call.length();
  for (const GpuRow& row : rows) launch.gpu = saturating_add(launch.gpu, row.time.length());
  launch.latency = launch_latency(launch.call, launch.first->time.begin);
  return launch;
}

bool is_whole_in(const Scope& scope, std::uint32_t rank, const Launch& launch, std::span<const GpuRow> rows) {
  const auto host = scope.on_host(rank);
  const auto gpu = scope.on_gpu(rank);
  if (host && !is_within(launch.call, *host)) return false;
  return !gpu || std::ranges::all_of(rows, [&](const GpuRow& row) { return is_within(row.time, *gpu); });
}

class Tables {
 public:
  Tables(const AnalysisInput& input, const Cutoffs& cutoffs)
      : profile_(input.profile),
        cutoffs_(cutoffs),
        correlations_(input),
        by_name_(input.profile.names().size()),
        launches_("launches", "Launches", launch_columns(csv_zero(input), correlations_, cutoffs.hta),
                  "rank,correlation,cpu_duration,gpu_duration,launch_delay"),
        by_rank_("launch-summary", "Launches by rank", sum_columns(col::rank, cutoffs.hta)),
        by_kernel_("launches-by-kernel", "Launches by kernel", sum_columns(Column("name", col::kernel), cutoffs.hta)) {}

  void begin_rank(const trace::Rank& rank, const std::vector<GpuRow>& rows) { correlations_.read(rank, rows); }
  void add(const trace::Rank& rank, const Launch& launch) {
    const std::string remark = cutoffs_.remark(launch);
    cells_.assign({rank.number, saturating_difference(launch.call.begin, profile_.span.begin),
                   Cell(profile_.names().view(launch.call_name), *launch.first->launch), launch.cpu, launch.gpu,
                   launch.latency.from_end, launch.latency.from_start, launch.runs,
                   profile_.names().view(launch.first->name), rank.devices[launch.first->device].id,
                   rank.tracks[launch.first->track].id, remark});
    correlations_.append_cell(cells_, launch.first->slice);
    launches_.add_row(cells_);
    of_rank_.add(launch, cutoffs_);
    by_name_[launch.first->name].add(launch, cutoffs_);
  }
  void end_rank(const trace::Rank& rank) {
    if (of_rank_.launches > 0) add_sum(by_rank_, rank.number, of_rank_);
    of_rank_ = {};
  }

  [[nodiscard]] std::vector<Table> take(const std::string& note) && {
    std::vector<NameId> order;
    for (NameId id = 0; id < by_name_.size(); ++id)
      if (by_name_[id].launches > 0) order.push_back(id);
    std::ranges::sort(order, [&](NameId a, NameId b) {
      if (by_name_[a].launches != by_name_[b].launches) return by_name_[a].launches > by_name_[b].launches;
      return profile_.names().view(a) < profile_.names().view(b);
    });
    for (const NameId id : order) add_sum(by_kernel_, profile_.names().view(id), by_name_[id]);
    std::vector<Table> tables;
    for (Table* table : {&launches_, &by_rank_, &by_kernel_}) {
      table->note = joined_notes({note, correlations_.note()});
      tables.push_back(std::move(*table));
    }
    return tables;
  }

  [[nodiscard]] bool empty() const { return launches_.rows() == 0; }

 private:
  /// HTA's column; uses HTA's definition in both modes.
  static Column delay_column(bool hta) {
    return col::us(col::ns(hta ? "launch delay" : std::string(kApiEndToKernelStart)), "launch_delay");
  }
  static Column start_column() {
    return col::us(col::ns(std::string(kApiStartToKernelStart)), "api_start_to_kernel_start");
  }
  static std::vector<Column> launch_columns(Ns zero, const Correlations& correlations, bool hta) {
    std::vector<Column> columns{col::rank,
                                col::begin().csv("ts", 1000, zero),
                                Column("name", col::kernel),
                                col::us(col::ns("CPU duration"), "cpu_duration"),
                                col::us(col::ns("GPU duration"), "gpu_duration"),
                                delay_column(hta),
                                start_column(),
                                col::integer("runs"),
                                Column("first run", col::kernel_names),
                                col::device,
                                col::stream,
                                col::remark};
    correlations.append_column(columns);
    return columns;
  }
  static std::vector<Column> sum_columns(const Column& first, bool hta) {
    return {first,
            col::integer("launches"),
            col::integer("runs"),
            col::integer("short kernels"),
            col::integer("slow calls"),
            col::integer("late runs").labeled("late starts"),
            col::us(col::ns("CPU duration"), "cpu_duration"),
            col::us(col::ns("GPU duration"), "gpu_duration"),
            delay_column(hta),
            start_column()};
  }
  static void add_sum(Table& table, const Cell& first, const Sum& sum) {
    table.add_row({first, sum.launches, sum.runs, sum.short_kernels, sum.slow_calls, sum.late_runs, sum.cpu, sum.gpu,
                   sum.latency.from_end, sum.latency.from_start});
  }

  const trace::Profile& profile_;
  Cutoffs cutoffs_;
  Correlations correlations_;
  std::vector<Cell> cells_;
  Sum of_rank_;
  std::vector<Sum> by_name_;  // name of the activity that started first
  Table launches_;
  Table by_rank_;
  Table by_kernel_;
};

LaunchCalls calls_of(bool hta, bool memory) {
  if (!hta) return LaunchCalls::all;
  return memory ? LaunchCalls::hta_statistics : LaunchCalls::hta_kernel_statistics;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  const bool memory = input.values.flag("include_memory");
  const Cutoffs cutoffs{input.values.duration(kRuntimeCutoff), input.values.duration(kDelayCutoff), choice.hta};
  const LaunchedRuns all(profile, input.scope, choice, calls_of(choice.hta, memory), input.cancel, input.shared);
  Tables tables(input, cutoffs);
  std::uint64_t early = 0;
  for (const std::uint32_t r : all.ranks()) {
    GpuRows::Rows rows = *all.of(r);
    if (cancelled(input.cancel)) break;
    if (!memory && !choice.hta) std::erase_if(rows, [](const GpuRow& row) { return !trace::is_kernel(row.role); });
    tables.begin_rank(*profile.ranks[r], rows);
    for (const LaunchPlace& place : launch_places(all, r, rows, choice.hta)) {
      const auto of_one = std::span<const GpuRow>(rows).subspan(place.first, place.count);
      const Launch launch = launch_of(all, r, of_one);
      if (!is_whole_in(input.scope, r, launch, of_one)) continue;
      tables.add(*profile.ranks[r], launch);
      early += launch.first->time.begin < launch.call.begin;
    }
    tables.end_rank(*profile.ranks[r]);
  }
  std::string said;
  if (tables.empty())
    said = without_launches_note(profile, all.ranks());
  else
    said = cutoffs.note(memory);
  std::string skew;
  if (early == 1) skew = "One launch starts after its GPU activity: the host and device clocks differ.";
  if (early > 1)
    skew = fmt::format("{} launches start after their GPU activity: the host and device clocks differ.",
                       format_count(static_cast<std::int64_t>(early)));
  return std::move(tables).take(
      joined_notes({said, skew, impossible_note(count_impossible(profile, input.scope, kCounted), "slice")}));
}

}  // namespace

extern const Analysis kAnalysis{
    "cuda_kernel_launch_stats", "Kernel launches",
    "For each launch: the duration of the call, the duration of the GPU activity (a whole graph is one launch), and "
    "both launch latencies of the first kernel: API end → kernel start (0 if the kernel starts before the call "
    "returns) and API start → kernel start. A kernel shorter than its call counts as short even if the call was slow. "
    "HTA reports only the first latency, as launch delay. It recognizes only five calls (no driver API, HIP or graph "
    "calls) and does not count short kernels launched by slow calls.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::cuda_kernel_launch_stats
