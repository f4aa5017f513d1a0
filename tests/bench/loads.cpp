#include "tests/bench/loads.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include "tests/bench/printed.hpp"

namespace warpscope::bench {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kFloorFlag = "--floor-of";

// All runs of one subject.
struct Runs {
  std::vector<double> wall, cpu, system, peak, own_peak, resident, columns, floor;
};

Failure run_floor(LoadFigures& figures, Runs& runs) {
  const auto run = run_successfully({.words = {own_program().string(), std::string(kFloorFlag), figures.path.string()},
                                     .environment = {},
                                     .quiet = false});
  if (!run) return run.error();
  const Printed printed(run->output);
  if (!printed.good()) return Error{figures.title, "the floor printed no figures", ""};
  if (std::string why = printed.text("error"); !why.empty()) return Error{figures.title, std::move(why), ""};
  runs.floor.push_back(printed.number("cpu_seconds"));
  figures.text_bytes = printed.number("text_bytes");
  if (const double events = printed.number("events"); figures.events > 0 && events != figures.events)
    return Error{figures.title, fmt::format("the floor found {} events, warpscope {}", events, figures.events), ""};
  return std::nullopt;
}

Failure run_load(LoadFigures& figures, Runs& runs, const std::string& program) {
  const auto run = run_info(figures.path, program);
  if (!run) return run.error();
  const Printed printed(run->output);
  if (!printed.good()) return Error{figures.title, "warpscope info printed no JSON", ""};
  runs.wall.push_back(run->wall_seconds);
  runs.cpu.push_back(run->cpu_seconds());
  runs.system.push_back(run->system_seconds);
  runs.peak.push_back(static_cast<double>(run->peak_bytes));
  runs.own_peak.push_back(printed.number("peak_resident_bytes"));
  runs.resident.push_back(printed.number("resident_bytes"));
  runs.columns.push_back(printed.number("bytes_per_slice"));
  figures.slices = printed.number("slices");
  figures.events = printed.number("events");
  return std::nullopt;
}

void set_medians(LoadFigures& figures, const Runs& runs) {
  figures.wall = median(runs.wall);
  figures.cpu = median(runs.cpu);
  figures.system = median(runs.system);
  figures.peak = median(runs.peak);
  figures.own_peak = median(runs.own_peak);
  figures.resident = median(runs.resident);
  figures.columns = median(runs.columns);
  figures.floor = median(runs.floor);
  if (runs.floor.empty()) figures.text_bytes = figures.plain ? figures.disk_bytes : kNone;
}

LoadFigures begin_figures(const LoadSubject& subject) {
  LoadFigures figures;
  figures.title = subject.title;
  figures.path = subject.path;
  figures.spec = subject.spec;
  figures.disk_bytes = static_cast<double>(disk_bytes(subject.path));
  const std::string extension = subject.path.extension().string();
  figures.plain = subject.spec ? subject.spec->format == "json" : extension == ".json";
  return figures;
}

}  // namespace

Result<ProcessRun> run_info(const std::filesystem::path& path, const std::string& program) {
  const TemporaryFolder folder;
  return run_successfully(
      {.words = {program, "info", path.string(), "--json"}, .environment = fresh_user(folder), .quiet = false});
}

std::vector<LoadFigures> measure_loads(const LoadPlan& plan, const Options& options) {
  std::vector<LoadFigures> loads;
  for (const LoadSubject& subject : plan.subjects) {
    loads.push_back(begin_figures(subject));
    warm(subject.path);
  }
  std::vector<Runs> runs(loads.size());
  for (int round = 0; round < options.runs; ++round) {
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (!loads[i].trouble.empty()) continue;
      fmt::print(stderr, "bench: run {} of {}, {}\n", round + 1, options.runs, loads[i].title);
      Failure failure = run_load(loads[i], runs[i], options.program);
      if (!failure && round < plan.floor_runs) failure = run_floor(loads[i], runs[i]);
      if (failure) loads[i].trouble = failure->what;
    }
  }
  for (std::size_t i = 0; i < loads.size(); ++i) set_medians(loads[i], runs[i]);
  return loads;
}

std::optional<int> run_as_floor_child(int argc, char** argv) {
  if (argc != 3 || argv[1] != kFloorFlag) return std::nullopt;
  const auto figures = measure_floor(argv[2]);
  if (!figures) {
    fmt::print("{}", printed_error(figures.error().what));
    return EXIT_SUCCESS;
  }
  fmt::print("{{\"text_bytes\": {}, \"events\": {}, \"cpu_seconds\": {}, \"wall_seconds\": {}}}\n", figures->text_bytes,
             figures->events, figures->cpu_seconds, figures->wall_seconds);
  return EXIT_SUCCESS;
}

Table time_table(const std::vector<LoadFigures>& loads) {
  Table table("load-time", "Time of a load",
              {{"trace", "", ColumnKind::text},
               {"text", "", ColumnKind::bytes},
               {"slices", "", ColumnKind::integer},
               {"wall", "", ColumnKind::duration},
               {"CPU", "", ColumnKind::duration},
               {"system", "", ColumnKind::duration},
               {"MB/s", "", ColumnKind::real},
               {"M slices/s", "", ColumnKind::real}});
  for (const LoadFigures& load : loads)
    table.add_row({load.title, bytes_cell(load.text_bytes), bytes_cell(load.slices), duration_cell(load.wall),
                   duration_cell(load.cpu), duration_cell(load.system), 1e-6 * load.text_bytes / load.wall,
                   1e-6 * load.slices / load.wall});
  return table;
}

Table floor_table(const std::vector<LoadFigures>& loads) {
  Table table("load-floor", "Against the floor: a bare simdjson pass over the same (inflated) text, one thread",
              {{"trace", "", ColumnKind::text},
               {"floor", "", ColumnKind::duration},
               {"floor GB/s", "", ColumnKind::real},
               {"CPU : floor", "", ColumnKind::real},
               {"wall : floor", "", ColumnKind::real},
               {"wall : CPU", "", ColumnKind::real}});
  for (const LoadFigures& load : loads)
    table.add_row({load.title, duration_cell(load.floor), 1e-9 * load.text_bytes / load.floor, load.cpu_to_floor(),
                   load.wall / load.floor, load.wall_to_cpu()});
  return table;
}

Table memory_table(const std::vector<LoadFigures>& loads) {
  Table table("load-memory",
              "Resident memory: peak (own: as the program reports it), after the load, and bytes a slice",
              {{"trace", "", ColumnKind::text},
               {"disk", "", ColumnKind::bytes},
               {"peak", "", ColumnKind::bytes},
               {"own", "", ColumnKind::bytes},
               {"after", "", ColumnKind::bytes},
               {"peak/slice", "", ColumnKind::real},
               {"after/slice", "", ColumnKind::real},
               {"columns", "B", ColumnKind::real}});
  for (const LoadFigures& load : loads)
    table.add_row({load.title, bytes_cell(load.disk_bytes), bytes_cell(load.peak), bytes_cell(load.own_peak),
                   bytes_cell(load.resident), load.peak_per_slice(), load.resident_per_slice(), load.columns});
  return table;
}

void add_generated(LoadPlan& plan, const std::vector<TraceSpec>& specs, const Options& options, Report& report) {
  for (const TraceSpec& spec : specs) {
    const auto path = make_trace(spec, options.generator);
    if (path)
      plan.subjects.push_back({spec.title(), *path, spec});
    else
      report.notes.push_back("left out: " + path.error().message());
  }
}

}  // namespace warpscope::bench
