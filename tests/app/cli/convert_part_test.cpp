// `convert` to a trace: everything reads back the same, a part contains what overlaps it, and names can be hidden.
#include "core/base/format.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::string csv(const std::string& path, const std::string& query) {
  const Outcome outcome = run({"sql", path, query, "--csv", "--no-store"});
  INFO(outcome.err);
  REQUIRE(outcome.status == cli::kDone);
  return outcome.out;
}

const std::string kSlices =
    "SELECT s.rank, t.kind, t.name, t.process, t.number, s.depth, s.start, s.dur, s.name, s.category, s.step, "
    "arg(s.id, 'correlation'), arg(s.id, 'Input Dims') "
    "FROM slice s JOIN track t ON t.id = s.track ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9";
const std::string kActivity =
    "SELECT rank, device, stream, start, name, class, bytes, latency_from_start_ns, annotation FROM gpu_activity "
    "ORDER BY 1, 2, 3, 4, 5";
const std::string kCounters =
    "SELECT c.rank, c.name, c.unit, s.start, s.value FROM sample s JOIN counter c ON c.id = s.counter "
    "WHERE c.rank IS NOT NULL ORDER BY 1, 2, 4";

/// Returns the first line that differs.
std::string first_difference(std::string_view a, std::string_view b) {
  const auto [at, other] = std::ranges::mismatch(a, b);
  if (at == a.end() && other == b.end()) return "";
  const std::size_t line = a.substr(0, static_cast<std::size_t>(at - a.begin())).rfind('\n') + 1;
  return std::string(a.substr(line, a.find('\n', line) - line)) + " instead of " +
         std::string(b.substr(line, b.find('\n', line) - line));
}

/// Writes all ranks of `path` as traces and compares everything.
void check_rewritten(const std::string& path, const TestFolder& folder) {
  const std::string out = (folder.path() / "rewritten").string();
  fs::create_directory(out);
  const bool one = csv(path, "SELECT count(*) FROM rank") == "count(*)\r\n1\r\n";
  const Outcome outcome = run({"convert", path, "--out", one ? out + "/trace.json" : out, "--no-store"});
  INFO(path << ": " << outcome.err);
  REQUIRE(outcome.status == cli::kDone);
  for (const std::string& query : {kSlices, kActivity, kCounters})
    CHECK(first_difference(csv(out, query), csv(path, query)) == "");
  const auto summary = [&](const std::string& of) {
    std::string text = run({"info", of, "--json", "--no-store"}).out;
    return text.substr(text.find("\"launches\""), text.find("\"annotations\"") - text.find("\"launches\""));
  };
  CHECK(summary(out) == summary(path));
}

}  // namespace

TEST_CASE("a trace that is written again reads the same", "[cli]") {
  const TestFolder traces;
  const TestFolder folder;
  check_rewritten(small_set(traces), folder);
  const auto shared = shared_dir();
  if (!shared) return;
  for (const char* name : {"mi300_qwen", "mtia"}) {
    if (!fs::exists(*shared / "traces" / name)) continue;
    const TestFolder each;
    check_rewritten((*shared / "traces" / name).string(), each);
  }
}

TEST_CASE("a part contains what overlaps it, and the launches of its kernels", "[cli]") {
  const TestFolder folder;
  TinyEvents events;
  events.launch(10, 1).launch(20, 2).launch(30, 3);
  events.run({.begin = 40, .length = 10, .correlation = 1}).run({.begin = 50, .length = 10, .correlation = 2});
  events.run({.begin = 60, .length = 10, .correlation = 3});
  const std::string trace = folder.write("trace.json", trace_of(events.text(), "")).string();
  const std::string out = (folder.path() / "part.json.gz").string();
  const Outcome outcome =
      run({"convert", trace, "--out", out, "--from", "42us", "--to", "45us", "--no-store"});  // from the first launch
  INFO(outcome.err);
  CHECK(outcome.status == cli::kDone);
  CHECK(contains(outcome.err, "with 2 slices"));
  CHECK(csv(out, "SELECT count(*), min(latency_from_start_ns) FROM gpu_activity") ==
        "count(*),min(latency_from_start_ns)\r\n1,30000\r\n");
}

TEST_CASE("an anonymized trace has no names of files, hosts or users", "[cli]") {
  const TestFolder folder;
  const std::string trace =
      folder
          .write(
              "secret-host_ann.json",
              trace_of(
                  R"({"ph":"X","cat":"python_function","name":"/home/ann/project/train.py(3): main","pid":1,)"
                  R"("tid":1,"ts":1,"dur":5,"args":{"where":"/data/project","on":["secret-host","ann"]}})",
                  R"("schemaVersion": 1, "host_name": "secret-host.example", "username": "bertha", "distributedInfo": {"rank": 3})"))
          .string();
  const std::string out = (folder.path() / "part.json").string();
  REQUIRE(run({"convert", trace, "--out", out, "--anonymize", "--no-store"}).status == cli::kDone);
  const std::string text = plain_text_of(out);
  CHECK(contains(text, "file1.py(3): main"));
  CHECK(contains(text, R"(["host1","user2"])"));
  for (const char* secret : {"secret", "ann", "project", "train", "/data", "bertha"})
    CHECK_FALSE(contains(text, secret));
  CHECK(csv(out, "SELECT rank FROM rank") == "rank\r\n3\r\n");
}

TEST_CASE("convert refuses selections that its output cannot have", "[cli]") {
  const TestFolder traces;
  const TestFolder folder;
  const std::string set = small_set(traces);
  const auto refused = [&](std::vector<std::string> options, std::string_view why) {
    std::vector<std::string> arguments{"convert", set, "--no-store"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == cli::kUsage);
    CHECK(contains(outcome.err, why));
  };
  refused({"--out", folder.path() / "a.wscope", "--from", "1ms"}, "contains everything");
  refused({"--out", folder.path() / "a.json"}, "is a single file, but there are");
  refused({"--out", folder.path() / "a.json", "--from", "2ms", "--to", "1ms"}, "select an empty range");
  refused({"--out", folder.path() / "a.json", "--rank", "0", "--from", "9h"}, "is after the end");
  refused({"--out", set}, "contains the traces");
  CHECK(fs::is_empty(folder.path()));
}
