// bench_sql [FILE…]: measures queries on a loaded profile, beside the same queries on its export, an ordinary SQLite
// file in the page cache. Both run through the same connection. If Perfetto's trace_processor_shell is on the PATH, it
// answers the same questions about single files. Its time without the load is the difference to a query for nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "core/ingest/load/loader.hpp"
#include "core/sql/database.hpp"
#include "core/sql/export.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/peers.hpp"
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
  std::string_view perfetto{};
};

constexpr std::array<Question, 5> kQuestions{{
    {"group by name", "SELECT name, count(*), sum(dur) FROM {0}.slice GROUP BY name", 1, 0,
     "SELECT name, count(*), sum(dur) FROM slice GROUP BY name;"},
    {"top 100 by duration", "SELECT id, name, dur FROM {0}.slice ORDER BY dur DESC LIMIT 100", 1, 0,
     "SELECT id, name, dur FROM slice ORDER BY dur DESC LIMIT 100;"},
    {"window of 1 ms",
     "SELECT id, name, start, dur FROM {0}.slice WHERE rank = 0 AND start >= {1} AND start < {1} + 1000000", 1, 1,
     "SELECT id, name, ts, dur FROM slice, (SELECT (min(ts) + max(ts)) / 2 AS t FROM slice) "
     "WHERE ts >= t AND ts < t + 1000000;"},
    {"activity with its launch",
     "SELECT count(*), sum(g.start - s.start) FROM {0}.gpu_activity g JOIN {0}.slice s ON s.id = g.launch", 1, 0,
     "SELECT count(*), sum(g.ts - s.ts) FROM flow f JOIN slice s ON s.id = f.slice_out JOIN slice g ON g.id = "
     "f.slice_in;"},
    {"arg() of 1,000 slices",
     "SELECT count(arg(id, 'correlation')) FROM (SELECT id FROM {0}.slice WHERE category = 'kernel' LIMIT 1000)", 0, 0,
     "SELECT count(extract_arg(arg_set_id, 'args.correlation')) FROM "
     "(SELECT arg_set_id FROM slice WHERE category = 'kernel' LIMIT 1000);"},
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

/// Seconds of Perfetto, with the load; NaN if it fails. Each run is a process.
double perfetto_time(const Peer& peer, const std::string& path, std::string_view query, int runs, Report& report) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const auto result = run_peer(peer, path, query);
    if (!result) {
      report.notes.push_back(result.error().message());
      return std::numeric_limits<double>::quiet_NaN();
    }
    seconds.push_back(result->wall_seconds);
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
               {"ratio", "×", ColumnKind::real},
               {"trace_processor_shell", "", ColumnKind::duration},
               {"with load", "", ColumnKind::duration}});
  Peers peers = find_peers();
  std::erase_if(peers.there, [&](const Peer& peer) {
    return peer.kind != PeerKind::perfetto || std::filesystem::is_directory(path) || !can_read(peer, path);
  });
  if (peers.there.empty())
    report.notes.emplace_back("skipped: trace_processor_shell, which is not there or cannot read this");
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const double load =
      peers.there.empty() ? unknown : perfetto_time(peers.there.front(), path, "SELECT 1;", report.runs, report);
  const Ns middle = profile->span.length() / 2;
  for (const Question& each : kQuestions) {
    const double own = time_of(**database, fmt::format(fmt::runtime(each.sql), "main", middle), report.runs, report);
    const double other =
        time_of(**database, fmt::format(fmt::runtime(each.sql), "export", middle), report.runs, report);
    const double peer =
        peers.there.empty() ? unknown : perfetto_time(peers.there.front(), path, each.perfetto, report.runs, report);
    table.add_row({each.title, duration_cell(own), duration_cell(other), own / other,
                   duration_cell(std::max(peer - load, 0.0)), duration_cell(peer)});
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
