// SageMaker Debugger's Dataloader rule, which compares the number of loading processes with the node's cores.
#include "core/rules/sagemaker/loader_workers.hpp"

#include "tests/core/rules/sampled_job.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

/// A framework timeline in which each of `workers` processes loads a batch in each of `seconds`, on a node with eight
/// cores.
rules::Outcome with_workers(int workers, int seconds, std::vector<analysis::Setting> settings = {}) {
  const TestFolder job;
  constexpr std::int64_t kStart = 1'594'662'605;
  std::string text = "[\n";
  text += fmt::format(
      R"({{"name": "process_name", "ph": "M", "pid": 0, "args": {{"start_time_since_epoch_in_micros": {}}}}},)",
      kStart * 1'000'000);
  text += R"({"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},)";
  text += R"({"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "DataLoaderWorker"}})";
  for (int s = 0; s < seconds; ++s)
    for (int w = 0; w < workers; ++w)
      text += fmt::format(
          ",\n"
          R"({{"name": "DataLoaderWorker", "pid": 1, "ph": "X", "ts": {}, "dur": 900, "args": {{"pid": {}, "worker_id": {}}}}})",
          s * 1'000'000 + 1'000 * w, 100 + w, w);
  job.write(
      fmt::format("framework/pevents/2020071317/{}_905-algo-1_pythontimeline.json", (kStart + seconds) * 1'000'000),
      text + "\n]\n");
  std::string metrics;
  for (int s = 0; s < seconds; ++s)
    for (int core = 0; core < 8; ++core)
      metrics += fmt::format(
          R"({{"Type":"cpu","Name":"cpu{}","Dimension":"CPUUtilization","Value":50,"NodeId":"algo-1","Timestamp":{}.0}})"
          "\n",
          core, kStart + s);
  job.write(fmt::format("system/incremental/2020071317/{}.algo-1.json", kStart), metrics);
  return outcome_of(rules_evaluated(*load(job.path()), std::move(settings)), "DataLoader");
}

}  // namespace

TEST_CASE("Dataloader compares the number of loading processes with the node's cores") {
  // 70 % of 8 cores are 5.6, 200 % are 16.
  CHECK(with_workers(5, 12).verdict == Verdict::issues_found);
  CHECK(with_workers(6, 12).verdict == Verdict::no_issues);
  CHECK(with_workers(16, 12).verdict == Verdict::no_issues);
  CHECK(with_workers(17, 12).verdict == Verdict::issues_found);
  CHECK(with_workers(17, 12).findings.front().advice.starts_with("Reduce the DataLoader's num_workers"));
  CHECK(with_workers(5, 12, {{"Dataloader_min_threshold", "60"}}).verdict == Verdict::no_issues);
  SECTION("after more than ten seconds") {
    CHECK(with_workers(5, 11).verdict == Verdict::issues_found);
    CHECK(with_workers(5, 10).verdict == Verdict::insufficient_data);
  }
}

TEST_CASE("framework timelines next to traces do not hide GPUs that wait for the data loader") {
  const TestFolder job;
  job.write("framework/pevents/2020071317/1594662608000000_905-algo-1_pythontimeline.json",
            R"([
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1594662605000000}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "DataLoaderWorker"}},
{"name": "DataLoaderWorker", "pid": 1, "ph": "X", "ts": 1000, "dur": 900, "args": {"pid": 100, "worker_id": 0}}
]
)");
  const auto events =
      training_events({.hole_begin = 1'000, .hole_end = 3'000}, [](TinyEvents& added, int, double begin, int) {
        added.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", begin + 900, 2'000);
      });
  job.write("trace.json", trace_of(events, training_metadata({})));
  const rules::Outcome outcome = outcome_of(rules_evaluated(*load(job.path())), "DataLoader");
  CHECK(outcome.verdict == Verdict::issues_found);
  REQUIRE(outcome.findings.size() == 1);
  CHECK(outcome.findings.front().headline.find("aiting for the data loader, ") != std::string::npos);
  CHECK(outcome.why.ends_with(" The number of cores is unknown, because there are no system metrics."));
}
