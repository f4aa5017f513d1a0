// The sections that AWS's report on SageMaker Debugger's rules also has.
#include <simdjson.h>

#include <cstdlib>

#include "tests/app/cli/debugger_job.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::string report_of(const std::string& job, const TestFolder& out, std::vector<std::string> more = {}) {
  const std::string file = (out.path() / "job.html").string();
  std::vector<std::string> arguments{"report", job, "--html", file, "--no-store"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  REQUIRE(run(std::move(arguments)).status == cli::kDone);
  return read_whole(file);
}

std::string section(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find("<section id=\"" + id + "\">");
  return begin == std::string::npos ? "" : page.substr(begin, page.find("</section>", begin) - begin);
}

/// The path of a Chromium browser; "" if there is none.
std::string browser() {
  for (const char* const name : {"chromium", "chromium-browser", "google-chrome"}) {
    const std::string found = fmt::format("command -v {} > /dev/null", name);
    if (std::system(found.c_str()) == 0) return name;
  }
  return "";
}

}  // namespace

TEST_CASE("report has AWS's sections: job, system usage, framework metrics, rules, and details for each rule",
          "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const std::string page = report_of(debugger_job(folder), out);
  // The sections are in the order of AWS's report, after the findings.
  std::size_t before = page.find("<section id=\"findings\">");
  for (const char* const id : {"job_statistics", "system_usage", "framework_metrics", "rules", "profile"}) {
    INFO(id);
    const std::size_t at = page.find(std::string("<section id=\"") + id + "\">");
    REQUIRE(at != std::string::npos);
    CHECK(at > before);
    before = at;
  }
  const std::string rules = section(page, "rules");
  for (const char* const part :
       {"Times<br>triggered", "Data points", "Recommendation", "Parameters", "threshold_p95: 70<br>threshold_p5: 10",
        "<span class=\"verdict issue\">issues found</span>", "<span class=\"verdict good\">no issues</span>",
        "Rules that could not be evaluated", "AWS&#39;s report"})
    CHECK(contains(rules, part));
  CHECK(contains(rules, "<a href=\"#rule-LowGPUUtilization\">"));
  // Rule sections with charts: box plots, stacked bars, histograms.
  for (const char* const rule :
       {"LowGPUUtilization", "BatchSize", "GPUMemoryIncrease", "LoadBalancing", "CPUBottleneck", "IOBottleneck",
        "StepOutlier", "DataLoader", "MaxInitializationTime"}) {
    INFO(rule);
    const std::string own = section(page, std::string("rule-") + rule);
    CHECK(contains(own, "<svg "));
    CHECK(contains(own, "<table>"));
    CHECK(contains(page, std::string("href=\"#rule-") + rule + "\""));
  }
  CHECK(contains(section(page, "rule-LoadBalancing"), "Differs from AWS&#39;s rule: Compares all pairs of GPUs"));
}

TEST_CASE("report --aws uses AWS's arithmetic and the parameters from AWS's report", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const std::string job = debugger_job(folder);
  CHECK(contains(section(report_of(job, out), "rule-LowGPUUtilization"), "patience: 1000"));
  const std::string aws = section(report_of(job, out, {"--aws"}), "rules");
  CHECK(contains(aws, "rules use AWS&#39;s arithmetic"));
  CHECK(contains(aws, "patience: 500"));
  // One GPU has low utilization after each of minutes 5 to 9.
  CHECK(contains(aws,
                 "Triggered 5 times: 5 violations in 1\u2009"
                 "080 data points."));
}

TEST_CASE("report preserves line breaks in code", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const auto events = training_events({.steps = 1}, {});
  const std::string trace = folder.write("trace.json", trace_of(events, training_metadata({}))).string();
  CHECK(contains(report_of(trace, out),
                 "<pre>from torch.profiler import ProfilerActivity, profile, schedule, "
                 "tensorboard_trace_handler\n\nwith profile(\n    activities="));
}

TEST_CASE("report writes rule details to JSON", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const std::string job = debugger_job(folder);
  const std::string json = (out.path() / "job.json").string();
  REQUIRE(run({"report", job, "--json", json, "--no-store"}).status == cli::kDone);
  const std::string text = read_whole(json);
  CHECK(contains(text, "\"loadbalancing_gpu_distances\""));
  CHECK(contains(text, "\"recommendation\""));
}

TEST_CASE("report opens in a browser without console errors or network requests", "[cli]") {
  const std::string program = browser();
  if (program.empty()) {
    WARN("skipped: no Chromium");
    return;
  }
  const TestFolder folder;
  const TestFolder out;
  static_cast<void>(report_of(debugger_job(folder), out));
  // An image from another host and a console message prove that the test detects requests and console output.
  out.write("page.html", R"(<!DOCTYPE html><iframe src="job.html"></iframe><img src="http://control.invalid/x.png">)"
                         R"(<script>console.error("control")</script>)");
  const std::string path = out.path().string();
  const std::string command = fmt::format(
      "timeout 60 {} --headless=new {} --disable-gpu --no-first-run --disable-extensions "
      "--allow-file-access-from-files "
      "--host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir='{}/profile' --enable-logging=stderr "
      "--log-net-log='{}/net.json' --screenshot='{}/page.png' 'file://{}/page.html' > /dev/null 2> '{}/err'",
      program, ::geteuid() == 0 ? "--no-sandbox" : "", path, path, path, path, path);
  if (std::system(command.c_str()) != 0) {
    WARN("skipped: the browser does not start");
    return;
  }
  const std::string console = read_whole(out.path() / "err");
  const std::string net = read_whole(out.path() / "net.json");
  const auto count = [](std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  CHECK(count(console, ":CONSOLE") == 1);
  CHECK(contains(console, "\"control\""));
  // Chromium's own requests have priority IDLE.
  constexpr std::string_view kPriority = "\"priority\":\"";
  std::vector<std::string> requests;
  for (std::size_t at = net.find(kPriority); at != net.npos; at = net.find(kPriority, at + 1)) {
    const std::string entry = net.substr(at, net.find('}', at) - at);
    if (!entry.starts_with(std::string(kPriority) + "IDLE") && contains(entry, "\"url\":\"http"))
      requests.push_back(entry);
  }
  REQUIRE_FALSE(requests.empty());
  for (const std::string& request : requests) CHECK(contains(request, "http://control.invalid/x.png"));
}
