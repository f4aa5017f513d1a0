// docs/json-schema.json describes what --json prints; `./dev docs` writes it. Documents of other jobs must satisfy it.
#include "tests/app/cli/json_schema.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "core/analysis/request/registry.hpp"
#include "core/base/table_writers.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string json_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "--no-store"});
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.status == cli::kDone);
  return outcome.out;
}

struct Schemas {
  JsonSchema info;
  JsonSchema rules{{"schema", "summary", "window", "account", "findings", "rules", "notes"}};
  JsonSchema analyze;
  JsonSchema diff;
  JsonSchema sql;
};

/// A job with an imbalance, loader waits and a slow rank, so that findings have all members.
tracegen::Options faulty_job() {
  tracegen::Options options = small_job(4);
  options.steps = 6;
  options.faults = {*tracegen::parse_fault("slow-kernels@1=1.5"), *tracegen::parse_fault("data-loader@0=5")};
  return options;
}

Schemas schemas() {
  Schemas all;
  const TestFolder small;
  write_set(small, tracegen::generate_in_memory(small_job()));
  const TestFolder faulty;
  write_set(faulty, tracegen::generate_in_memory(faulty_job()));
  const TestFolder damaged;
  damaged.write("trace.json", R"({"schemaVersion": 1, "traceEvents": [{"ph":"X","cat":"kernel","name":"k","pid":0,)"
                              R"("tid":7,"ts":1,"dur":5,"args":{"device":0,"stream":7}}, {"ph":"X",)");
  for (const TestFolder* each : {&small, &faulty, &damaged}) {
    all.info.learn(json_of({"info", each->path()}));
    all.rules.learn(json_of({"rules", each->path()}));
  }
  const auto profile = load(small.path());
  for (const analysis::Analysis& each : analysis::analyses()) {
    if (each.compares) continue;
    const auto tables = analysis::run_analysis(each, *profile, {.ranks = {}, .range = {}, .evaluated_only = true}, {});
    if (!tables) continue;
    for (const NamedTable& table : named_tables(each.name, *tables)) all.analyze.declare(table.name, *table.table);
  }
  all.analyze.learn(json_of({"analyze", "kernels", small.path()}));
  all.diff.learn(json_of({"diff", small.path(), faulty.path()}));
  all.sql.learn(R"({"schema": 2, "rows": [{}]})");
  return all;
}

std::string document(const Schemas& all) {
  std::string out = R"({
"$schema": "https://json-schema.org/draft/2020-12/schema",
"title": "What warpscope COMMAND --json prints, by command",
"$defs": {
)";
  out += fmt::format("\"info\": {},\n\n\"rules\": {},\n\n\"analyze\": {},\n\n\"diff\": {},\n\n\"sql\": {}\n}}\n}}\n",
                     all.info.text(""), all.rules.text(""), all.analyze.text(""), all.diff.text(""), all.sql.text(""));
  return out;
}

}  // namespace

TEST_CASE("docs/json-schema.json describes the JSON of every command", "[docs]") {
  const Schemas all = schemas();
  const std::filesystem::path file = source_dir() / "docs" / "json-schema.json";
  const std::string expected = document(all);
  if (std::getenv("WARPSCOPE_WRITE_DOCS") != nullptr) std::ofstream(file) << expected;
  INFO("run ./dev docs to regenerate docs/json-schema.json");
  CHECK(read_whole(file) == expected);

  CHECK(all.info.problem(R"({"schema": 2, "rank": 1})") == ".rank is not declared");
  CHECK(all.info.problem(R"({"schema": "2"})") == ".schema is string, not integer");
  const auto shared = shared_dir();
  if (!shared) return;
  for (const char* name : {"mi300_qwen", "malformed", "sagemaker", "cpu_only"}) {
    INFO(name);
    const std::string path = (*shared / "traces" / name).string();
    CHECK(all.info.problem(json_of({"info", path})) == "");
    CHECK(all.rules.problem(json_of({"rules", path})) == "");
    CHECK(all.analyze.problem(json_of({"analyze", "kernels", path})) == "");
  }
}
