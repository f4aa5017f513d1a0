// `warpscope rules` as used in scripts.
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

}  // namespace

TEST_CASE("rules prints findings, and --fail makes it exit with 1", "[cli]") {
  const TestFolder folder;
  const std::string slow = job(folder, "slow.json", {.kernel = 20, .gap = 15, .lead = 4});
  const std::string healthy = job(folder, "healthy.json", {});
  const Outcome plain = run({"rules", slow, "--no-store"});
  CHECK(plain.status == cli::kDone);
  CHECK(contains(plain.out, "1. Launch-bound GPU: saves at most 4.2"));
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
  for (const char* const part : {"\"findings\"", "\"places\"", "\"rules\"", "\"issues found\"", "\"no issues\"",
                                 "\"not evaluable\"", "\"insufficient data\""})
    CHECK((contains(json.out, part) || std::string_view(part) == "\"insufficient data\""));
  const Outcome csv = run({"rules", slow, "--no-store", "--csv"});
  CHECK(csv.out.starts_with("finding,rule,"));
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
  CHECK(with(R"({"LaunchBound_share": 0.5, "IdleGpu_share": 0.5})").out.starts_with("No issue found. "));
  CHECK(
      with(R"([{"RuleParameters": {"rule_to_invoke": "launchbound", "share": "0.5", "scan_interval_us": "60000000"}},)"
           R"( {"RuleParameters": {"rule_to_invoke": "ProfilerReport", "IdleGpu_share": "0.5"}}])")
          .out.starts_with("No issue found. "));
  CHECK(with(R"({"LaunchBound_ratio": 1})").status == cli::kUsage);
  CHECK(with("{").status == cli::kUsage);
  CHECK(run({"rules", slow, "--no-store", "--settings-file", "/nowhere.json"}).status == cli::kUsage);
  CHECK(run({"rules", slow, "--no-store", "--preset", "documented"}).status == cli::kDone);
  CHECK(run({"rules", slow, "--no-store", "--preset", "mine"}).status == cli::kUsage);
}
