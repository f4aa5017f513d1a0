// bench_python [PATH]: measures how long the Python package takes to get a million rows of GPU activity as a DataFrame,
// from a stored profile, and how much memory Python needs for it.
#include <array>
#include <string>

#include "tests/bench/options.hpp"
#include "tests/bench/printed.hpp"
#include "tests/bench/traces.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;

constexpr double kMostSeconds = 1.5;
constexpr double kMostMemory = 3;  // times the data

struct Query {
  const char* title;
  const char* sql;
  bool required = false;
};
constexpr std::array<Query, 3> kQueries{{
    {"all columns", "SELECT * FROM gpu_activity LIMIT 1000000", true},
    {"four columns", "SELECT rank, name, start, dur FROM gpu_activity LIMIT 1000000"},
    {"grouped", "SELECT name, count(*) AS count, sum(dur) AS time FROM gpu_activity GROUP BY name"},
}};

/// The system's Python, which has the distribution's pandas, or the one on the PATH.
std::string python() {
  const std::string own = "/usr/bin/python3";
  const auto has = run_process({.words = {own, "-c", "import pandas"}, .environment = {}, .quiet = true});
  return has && has->status == 0 ? own : "python3";
}

Failure measure(const std::string& path, const Options& options, Report& report) {
  Table table("frames", "Frames",
              {{"query", "", ColumnKind::text},
               {"rows", "", ColumnKind::integer},
               {"median", "", ColumnKind::duration},
               {"frame", "", ColumnKind::bytes},
               {"peak of Python", "", ColumnKind::bytes}});
  const TemporaryFolder user;
  for (const Query& query : kQueries) {
    auto environment = fresh_user(user);
    environment.emplace_back("WARPSCOPE", options.program);
    const auto run =
        run_successfully({.words = {python(), "-B", WARPSCOPE_SOURCE_DIR "/tests/bench/python_frame.py",
                                    WARPSCOPE_SOURCE_DIR "/python", path, query.sql, std::to_string(options.runs)},
                          .environment = environment,
                          .quiet = false});
    if (!run) return run.error();
    const Printed printed(run->output);
    if (std::string why = printed.text("error"); !why.empty()) return Error{"python", why, ""};
    const double seconds = printed.number("median_seconds");
    const double bytes = printed.number("frame_bytes");
    const double peak = printed.number("peak_bytes");
    table.add_row({query.title, static_cast<std::int64_t>(printed.number("rows")), duration_cell(seconds),
                   bytes_cell(bytes), bytes_cell(peak)});
    if (!query.required) continue;
    report.requirements.push_back({"a million rows in a DataFrame", seconds, kMostSeconds, "s"});
    report.requirements.push_back({"Python's peak memory, to the data", peak / bytes, kMostMemory, "×"});
  }
  report.tables.push_back(std::move(table));
  return {};
}

int run(int argc, char** argv) {
  Options options;
  std::string path;
  CommandLine line("Measures queries of the Python package, from a stored profile.", options);
  line.add("PATH", path, "Traces to query instead of generated ones with a million GPU activities");
  if (const auto status = line.parse(argc, argv)) return *status;
  Report report{.name = "python", .title = "Queries of the Python package", .runs = options.runs};
  if (path.empty()) {
    const auto made = make_trace({.slices = 6'500'000, .ranks = 8}, options.generator);
    if (!made) return report.notes.push_back(made.error().message()), finish(report, options);
    path = made->string();
  }
  if (const Failure failure = measure(path, options, report)) report.notes.push_back(failure->message());
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&] { return run(argc, argv); });
}
