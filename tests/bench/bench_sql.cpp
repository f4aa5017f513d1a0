// bench_sql [FILE…]: measures queries on a loaded profile, beside the same queries on its export, an ordinary SQLite
// file in the page cache. Both run through the same connection.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>

#include "core/ingest/load/loader.hpp"
#include "core/sql/database.hpp"
#include "core/sql/export.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/traces.hpp"
#include "tests/test_folder.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;

struct Question {
  std::string_view title;
  std::string_view sql;  ///< tables are in {}: "main" or "export"
  double most = 1;       ///< times the exported file; 0: no requirement
  double most_ms = 0;    ///< 0: no requirement
};

constexpr std::array<Question, 5> kQuestions{{
    {"group by name", "SELECT name, count(*), sum(dur) FROM {0}.slice GROUP BY name"},
    {"top 100 by duration", "SELECT id, name, dur FROM {0}.slice ORDER BY dur DESC LIMIT 100"},
    {"window of 1 ms",
     "SELECT id, name, start, dur FROM {0}.slice WHERE rank = 0 AND start >= {1} AND start < {1} + 1000000", 1, 1},
    {"activity with its launch",
     "SELECT count(*), sum(g.start - s.start) FROM {0}.gpu_activity g JOIN {0}.slice s ON s.id = g.launch"},
    {"arg() of 1,000 slices",
     "SELECT count(arg(id, 'correlation')) FROM (SELECT id FROM {0}.slice WHERE category = 'kernel' LIMIT 1000)", 0},
}};

/// Returns the median time of a query in seconds; NaN if it fails.
double time_of(sql::Database& database, const std::string& query, int runs, Report& report) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const auto began = std::chrono::steady_clock::now();
    const auto result = database.run(query);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    if (result) continue;
    report.notes.push_back(query + ": " + result.error().message());
    return std::numeric_limits<double>::quiet_NaN();
  }
  return median(seconds);
}

Failure measure(const std::string& path, Report& report) {
  ingest::Loader loader(path, {});
  loader.wait();
  if (Failure failure = loader.failure()) return failure;
  const auto profile = loader.profile();
  auto database = sql::Database::open(profile, {.events = loader.events().get()});
  if (!database) return database.error();
  const tests::TestFolder folder;
  const std::string file = folder.path() / "job.db";
  Progress progress;
  const auto began = std::chrono::steady_clock::now();
  if (Failure failure = sql::export_tables(**database, file, CancelToken(), progress)) return failure;
  report.notes.push_back(fmt::format("export: {:.1f} s, {:.0f} MB",
                                     std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
                                     static_cast<double>(std::filesystem::file_size(file)) / 1e6));
  (*database)->trust(true);
  if (const auto attached =
          (*database)->run(fmt::format("ATTACH '{}' AS export; PRAGMA export.cache_size = -300000", file));
      !attached)
    return attached.error();
  Table table("queries", "Queries",
              {{"query", "", ColumnKind::text},
               {"tables", "", ColumnKind::duration},
               {"exported file", "", ColumnKind::duration},
               {"ratio", "×", ColumnKind::real}});
  const Ns middle = profile->span.length() / 2;
  for (const Question& each : kQuestions) {
    const double own = time_of(**database, fmt::format(fmt::runtime(each.sql), "main", middle), report.runs, report);
    const double other =
        time_of(**database, fmt::format(fmt::runtime(each.sql), "export", middle), report.runs, report);
    table.add_row({each.title, duration_cell(own), duration_cell(other), own / other});
    if (each.most > 0)
      report.requirements.push_back({fmt::format("{}: to the file", each.title), own / other, each.most, "×"});
    if (each.most_ms > 0) report.requirements.push_back({std::string(each.title), 1e3 * own, each.most_ms, "ms"});
  }
  report.tables.push_back(std::move(table));
  return {};
}

int run(int argc, char** argv) {
  Options options;
  std::vector<std::string> files;
  CommandLine line("Measures SQL on a profile and on its exported file.", options);
  line.add("FILE", files, "Traces to query instead of a generated one of 5 million slices");
  if (const auto status = line.parse(argc, argv)) return *status;
  Report report{.name = "sql", .title = "SQL on a profile and on its export", .runs = options.runs};
  if (files.empty()) {
    const auto path = make_trace({.slices = 5'000'000, .shapes = true}, options.generator);
    if (!path) return report.notes.push_back(path.error().message()), finish(report, options);
    files.push_back(path->string());
  }
  for (const std::string& file : files)
    if (const Failure failure = measure(file, report)) report.notes.push_back(failure->message());
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&] { return run(argc, argv); });
}
