// `warpscope sql`: formats, sources of the query, errors and the exported file.
#include <string>

#include "core/sql/export.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("sql prints the result as text, CSV, Markdown or records", "[cli]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()), "job");
  const std::string path = folder.path() / "job";
  const std::string query = "SELECT rank, node, NULL AS empty FROM rank ORDER BY rank";
  const Outcome text = run({"sql", path, query, "--no-store"});
  CHECK(text.status == cli::kDone);
  CHECK(contains(text.out, "rank  node    empty\n"));
  CHECK(contains(text.out, "\n   1  algo-1"));
  CHECK(run({"sql", path, query, "--csv"}).out == "rank,node,empty\r\n0,algo-1,\r\n1,algo-1,\r\n");
  CHECK(contains(run({"sql", path, query, "--md"}).out, "| 1 | algo-1 |"));
  const std::string records = run({"sql", path, query, "--json"}).out;
  CHECK(contains(records, "\"schema\": 2"));
  CHECK(contains(records, R"({"rank": 1, "node": "algo-1", "empty": null})"));
  const Outcome arrays = run({"sql", path, query, "--npz"});
  CHECK(arrays.status == cli::kDone);
  CHECK(arrays.out.starts_with("PK\3\4"));
  for (const char* const name : {"rank.npy", "node.npy", "node.utf8.npy", "node.ends.npy", "empty.npy"})
    CHECK(contains(arrays.out, name));
  CHECK(run({"sql", path, query, "--npz", "--csv"}).status == cli::kUsage);
  const std::string file = folder.write("query.sql", "-- comment\nSELECT 1;\nSELECT 6 * 7 AS answer;\n").string();
  CHECK(run({"sql", path, "-f", file, "--csv"}).out == "answer\r\n42\r\n");

  CHECK(contains(run({"sql", path, ".tables", "--csv"}).out, "\r\nrank,Ranks: one per trace\r\n"));
  const std::string schema = run({"sql", path, ".schema late_ranks", "--csv"}).out;
  CHECK(contains(schema, "wait_caused_per_step_ns,INTEGER,ns"));
  CHECK(contains(schema, "scope_ranks,parameter"));
  CHECK(contains(run({"sql", path, ".help"}).out, ".schema NAME"));
  for (const std::string refused : {".tabels", ".schema nowhere"})
    CHECK(run({"sql", path, refused}).status == cli::kUsage);

  for (const std::string refused : {"SELECT * FROM nowhere", "ATTACH 'x' AS x", "SELECT * FROM late_ranks('wrong')"}) {
    const Outcome failed = run({"sql", path, refused});
    INFO(failed.err);
    CHECK(failed.status == cli::kUsage);
    CHECK(failed.out.empty());
    CHECK(contains(failed.err, "warpscope: query"));
  }
  CHECK(run({"sql", path, query, "-f", file}).status == cli::kUsage);
  CHECK(run({"sql", path, "-f", "nowhere.sql"}).status == cli::kUsage);
}

TEST_CASE("sql --export replaces only files that it wrote", "[cli]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()), "job");
  const std::string path = folder.path() / "job";
  const std::string file = folder.path() / "job.db";
  for (int i = 0; i < 2; ++i) CHECK(run({"sql", path, "--export", file}).status == cli::kDone);
  CHECK(sql::is_export(file));
  const std::string notes = folder.write("notes.db", "SQLite format 3, or not").string();
  CHECK(run({"sql", path, "--export", notes}).status == cli::kUsage);
  CHECK(read_whole(notes) == "SQLite format 3, or not");
  CHECK(run({"sql", path, "SELECT 1", "--export", file}).status == cli::kUsage);
}
