// AWS's reports of a job without its traces and metrics.
#include "core/rules/aws_report.hpp"

#include "core/rules/registry.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string rule_report(int triggered) {
  return R"({"RuleTriggered": )" + std::to_string(triggered) +
         R"(, "Violations": 7, "Details": {}, "Datapoints": 50, "RuleParameters": "threshold:50\npatience:1000"})";
}

}  // namespace

TEST_CASE("AWS's reports alone are summarized and listed") {
  const TestFolder folder;
  folder.write("profiler-reports/CPUBottleneck.json", rule_report(3));
  folder.write("profiler-reports/IOBottleneck.json", rule_report(0));
  const auto profile = load(folder.path() / "profiler-reports");
  CHECK(rules::has_aws_reports(*profile));
  const auto evaluation = rules::evaluate({*profile, {}, {}});
  REQUIRE(evaluation);
  CHECK(rules::summary(*evaluation) ==
        "No rule applies: the profile has no GPU activity. AWS's reports: 1 of 2 rules found issues "
        "(CPUBottleneck).");
  const auto tables = rules::tables(*evaluation, *profile);
  const auto own = std::ranges::find(tables, "aws-report", &Table::id);
  REQUIRE(own != tables.end());
  CHECK(own->rows() == 2);
  CHECK_FALSE(rules::has_aws_reports(*load_events(kernel_event("gemm"))));
}
