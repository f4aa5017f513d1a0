// `warpscope diff` as used in scripts: table and exit status.
#include "app/cli/exit_status.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string traces(const TestFolder& folder, const std::string& name, double kernel) {
  TinyEvents events;
  events.step(1, 0, 50).op("aten::mm", 1, 10).launch(2, 1);
  events.run({.begin = 10, .length = kernel, .correlation = 1});
  return folder.write(name, trace_of(events.text(), "")).string();
}

}  // namespace

TEST_CASE("diff reports slowdowns, and --fail-over makes them failures", "[cli]") {
  const TestFolder folder;
  const std::string before = traces(folder, "before.json", 20);
  const std::string after = traces(folder, "after.json", 21.2);
  const Outcome plain = run({"diff", before, after, "--no-store", "--csv"});
  CHECK(plain.status == cli::kDone);
  CHECK(plain.out.starts_with("kind,name,control_count,test_count,control_mean_ns,test_mean_ns,slower_by_pct,"));
  CHECK(plain.out.find("kernel,gemm,1,1,20000,21200,6,20000,21200,1200,100,slower\r\n") != std::string::npos);

  const Outcome over = run({"diff", before, after, "--no-store", "--fail-over", "5%"});
  CHECK(over.status == cli::kGateFailed);
  CHECK(over.out.find("gemm") != std::string::npos);
  INFO(over.err);
  CHECK(over.err.find("1 of 3 became slower by more than 5 %: ") != std::string::npos);
  CHECK(over.err.find("step step") == std::string::npos);
  CHECK(run({"diff", before, after, "--no-store", "--fail-over", "0.05"}).err.find("more than 0.05 %") !=
        std::string::npos);
  CHECK(run({"diff", before, after, "--no-store", "--fail-over", "7"}).status == cli::kDone);
  CHECK(run({"diff", after, before, "--no-store", "--fail-over", "0%"}).status == cli::kDone);
  CHECK(run({"diff", before, after, "--no-store", "--fail-over", "5%", "--json"}).status == cli::kGateFailed);
}

TEST_CASE("--fail-over counts new kernels and reports what it did not compare", "[cli]") {
  const TestFolder folder;
  const auto with = [&](const std::string& name, std::string_view kernel, double length) {
    TinyEvents events;
    events.step(1, 0, 50).op("aten::mm", 1, 10).launch(2, 1).launch(3, 2);
    events.run({.begin = 10, .length = 20, .correlation = 1});
    events.run({.name = kernel, .begin = 31, .length = length, .correlation = 2});
    return folder.write(name, trace_of(events.text(), "")).string();
  };
  const std::string before = with("before.json", "relu", 2);
  const Outcome renamed = run({"diff", before, with("renamed.json", "silu", 2), "--no-store", "--fail-over", "5%"});
  CHECK(renamed.status == cli::kDone);
  CHECK(renamed.err.find("not compared by name: 2.00 µs per step of kernels only in the test (1 name)") !=
        std::string::npos);
  const Outcome slower = run({"diff", before, with("slower.json", "silu", 3.5), "--no-store", "--fail-over", "5%"});
  CHECK(slower.status == cli::kGateFailed);
  INFO(slower.err);
  CHECK(slower.err.find("new kernels add 1.50 µs per step, more than 5 % of the previous 22.0 µs") !=
        std::string::npos);
  const Outcome same = run({"diff", before, before, "--no-store", "--fail-over", "5%"});
  CHECK(same.status == cli::kDone);
  CHECK(same.err ==
        "warpscope: every kernel and operator name is in both profiles, so the comparison covers all of their time\n");
}

TEST_CASE("diff usage errors give advice", "[cli]") {
  const TestFolder folder;
  const std::string before = traces(folder, "before.json", 20);
  const auto status = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "diff");
    arguments.push_back("--no-store");
    return run(arguments);
  };
  CHECK(status({before}).status == cli::kUsage);
  const Outcome share = status({before, before, "--fail-over", "much"});
  CHECK(share.status == cli::kUsage);
  CHECK(share.err.find("--fail-over much: is not a percentage; for example --fail-over 5%") != std::string::npos);
  const Outcome nothing = status({before, before, "--fail-over", ""});
  CHECK(nothing.status == cli::kUsage);
  CHECK(nothing.err.find("--fail-over \"\": is not a percentage; for example --fail-over 5%") != std::string::npos);
  CHECK(status({before, before, "--at-least", ""}).status == cli::kUsage);
  for (const char* least : {"1%", "100%", "500%"})
    CHECK(status({before, before, "--fail-over", "0%", "--at-least", least}).status == cli::kDone);
  CHECK(status({before, before, "--at-least", "-1"}).status == cli::kUsage);
  CHECK(status({before, (folder.path() / "none.json").string()}).status == cli::kNothingRead);
  const std::string empty = folder.write("empty.json", trace_of(TinyEvents().op("other", 0, 1).text(), "")).string();
  CHECK(status({before, empty}).status == cli::kDone);
  CHECK(status({before, empty, "--fail-over", "5%"}).status == cli::kGateFailed);
}

TEST_CASE("analyses that compare profiles require two, others require one", "[cli]") {
  const TestFolder folder;
  const std::string before = traces(folder, "before.json", 20);
  const std::string after = traces(folder, "after.json", 30);
  const Outcome diff = run({"analyze", "trace_diff", before, after, "--no-store", "--csv", "--set", "device_type=GPU"});
  CHECK(diff.status == cli::kDone);
  CHECK(diff.out.find("gemm,1,20,1,30,0,10,=,20,30,50\r\n") != std::string::npos);
  const auto says = [&](std::vector<std::string> arguments, std::string_view what) {
    arguments.insert(arguments.begin(), "analyze");
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == cli::kUsage);
    INFO(outcome.err);
    CHECK(outcome.err.find(what) != std::string::npos);
  };
  says({"trace_diff", before}, "specify two trace files");
  says({"kernel_time", before, after}, "is an unexpected second path for kernel_time");
  says({"ops_diff", before, after, "--from", "1ms"}, "choose steps");
}
