// Rules that compare ranks.
#include <set>

#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

/// Four ranks that all-reduce three times a step. The kernels of `slow` take `factor` times as long.
/// `computes_meanwhile`: the others compute while they wait. `more`: `slow` runs more kernels instead, each as long as
/// the others'.
std::shared_ptr<const trace::Profile> ranks_job(const TestFolder& folder, int slow, double factor,
                                                bool computes_meanwhile = false, bool more = false) {
  for (int rank = 0; rank < 4; ++rank) {
    TinyEvents events;
    int correlation = 1;
    double begin = 1'000;
    for (int s = 0; s < 6; ++s) {
      // The host launches everything at once, and then waits.
      double launched = begin - 90;
      events.step(s + 1, begin - 100, 3'000 * factor + 420);
      for (int part = 0; part < 3; ++part) {
        const double ready = begin + 1'000 * factor;
        const double own = rank == slow ? factor : 1;
        const double each = more ? 1 : own;
        for (int k = 0; k * each < 10 * own - 0.001; ++k) {
          events.launch(launched += 2, correlation);
          events.run({.name = "fp16_s16816gemm",
                      .begin = begin + k * 100 * each,
                      .length = 99 * each,
                      .correlation = correlation++});
        }
        const double arrives = begin + 1'000 * own;
        events.launch(launched += 2, correlation);
        events.run(
            {.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
             .begin = arrives,
             .length = ready + 99 - arrives,
             .correlation = correlation++,
             .stream = 20,
             .arguments = fmt::format(R"("Collective name": "allreduce", "In msg nelems": 1000, "Group size": 4,)"
                                      R"("dtype": "Float", "Process Group Name": "0",)"
                                      R"("Process Group Ranks": "[0, 1, 2, 3]", "Seq": {})",
                                      s * 3 + part)});
        if (computes_meanwhile && ready > arrives) {
          events.launch(launched += 2, correlation);
          events.run({.name = "fp16_s16816gemm",
                      .begin = arrives,
                      .length = ready - arrives,
                      .correlation = correlation++,
                      .stream = 8});
        }
        begin = ready + 100;
      }
      events.launch(launched + 10, 0, "cudaDeviceSynchronize", begin - launched);
      begin += 120;
    }
    folder.write(fmt::format("rank{}.json", rank),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"backend": "nccl", "rank": {},)"
                                                     R"("world_size": 4}})",
                                                     rank)));
  }
  return load(folder.path());
}

}  // namespace

TEST_CASE("a healthy job of four ranks has no findings") {
  // All-reduces overlap with computation, and all ranks arrive within 5 µs.
  const TestFolder folder;
  for (int rank = 0; rank < 4; ++rank) {
    TrainingShape shape;
    shape.extra = fmt::format(R"("distributedInfo": {{"backend": "nccl", "rank": {}, "world_size": 4}})", rank);
    const std::string events = training_events(shape, [&](TinyEvents& into, int step, double begin, int correlation) {
      const double arrives = begin + 2'000 + rank;
      into.launch(arrives - 250, correlation);
      into.run(
          {.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
           .begin = arrives,
           .length = begin + 2'400 - arrives,
           .correlation = correlation,
           .stream = 20,
           .arguments = fmt::format(R"("Collective name": "allreduce", "In msg nelems": 20000000, "Group size": 4,)"
                                    R"("dtype": "Half", "Process Group Name": "0",)"
                                    R"("Process Group Ranks": "[0, 1, 2, 3]", "Seq": {})",
                                    step)});
    });
    folder.write(fmt::format("rank{}.json", rank), trace_of(events, training_metadata(shape)));
  }
  const rules::Evaluation evaluation = rules_evaluated(*load(folder.path()));
  CHECK(found_rules(evaluation) == std::vector<std::string>{});
  CHECK(outcome_of(evaluation, "LateRank").verdict == Verdict::no_issues);
  CHECK(outcome_of(evaluation, "RankImbalance").verdict == Verdict::no_issues);
}

