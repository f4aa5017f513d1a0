// User-defined rules.
#include "core/rules/custom_rule.hpp"
#include "tests/core/rules/sampled_job.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

rules::Outcome judged_by(const std::string& json, const trace::Profile& profile) {
  const auto custom = rules::parse_custom_rules(json);
  INFO((custom ? std::string() : custom.error().message()));
  REQUIRE(custom);
  REQUIRE(custom->size() == 1);
  const auto evaluation = rules::evaluate({.profile = profile, .scope = {}, .values = {}}, {.custom = *custom});
  REQUIRE(evaluation);
  CHECK(evaluation->rules.back().rule->name == custom->front().name);
  return evaluation->rules.back().outcome;
}

Verdict verdict_by_limit(double threshold, const std::string& more = "") {
  // Ten of every hundred samples are 100 %, the others 50 %. In the first minute, 20 of 120 are 100 %, with a mean of
  // 58.33.
  const auto profile = sampled_profile({{{partly(10, 100, 50)}}});
  return judged_by(
             fmt::format(R"([{{"name": "Hot", "metric": "GPU utilization", "threshold": {}{}}}])", threshold, more),
             *profile)
      .verdict;
}

std::string error_of(const std::string& json) {
  const auto custom = rules::parse_custom_rules(json);
  return custom ? "" : custom.error().message();
}

}  // namespace

TEST_CASE("a user's rule compares a statistic of a metric with a limit") {
  CHECK(verdict_by_limit(58.3) == Verdict::issues_found);
  CHECK(verdict_by_limit(58.4) == Verdict::no_issues);
  CHECK(verdict_by_limit(99, R"(, "statistic": "p95")") == Verdict::issues_found);
  CHECK(verdict_by_limit(50, R"(, "statistic": "p50")") == Verdict::no_issues);
  CHECK(verdict_by_limit(50, R"(, "statistic": "p50", "comparison": ">=")") == Verdict::issues_found);
  CHECK(verdict_by_limit(50, R"(, "statistic": "min", "comparison": "<")") == Verdict::no_issues);
  CHECK(verdict_by_limit(50.1, R"(, "statistic": "min", "comparison": "<")") == Verdict::issues_found);
  SECTION("after the patience, over the window") {
    CHECK(verdict_by_limit(1, R"(, "patience": 1200)") == Verdict::insufficient_data);
    CHECK(verdict_by_limit(1, R"(, "patience": 1199)") == Verdict::issues_found);
    // Minutes end at samples 120, 240, …; only every fifth window of 20 samples before contains the high ones.
    CHECK(verdict_by_limit(74, R"(, "window": 20)") == Verdict::issues_found);
    CHECK(verdict_by_limit(76, R"(, "window": 20)") == Verdict::no_issues);
  }
}

TEST_CASE("the worst place of a user's rule comes first") {
  const auto profile = sampled_profile({{{always(60), always(90), always(70)}}});
  const auto found = judged_by(R"([{"name": "Hot", "metric": "GPU utilization", "threshold": 50}])", *profile);
  REQUIRE(found.findings.size() == 1);
  REQUIRE(found.findings.front().places.size() == 3);
  CHECK(found.findings.front().places.front().text == "GPU 1 of algo-1: 90");
}

TEST_CASE("a user's rule reads columns of analyses") {
  const auto profile = training_profile();
  const auto at = [&](const std::string& limit) {
    return judged_by(
        R"([{"name": "Steps", "metric": "step_time.duration", "statistic": "max", "threshold": )" + limit + "}]",
        *profile);
  };
  CHECK(at("9999999").verdict == Verdict::issues_found);
  CHECK(at("10000001").verdict == Verdict::no_issues);
  CHECK(at("1").findings.front().headline == "max of step_time.duration is 1e+07 ns.");
  CHECK(judged_by(R"([{"name": "X", "metric": "step_time.nothing", "threshold": 1}])", *profile).verdict ==
        Verdict::not_evaluable);
  CHECK(judged_by(R"([{"name": "X", "metric": "no such counter", "threshold": 1}])", *profile).verdict ==
        Verdict::not_evaluable);
}

TEST_CASE("errors in the user's rule files are reported") {
  CHECK(rules::parse_custom_rules(R"([{"name": "A", "metric": "x"}, {"name": "B", "metric": "y"}])")->size() == 2);
  CHECK(error_of("[{\"metric\": \"x\"}]").find("give each rule a name") != std::string::npos);
  CHECK(error_of(R"([{"name": "launchbound", "metric": "x"}])").find("built-in rule") != std::string::npos);
  CHECK(error_of(R"([{"name": "A"}])").find("has no metric") != std::string::npos);
  CHECK(error_of(R"([{"name": "A", "metric": "x", "statistic": "average"}])").find("use one of mean") !=
        std::string::npos);
  CHECK(error_of(R"([{"name": "A", "metric": "x", "limit": 3}])").find("limit") != std::string::npos);
  CHECK_FALSE(error_of("[{").empty());
  CHECK_FALSE(error_of("[1]").empty());
}
