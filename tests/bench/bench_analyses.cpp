// bench_analyses [PATH]: measures each analysis in CPU time per million slices and in memory beyond the loaded profile.
// Uses 8 generated ranks with 216 000 events each, or a given trace. As in a report, the analyses run one after another
// and share results; the first one to need a result is charged for it. Analyses that compare two profiles compare the
// trace with itself.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <exception>
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
constexpr double kMemoryOfGraphs = 3;
constexpr std::array<std::string_view, 2> kGraphs{"call_graph", "critical_path"};

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

// Child process: loads, runs every analysis once, prints measurements.
int measure(const std::string& path) {
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
  std::uint64_t slices = 0;
  for (const auto& rank : profile->ranks) slices += rank->lane_start.back();
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("slices", slices);
  analysis::SharedResults shared(*profile);
  for (const analysis::Analysis& each : analysis::analyses()) {
    const std::string name(each.name);
    const std::vector<analysis::Setting> settings = settings_of(each);
    give_memory_back();
    const std::uint64_t before = process_memory().resident;
    forget_peak();
    const double began = cpu_seconds();
    const auto tables = analysis::run_analysis(each, *profile, {}, settings, nullptr, profile.get(), nullptr, &shared);
    json.member("cpu " + name, cpu_seconds() - began);
    json.member("memory " + name, static_cast<double>(process_memory().peak) / static_cast<double>(before));
    std::uint64_t rows = 0;
    if (tables)
      for (const Table& table : *tables) rows += table.rows();
    json.member("rows " + name, rows);
  }
  json.end_object();
  fmt::print("{}", out);
  return 0;
}

int run(int argc, char** argv) {
  Options options;
  std::string path;
  CommandLine line("Measures what each analysis costs: CPU time a million slices, and memory over the loaded profile.",
                   options);
  line.add("PATH", path, "A trace to analyse instead of the generated one");
  if (const auto status = line.parse(argc, argv)) return *status;

  Report report{.name = "analyses",
                .title = "Every analysis with its defaults, over all of a loaded profile",
                .runs = options.runs};
  if (path.empty()) {
    const auto made =
        make_trace({.slices = kRanks * kEventsOfRank, .shapes = true, .ranks = kRanks}, options.generator);
    if (!made) {
      fmt::print(stderr, "bench: {}\n", made.error().message());
      return 2;
    }
    path = made->string();
  }
  std::vector<Printed> runs;
  for (int i = 0; i < options.runs; ++i) {
    const auto child = run_successfully(
        {.words = {own_program().string(), std::string(kMeasureFlag), path}, .environment = {}, .quiet = false});
    if (!child) {
      report.notes.push_back(child.error().message());
      continue;
    }
    runs.emplace_back(child->output);
    if (const std::string why = runs.back().text("error"); !why.empty()) report.notes.push_back(why);
  }
  const auto of = [&](const std::string& key) {
    std::vector<double> values;
    for (const Printed& each : runs) values.push_back(each.number(key));
    return median(std::move(values));
  };
  const double millions = of("slices") / 1e6;
  Table table("analyses", fmt::format("Of {:.2f} million slices", millions),
              {{"analysis", "", ColumnKind::text},
               {"CPU", "ms", ColumnKind::real},
               {"CPU a million", "ms", ColumnKind::real},
               {"memory", "× profile", ColumnKind::real},
               {"rows", "", ColumnKind::integer}});
  double together = 0;
  for (const analysis::Analysis& each : analysis::analyses()) {
    const std::string name(each.name);
    const double seconds = of("cpu " + name);
    const double memory = of("memory " + name);
    const bool reads = std::ranges::find(kReaders, each.name) != kReaders.end();
    if (!reads) together += seconds;
    table.add_row({name, 1e3 * seconds, 1e3 * seconds / millions, memory, bytes_cell(of("rows " + name))});
    const double limit = std::ranges::find(kGraphs, each.name) == kGraphs.end() ? kMemory : kMemoryOfGraphs;
    report.requirements.push_back(
        {name + ": CPU a million slices", seconds / millions, reads ? kReading : kSingle, "s"});
    report.requirements.push_back({name + ": memory : profile", memory, limit, "×"});
  }
  report.tables.push_back(std::move(table));
  report.requirements.push_back({"all others together: CPU a million slices", together / millions, kTogether, "s"});
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && argv[1] == kMeasureFlag) return measure(argv[2]);
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 2;
  }
}