TEST_CASE("LateRank reports the late rank and the cause") {
  const TestFolder folder;
  const auto profile = ranks_job(folder, 2, 1.3);
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  const rules::Outcome& outcome = outcome_of(evaluation, "LateRank");
  REQUIRE(outcome.findings.size() == 1);
  const rules::Finding& finding = outcome.findings.front();
  CHECK(finding.headline.starts_with("Rank 2: kernels 1.3× slower, "));
  CHECK(finding.culprit.kind == rules::CulpritKind::rank);
  CHECK(finding.culprit.ranks == std::vector<std::int64_t>{2});
  // 300 µs before each of three collectives.
  INFO(finding.headline);
  CHECK(within_percent(static_cast<double>(evaluation.findings.front().saving), 900'000, 5));
  CHECK(evaluation.findings.front().rule->name == "LateRank");
  REQUIRE_FALSE(finding.places.empty());
  for (const rules::Place& place : finding.places) CHECK(profile->ranks[place.rank.value()]->number == 2);
  // The values of IdleGpu add up to its idle time.
  const Table& causes = outcome_of(evaluation, "IdleGpu").details.front().table;
  CHECK(causes.rows() == 4 * (analysis::kTimeLabels - analysis::kFirstIdle - 1));
}

namespace {

/// Rules and headlines of the findings with a replayed saving, for a generated job with these faults.
std::vector<std::pair<std::string, std::string>> replayed_findings(std::initializer_list<const char*> faults,
                                                                   int pipeline = 1, int tensor = 1) {
  tracegen::Options options = small_job(8);
  options.layout = tracegen::Layout::minified;
  options.steps = 6;
  options.layers = 2;
  options.pipeline = pipeline;
  options.tensor = tensor;
  for (const char* fault : faults) options.faults.push_back(*tracegen::parse_fault(fault));
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  const auto profile = load(folder.path());
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  const Table causes = tables_of(*profile, "what_if").front();
  std::set<Ns> step_times;  // as causes are fixed one after another
  for (std::size_t row = 0; row < causes.rows(); ++row)
    step_times.insert(integer(causes, row, "step with all above fixed"));
  std::vector<std::pair<std::string, std::string>> found;
  Ns sum = 0;
  for (const rules::Ranked& each : evaluation.findings) {
    if (each.finding.cause.empty()) continue;
    found.emplace_back(each.rule->name, each.finding.headline);
    sum += each.saving_high;
    CHECK(step_times.contains(each.finding.step_time));
  }
  CHECK(evaluation.fixed_step_time == evaluation.step_time - sum);
  return found;
}

bool has_finding(const std::vector<std::pair<std::string, std::string>>& findings, std::string_view rule,
                 std::string_view headline) {
  for (const auto& [name, text] : findings) UNSCOPED_INFO(name << ": " << text);
  return std::ranges::any_of(findings,
                             [&](const auto& each) { return each.first == rule && each.second.starts_with(headline); });
}

}  // namespace

TEST_CASE("each of two faults is a finding, even one that happens only once") {
  for (const auto& [rule, headline] : replayed_findings({})) CHECK(headline.find("ank ") == std::string::npos);
  const auto found = replayed_findings({"slow-kernels@5=1.3", "data-loader@2=25,step=3"});
  CHECK(has_finding(found, "LateRank", "Rank 5: kernels 1.3× slower, "));
  CHECK(has_finding(found, "DataLoader", "Rank 2: waiting for the data loader in ProfilerStep#13, "));
  CHECK(has_finding(replayed_findings({"slow-host@4=2"}), "LateRank", "Rank 4: host 1.9× slower, "));
}

TEST_CASE("a garbage collection on one rank is a finding of HostStall") {
  CHECK(has_finding(replayed_findings({"gc@2=12"}), "HostStall", "Rank 2: Python's garbage collection, "));
}

TEST_CASE("the slow rank of a pipeline is reported, not the one that waits for it") {
  for (const int pipeline : {2, 4}) {
    const auto found = replayed_findings({"slow-kernels@1=1.3"}, pipeline);
    for (const auto& [rule, headline] : found) UNSCOPED_INFO(rule << ": " << headline);
    CHECK(std::ranges::any_of(found, [](const auto& each) {
      return (each.first == "LateRank" || each.first == "RankImbalance") &&
             (each.second.starts_with("Rank 1: ") || each.second.find("(rank 1)") != std::string::npos);
    }));
  }
}

TEST_CASE("ranks that arrive together are not late") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*ranks_job(folder, 2, 1.0));
  CHECK(outcome_of(evaluation, "LateRank").verdict == Verdict::no_issues);
  CHECK(outcome_of(evaluation, "RankImbalance").verdict == Verdict::no_issues);
}

