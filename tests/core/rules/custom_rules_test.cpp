// User-defined rules: limits and programs.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "core/rules/custom_rule.hpp"
#include "core/rules/rule_program.hpp"
#include "tests/core/rules/sampled_job.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/test_folder.hpp"

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

rules::Outcome judged_by_shell(const std::string& script) {
  const auto profile = training_profile();
  return judged_by(R"([{"name": "Mine", "program": ["sh", "-c", ")" + script + R"("], "tables": ["step_time"]}])",
                   *profile);
}

rules::ProgramRun run_shell(const std::string& script, const std::string& input = "",
                            std::chrono::milliseconds longest = std::chrono::seconds(20)) {
  return rules::run_program({"sh", "-c", script}, input, longest, [] { return false; });
}

/// True if the process exists and is not a zombie.
bool runs(const std::string& process) {
  std::ifstream stat("/proc/" + process + "/stat");
  std::string number;
  std::string name;
  std::string state = "Z";
  stat >> number >> name >> state;
  return state != "Z";
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
  CHECK(rules::parse_custom_rules("{\"name\": \"A\", \"metric\": \"x\"}\n{\"name\": \"B\", \"metric\": \"y\"}\n")
            ->size() == 2);
  CHECK(error_of("[{\"metric\": \"x\"}]").find("give each rule a name") != std::string::npos);
  CHECK(error_of(R"([{"name": "launchbound", "metric": "x"}])").find("built-in rule") != std::string::npos);
  CHECK(error_of(R"([{"name": "A"}])").find("either a metric or a program") != std::string::npos);
  CHECK(error_of(R"([{"name": "A", "metric": "x", "statistic": "average"}])").find("use one of mean") !=
        std::string::npos);
  CHECK(error_of(R"([{"name": "A", "metric": "x", "limit": 3}])").find("limit") != std::string::npos);
  CHECK(error_of(R"([{"name": "A", "program": ["x"], "tables": ["nothing"]}])").find("not an analysis") !=
        std::string::npos);
  CHECK_FALSE(error_of("[{").empty());
  CHECK_FALSE(error_of("[1]").empty());
}

TEST_CASE("a user's program reads tables and returns a verdict") {
  const rules::Outcome found = judged_by_shell(
      R"(grep -q step && echo '{\"verdict\": \"issues found\", \"why\": \"w\", \"findings\": [{\"sentence\": \"s\", \"advice\": \"a\"}]}')");
  INFO(found.why);
  REQUIRE(found.verdict == Verdict::issues_found);
  CHECK(found.findings.front().headline == "s");
  CHECK(found.findings.front().advice == "a");
  CHECK(judged_by_shell(R"(echo '{\"verdict\": \"no issues\", \"why\": \"fine\"}')").why == "fine");
  SECTION("errors are reported as the reason") {
    CHECK(judged_by_shell("exit 3").why == "sh exited with status 3.");
    CHECK(judged_by_shell("kill -9 $$").why == "sh crashed.");
    CHECK(judged_by_shell("echo no").why.starts_with("sh did not return a valid verdict."));
    CHECK(judged_by_shell("yes").why == "sh wrote more than 1 MB.");
    CHECK(judged_by(R"([{"name": "Mine", "program": ["/no/such/program"]}])", *training_profile()).why ==
          "/no/such/program cannot be started: No such file or directory.");
  }
}

TEST_CASE("a rule's program ends within its time whatever it does with its streams") {
  const auto began = std::chrono::steady_clock::now();
  for (const std::string script :
       {"exec 1>&-; sleep 100", "exec 0<&- 1>&- 2>&-; trap '' TERM HUP; sleep 100; sleep 100"}) {
    const rules::ProgramRun run = run_shell("echo answer; " + script, "", std::chrono::milliseconds(200));
    CHECK(run.problem.starts_with("ran for more than "));
  }
  CHECK(rules::run_program({"sleep", "100"}, "", std::chrono::minutes(1), [] { return true; }).problem == "cancelled");
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(20));
}

TEST_CASE("processes that a rule's program leaves running neither delay its verdict nor survive it") {
  const rules::ProgramRun run = run_shell("sleep 100 & echo $!");
  CHECK(run.problem.empty());
  const std::string left = run.answer.substr(0, run.answer.find('\n'));
  REQUIRE(!left.empty());
  for (int i = 0; i < 100 && runs(left); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_FALSE(runs(left));
}

TEST_CASE("a rule's program and its processes end when Warpscope is killed") {
  for (const int signal : {SIGTERM, SIGINT, SIGKILL}) {
    const TestFolder folder;
    const std::string file = (folder.path() / "left").string();
    const pid_t warpscope = ::fork();
    if (warpscope == 0) {
      std::signal(signal, SIG_DFL);
      (void)run_shell("trap '' TERM INT HUP; sleep 100 & echo $! $$ > " + file + ".part; mv " + file + ".part " + file +
                      "; sleep 100");
      ::_exit(0);
    }
    for (int i = 0; i < 500 && !std::filesystem::exists(file); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ::kill(warpscope, signal);
    ::waitpid(warpscope, nullptr, 0);
    std::ifstream in(file);
    for (std::string left; in >> left;) {
      for (int i = 0; i < 100 && runs(left); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      CAPTURE(signal, left);
      CHECK_FALSE(runs(left));
    }
  }
}

TEST_CASE("a rule's program writes messages of at most 1 MB") {
  CHECK(run_shell("echo note >&2; echo answer").messages == "note\n");
  CHECK(run_shell("yes >&2").problem == "wrote more than 1 MB");
  CHECK(judged_by_shell("echo note >&2; exit 3").messages == "note\n");
}

TEST_CASE("a rule's program reads its input from a pipe, or ignores it") {
  const std::string input(300'000, 'x');
  CHECK(run_shell("test -p /dev/stdin && cat /dev/stdin", input).answer == input);
  CHECK(run_shell("exec 0<&-; sleep 0.1; echo done", input).answer == "done\n");
  CHECK(run_shell("echo done", input).answer == "done\n");
}
