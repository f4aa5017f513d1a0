// bench_analyses [PATH]: measures each analysis in CPU time per million slices and in memory beyond the loaded profile.
// Uses 8 generated ranks with 216 000 events each, or a given trace. As in a report, the analyses run one after another
// and share results; the first one to need a result is charged for it. Analyses that compare two profiles compare the
// trace with itself. Then it makes PyTorch's tables, each alone, of one generated rank with Python stacks 40 deep.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "core/analysis/request/registry.hpp"
#include "core/base/heap.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/process_memory.hpp"
#include "core/ingest/load/loader.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/printed.hpp"
#include "tests/bench/traces.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;

constexpr std::string_view kMeasureFlag = "--measure";
constexpr std::string_view kTablesFlag = "--measure-tables";
constexpr int kRanks = 8;
constexpr std::uint64_t kEventsOfRank = 216'000;
// Limits: CPU seconds per million slices; peak memory during the analyses, relative to memory after the load.
constexpr double kTogether = 1;
constexpr double kSingle = 0.25;
constexpr double kMemory = 1.5;
// These read the arguments of events again from the text, which takes most of their time; not part of the sum.
constexpr double kReading = 1;
constexpr std::array<std::string_view, 5> kReaders{"step_overview", "allocations", "kernels", "operators",
                                                   "efficiency"};
// It replays the job a dozen times; not part of the sum.
constexpr std::string_view kReplays = "what_if";
constexpr double kMemoryOfGraphs = 3;
constexpr std::array<std::string_view, 2> kGraphs{"call_graph", "critical_path"};

/// A table of PyTorch's profiler, with a parameter that changes what it reads.
struct PytorchTable {
  std::string_view analysis;
  std::string_view parameter = "";
  std::string_view value = "";

  [[nodiscard]] std::string name() const {
    return parameter.empty() ? std::string(analysis) : fmt::format("{} {}={}", analysis, parameter, value);
  }
};
constexpr double kPytorchTable = 1;
constexpr std::uint64_t kDeepSlices = 1'000'000;
constexpr int kPythonDepth = 40;
constexpr std::array kPytorchTables{PytorchTable{"operators"},
                                    PytorchTable{"operators", "group", "shape"},
                                    PytorchTable{"operators", "group", "stack:5"},
                                    PytorchTable{"operators", "group", "module"},
                                    PytorchTable{"kernels"},
                                    PytorchTable{"kernels", "group", "launch"},
                                    PytorchTable{"modules"},
                                    PytorchTable{"call_tree"},
                                    PytorchTable{"call_tree", "stack", "python"},
                                    PytorchTable{"call_tree", "direction", "callers"},
                                    PytorchTable{"step_overview"},
                                    PytorchTable{"allocations"},
                                    PytorchTable{"efficiency"},
                                    PytorchTable{"pivot"},
                                    PytorchTable{"pivot", "rows", "shape"},
                                    PytorchTable{"pivot", "rows", "module"}};

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Resets the kernel's peak memory counter.
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

// Returns values for parameters without a general default.
std::vector<analysis::Setting> settings_of(const analysis::Analysis& each) {
  if (each.name == "annotation_histogram") return {{"name", "step"}};
  return {};
}

std::uint64_t slices_of(const trace::Profile& profile) {
  std::uint64_t slices = 0;
  for (const auto& rank : profile.ranks) slices += rank->lane_start.back();
  return slices;
}

void measure_all(const trace::Profile& profile, JsonWriter& json) {
  analysis::SharedResults shared(profile);
  for (const analysis::Analysis& each : analysis::analyses()) {
    const std::string name(each.name);
    const std::vector<analysis::Setting> settings = settings_of(each);
    give_memory_back();
    const std::uint64_t before = process_memory().resident;
    forget_peak();
    const double began = cpu_seconds();
    const auto tables = analysis::run_analysis(each, profile, {}, settings, nullptr, &profile, nullptr, &shared);
    json.member("cpu " + name, cpu_seconds() - began);
    json.member("memory " + name, static_cast<double>(process_memory().peak) / static_cast<double>(before));
    std::uint64_t rows = 0;
    if (tables)
      for (const Table& table : *tables) rows += table.rows();
    json.member("rows " + name, rows);
  }
}

void measure_tables(const trace::Profile& profile, JsonWriter& json) {
  for (const PytorchTable& each : kPytorchTables) {
    std::vector<analysis::Setting> settings;
    if (!each.parameter.empty()) settings.emplace_back(each.parameter, each.value);
    analysis::SharedResults shared(profile);
    const double began = cpu_seconds();
    const auto tables = analysis::run_analysis(*analysis::find_analysis(each.analysis), profile, {}, settings, nullptr,
                                               nullptr, nullptr, &shared);
    json.member("cpu " + each.name(), cpu_seconds() - began);
    json.member("rows " + each.name(), static_cast<std::uint64_t>(tables ? tables->front().rows() : 0));
  }
}