TEST_CASE("a rank that runs more kernels is late") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*ranks_job(folder, 2, 1.3, false, true));
  const rules::Ranked& first = evaluation.findings.front();
  INFO(first.finding.headline);
  CHECK(first.rule->name == "LateRank");
  CHECK(first.finding.culprit.ranks == std::vector<std::int64_t>{2});
}

TEST_CASE("LateRank and ExposedCommunication save at most the exposed time") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*ranks_job(folder, 2, 1.3));
  Ns saved = 0;  // per step
  for (const rules::Ranked& each : evaluation.findings)
    if (each.rule->name == "LateRank" || each.rule->name == "ExposedCommunication") saved += each.saving;
  CHECK(saved > 0);
  // Three times a step, the others wait for 300 µs, and all transfer for 99 µs.
  CHECK(saved <= 3 * (300'000 + 99'000 + 1'000));
}

TEST_CASE("rule settings are checked") {
  CHECK_FALSE(rules::check_settings(std::vector<analysis::Setting>{{"stepoutlier_STDDEV", "3"}}));
  const Failure unknown = rules::check_settings(std::vector<analysis::Setting>{{"StepOutlier_sigma", "3"}});
  REQUIRE(unknown);
  CHECK(unknown->advice.find("StepOutlier_stddev") != std::string::npos);
  const Failure invalid = rules::check_settings(std::vector<analysis::Setting>{{"StepOutlier_stddev", "many"}});
  REQUIRE(invalid);
  CHECK(invalid->where == "StepOutlier_stddev");
}

TEST_CASE("TraceQuality reports disagreeing clocks and lists options that are off") {
  const auto recorded = [](int rank, double start) {
    TinyEvents events;
    int correlation = 1;
    for (int s = 0; s < 3; ++s) {
      const double begin = start + s * 10'000;
      events.step(s + 1, begin, 10'000);
      for (int k = 0; k < 50; ++k, ++correlation) {
        events.launch(begin + k * 199 + 1, correlation);
        events.run({.name = k == 25 ? "ncclDevKernel_AllReduce" : "gemm",
                    .begin = begin + k * 199 + 5,
                    .length = 190,
                    .correlation = correlation});
      }
    }
    return trace_of(
        events.text(),
        fmt::format(R"("record_shapes": 0, "with_stack": 1, "distributedInfo": {{"rank": {}, "world_size": 2}})",
                    rank));
  };
  const TestFolder folder;
  folder.write("rank0.json", recorded(0, 1'000));
  folder.write("rank1.json", recorded(1, 1'000));
  const rules::Evaluation good = rules_evaluated(*load(folder.path()));
  CHECK(outcome_of(good, "TraceQuality").findings.empty());
  CHECK(outcome_of(good, "TraceQuality").why.ends_with(" Recorded without input shapes (record_shapes)."));
  folder.write("rank1.json", recorded(1, 10'000'000));
  const rules::Evaluation apart = rules_evaluated(*load(folder.path()));
  REQUIRE(outcome_of(apart, "TraceQuality").findings.size() == 1);
  CHECK(outcome_of(apart, "TraceQuality").findings.front().headline.starts_with("The ranks' clocks disagree"));
  CHECK(outcome_of(apart, "TraceQuality").findings.front().hint);
}
