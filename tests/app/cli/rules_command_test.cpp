// `warpscope rules` as used in scripts.
#include "core/base/utf8.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string job(const TestFolder& folder, const std::string& name, const TrainingShape& shape) {
  return folder.write(name, trace_of(training_events(shape, {}), training_metadata(shape))).string();
}

/// True if a terminal can show the text without changing its state.
bool is_safe(std::string_view text) {
  for (std::size_t at = 0; at < text.size();)
    if (const char32_t c = next_code_point(text, at); is_unsafe(c) && c != U'\n' && c != U'\r') return false;
  return true;
}

/// True if `marked` occurs only after a backslash.
bool is_escaped(std::string_view text, std::string_view marked) {
  for (std::size_t at = text.find(marked); at != text.npos; at = text.find(marked, at + 1))
    if (at == 0 || text[at - 1] != '\\') return false;
  return true;
}

}  // namespace

TEST_CASE("rules prints findings, and --fail makes it exit with 1", "[cli]") {
  const TestFolder folder;
  const std::string slow = job(folder, "slow.json", {.kernel = 20, .gap = 15, .lead = 4});
  const std::string healthy = job(folder, "healthy.json", {});
  const Outcome plain = run({"rules", slow, "--no-store"});
  CHECK(plain.status == cli::kDone);
  CHECK(contains(plain.out, "1. Launch-bound GPU\n   The host launches too late, "));
  CHECK(contains(plain.out, "   → Give the GPU more work per launch"));
  CHECK(run({"rules", slow, "--no-store", "--fail"}).status == cli::kGateFailed);
  const Outcome good = run({"rules", healthy, "--no-store", "--fail", "--all"});
  CHECK(good.status == cli::kDone);
  CHECK(good.out.starts_with("No issue found. "));
  CHECK(contains(good.out, "LaunchBound              no issues"));
}

TEST_CASE("rules prints JSON with findings, places and verdicts", "[cli]") {
  const TestFolder folder;
  const std::string slow = job(folder, "slow.json", {.kernel = 20, .gap = 15, .lead = 4});
  const Outcome json = run({"rules", slow, "--no-store", "--json"});
  CHECK(json.status == cli::kDone);
  for (const char* const part : {"\"schema\": 2", "\"window\"", "\"account\"", "\"label\": \"computation\"",
                                 "\"findings\"", "\"headline\": \"The host launches too late, ", "\"culprit\"",
                                 "\"cause\": \"launches\"", "\"saving_per_step_ns\"", "\"places\"", "\"rules\"",
                                 "\"issues found\"", "\"no issues\"", "\"not evaluable\"", "\"insufficient data\""})
    CHECK((contains(json.out, part) || std::string_view(part) == "\"insufficient data\""));
  const Outcome csv = run({"rules", slow, "--no-store", "--csv"});
  CHECK(
      csv.out.starts_with("headline,rule,cost_per_step_ns,cost_share_pct,saving_per_step_ns,saving_share_pct,action,"));
}

TEST_CASE("rule settings apply, and unknown ones are rejected", "[cli]") {
  const TestFolder folder;
  const std::string slow = job(folder, "slow.json", {.kernel = 20, .gap = 15, .lead = 4});
  const Outcome quiet =
      run({"rules", slow, "--no-store", "--fail", "--set", "launchbound_share=0.5", "--set", "IdleGpu_share=0.5"});
  CHECK(quiet.status == cli::kDone);
  const Outcome unknown = run({"rules", slow, "--no-store", "--set", "LaunchBound_ratio=2"});
  CHECK(unknown.status == cli::kUsage);
  CHECK(contains(unknown.err, "LaunchBound_share"));
  CHECK(run({"rules", slow, "--no-store", "--set", "LaunchBound_share"}).status == cli::kUsage);
}

TEST_CASE("presets and files in SageMaker's format set parameters", "[cli]") {
  const TestFolder folder;
  const std::string slow = job(folder, "slow.json", {.kernel = 20, .gap = 15, .lead = 4});
  const auto with = [&](const std::string& text) {
    return run({"rules", slow, "--no-store", "--settings-file", folder.write("rules.json", text).string()});
  };
  CHECK(with(R"({"LaunchBound_share": 0.5, "IdleGpu_share": 0.5})").out.find("No rule explains it.") !=
        std::string::npos);
  CHECK(
      with(R"([{"RuleParameters": {"rule_to_invoke": "launchbound", "share": "0.5", "scan_interval_us": "60000000"}},)"
           R"( {"RuleParameters": {"rule_to_invoke": "ProfilerReport", "IdleGpu_share": "0.5"}}])")
          .out.find("No rule explains it.") != std::string::npos);
  CHECK(with(R"({"LaunchBound_ratio": 1})").status == cli::kUsage);
  CHECK(with("{").status == cli::kUsage);
  CHECK(run({"rules", slow, "--no-store", "--settings-file", "/nowhere.json"}).status == cli::kUsage);
  CHECK(run({"rules", slow, "--no-store", "--preset", "documented"}).status == cli::kDone);
  CHECK(run({"rules", slow, "--no-store", "--preset", "mine"}).status == cli::kUsage);
}

TEST_CASE("names with escape sequences and markup are printed as text in every format", "[cli]") {
  const TestFolder folder;
  const std::string name = R"(a\u001b]0;t\u0007\u009b31m\u202e\n<script>[x](y)`&amp;b)";
  const TrainingShape shape{.kernel = 20, .gap = 15, .lead = 4};
  const auto annotate = [&](TinyEvents& events, int, double begin, int) { events.annotation(name, begin, 9000); };
  const std::string path =
      folder.write("trace.json", trace_of(training_events(shape, annotate), training_metadata(shape))).string();
  const Outcome plain = run({"rules", path, "--no-store", "--all"});
  CHECK(is_safe(plain.out));
  CHECK(contains(plain.out, "<script>[x](y)`&amp;b"));
  const Outcome json = run({"rules", path, "--no-store", "--json"});
  CHECK(is_safe(json.out));
  CHECK(contains(json.out, R"(a\u001b]0;t\u0007\u009b31m\u202e\n<script>[x](y)`&amp;b)"));
  const Outcome csv = run({"rules", path, "--no-store", "--csv"});
  CHECK(is_safe(csv.out));
  CHECK(contains(csv.out, "31m\uFFFD\n<script>[x](y)`&amp;b"));
  const std::string text = run({"rules", path, "--no-store", "--md"}).out;
  CHECK(is_safe(text));
  CHECK(contains(text, R"(\<script\>\[x\](y)\`\&amp;b)"));
  for (const char* const marked : {"<script", "[x", "`&", "&amp;"}) CHECK(is_escaped(text, marked));
}