// Child process: loads, measures, prints measurements.
int measure(std::string_view flag, const std::string& path) {
  share_one_heap();
  ingest::LoadOptions options;
  options.store.use = false;
  options.store.keep = false;
  ingest::Loader loader(path, options);
  loader.wait();
  if (const Failure failure = loader.failure()) {
    fmt::print("{}", printed_error(failure->what));
    return 0;
  }
  const std::shared_ptr<const trace::Profile> profile = loader.profile();
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("slices", slices_of(*profile));
  if (flag == kMeasureFlag)
    measure_all(*profile, json);
  else
    measure_tables(*profile, json);
  json.end_object();
  fmt::print("{}", out);
  return 0;
}

/// Medians of what several child processes measured.
class Measured {
 public:
  Measured(std::string_view flag, const std::string& path, Report& report) {
    for (int i = 0; i < report.runs; ++i) {
      const auto child = run_successfully(
          {.words = {own_program().string(), std::string(flag), path}, .environment = {}, .quiet = false});
      if (!child) {
        report.notes.push_back(child.error().message());
        continue;
      }
      runs_.emplace_back(child->output);
      if (const std::string why = runs_.back().text("error"); !why.empty()) report.notes.push_back(why);
    }
  }
  [[nodiscard]] double of(const std::string& key) const {
    std::vector<double> values;
    for (const Printed& each : runs_) values.push_back(each.number(key));
    return median(std::move(values));
  }

 private:
  std::vector<Printed> runs_;
};

void add_analyses(Report& report, const std::string& path) {
  const Measured measured(kMeasureFlag, path, report);
  const double millions = measured.of("slices") / 1e6;
  Table table("analyses", fmt::format("Of {:.2f} million slices", millions),
              {{"analysis", "", ColumnKind::text},
               {"CPU", "ms", ColumnKind::real},
               {"CPU a million", "ms", ColumnKind::real},
               {"memory", "× profile", ColumnKind::real},
               {"rows", "", ColumnKind::integer}});
  double together = 0;
  for (const analysis::Analysis& each : analysis::analyses()) {
    const std::string name(each.name);
    const double seconds = measured.of("cpu " + name);
    const double memory = measured.of("memory " + name);
    const bool reads = std::ranges::find(kReaders, each.name) != kReaders.end();
    if (!reads && each.name != kReplays) together += seconds;
    table.add_row({name, 1e3 * seconds, 1e3 * seconds / millions, memory, bytes_cell(measured.of("rows " + name))});
    const double limit = std::ranges::find(kGraphs, each.name) == kGraphs.end() ? kMemory : kMemoryOfGraphs;
    report.requirements.push_back(
        {name + ": CPU a million slices", seconds / millions, reads ? kReading : kSingle, "s"});
    report.requirements.push_back({name + ": memory : profile", memory, limit, "×"});
  }
  report.tables.push_back(std::move(table));
  report.requirements.push_back({"all others together: CPU a million slices", together / millions, kTogether, "s"});
}

void add_pytorch_tables(Report& report, const std::string& path) {
  const Measured measured(kTablesFlag, path, report);
  const double millions = measured.of("slices") / 1e6;
  Table table("pytorch-tables", fmt::format("PyTorch's tables, each alone, of {:.2f} million slices", millions),
              {{"table", "", ColumnKind::text},
               {"CPU", "ms", ColumnKind::real},
               {"CPU a million", "ms", ColumnKind::real},
               {"rows", "", ColumnKind::integer}});
  for (const PytorchTable& each : kPytorchTables) {
    const std::string name = each.name();
    const double seconds = measured.of("cpu " + name);
    table.add_row({name, 1e3 * seconds, 1e3 * seconds / millions, bytes_cell(measured.of("rows " + name))});
    report.requirements.push_back({name + ", alone: CPU a million slices", seconds / millions, kPytorchTable, "s"});
  }
  report.tables.push_back(std::move(table));
}

int run(int argc, char** argv) {
  Options options;
  std::string path;
  CommandLine line("Measures what each analysis costs: CPU time a million slices, and memory over the loaded profile.",
                   options);
  line.add("PATH", path, "A trace to analyse instead of the generated ones");
  if (const auto status = line.parse(argc, argv)) return *status;

  Report report{.name = "analyses",
                .title = "Every analysis with its defaults, over all of a loaded profile",
                .runs = options.runs};
  const auto made = [&](const TraceSpec& spec) -> Result<std::string> {
    if (!path.empty()) return path;
    const auto trace = make_trace(spec, options.generator);
    if (!trace) return trace.error();
    return trace->string();
  };
  const auto all = made({.slices = kRanks * kEventsOfRank, .shapes = true, .ranks = kRanks});
  const auto deep = made({.slices = kDeepSlices, .shapes = true, .python_depth = kPythonDepth, .ranks = 1});
  for (const auto& trace : {&all, &deep}) {
    if (*trace) continue;
    fmt::print(stderr, "bench: {}\n", trace->error().message());
    return 2;
  }
  add_analyses(report, *all);
  add_pytorch_tables(report, *deep);
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&]() -> int {
    if (argc == 3 && (argv[1] == kMeasureFlag || argv[1] == kTablesFlag)) return measure(argv[1], argv[2]);
    return run(argc, argv);
  });
}
