// Rules that compare ranks.
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
      events.step(s + 1, begin, 3'000 * factor + 300);
      for (int part = 0; part < 3; ++part) {
        const double ready = begin + 1'000 * factor;
        const double own = rank == slow ? factor : 1;
        const double each = more ? 1 : own;
        for (int k = 0; k * each < 10 * own - 0.001; ++k) {
          events.launch(begin + k * 100 * each - 200, correlation);
          events.run({.name = "fp16_s16816gemm",
                      .begin = begin + k * 100 * each,
                      .length = 99 * each,
                      .correlation = correlation++});
        }
        const double arrives = begin + 1'000 * own;
        events.launch(arrives - 150, correlation);
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
          events.launch(arrives - 140, correlation);
          events.run({.name = "fp16_s16816gemm",
                      .begin = arrives,
                      .length = ready - arrives,
                      .correlation = correlation++,
                      .stream = 8});
        }
        begin = ready + 100;
      }
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
  CHECK(
      finding.sentence.starts_with("Rank 2 arrives last in 12 of 12 collectives; waiting for it takes 675 µs of each "
                                   "4.20 ms step, averaged over all GPUs."));
  CHECK(finding.sentence.find("Its kernels take 1.30 times as long as the median rank's. If the rank were as fast as "
                              "its peers, the job would take ") != std::string::npos);
  // Three other ranks wait 300 µs in each of 12 collectives; without the delay, all four ranks would be faster.
  CHECK(finding.cost == 3 * 12 * 300'000);
  CHECK(finding.bound == finding.cost);
  CHECK(outcome_of(evaluation, "RankImbalance").verdict == Verdict::issues_found);
  CHECK(outcome_of(evaluation, "RankImbalance").why.ends_with("see LateRank."));
  CHECK(evaluation.findings.front().rule->name == "LateRank");
  REQUIRE_FALSE(finding.places.empty());
  CHECK(profile->ranks[finding.places.front().rank.value()]->number == 2);
  REQUIRE(outcome.details.size() == 1);
  const Table& by_rank = outcome.details.front().table;
  CHECK(by_rank.rows() == 4);
  CHECK(by_rank.at(2, 2).integer() == 12);
  CHECK(by_rank.at(2, 4).integer() == finding.cost);
  // The values of IdleGpu add up to its idle time.
  const Table& causes = outcome_of(evaluation, "IdleGpu").details.front().table;
  CHECK(causes.rows() == 4 * rules::kIdleCauseWords.size());
}

TEST_CASE("LateRank reports the call that makes a rank late") {
  tracegen::Options options = small_job(4);
  options.layout = tracegen::Layout::minified;
  options.steps = 6;
  options.layers = 2;
  options.faults = {*tracegen::parse_fault("gc@2=12")};
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  const rules::Evaluation evaluation = rules_evaluated(*load(folder.path()));
  const rules::Outcome& outcome = outcome_of(evaluation, "LateRank");
  INFO(outcome.why);
  REQUIRE(outcome.findings.size() == 1);
  const std::string& sentence = outcome.findings.front().sentence;
  INFO(sentence);
  CHECK(sentence.starts_with("Rank 2 arrives last in "));
  CHECK(sentence.find(" Cause: gc.collect takes ") != std::string::npos);
  CHECK(sentence.find(" longer in ProfilerStep#") != std::string::npos);
  CHECK(outcome.findings.front().places.front().text == "gc.collect");
  CHECK(outcome.findings.front().advice.starts_with("Look at the slow call on the rank's launching thread"));
}

namespace {

struct LateAnswers {
  std::vector<std::string> findings;  ///< sentences of LateRank
  std::string dashboard;              ///< sentence on a late rank; "" without one
};

/// Of eight replicas, or of two to four replicas of a pipeline, with these faults.
LateAnswers late_answers(std::initializer_list<const char*> faults, int pipeline = 1, int tensor = 1) {
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
  LateAnswers answers;
  for (const rules::Finding& finding : outcome_of(evaluation, "LateRank").findings) {
    answers.findings.push_back(finding.sentence);
    CHECK(finding.bound <= finding.cost);
    CHECK_FALSE(finding.places.empty());
    for (const rules::Place& place : finding.places)
      CHECK(std::ranges::count(finding.places, place.slice, &rules::Place::slice) == 1);
    // Each finding leads to its rank.
    for (const rules::Place& place : finding.places)
      CHECK(finding.sentence.find(fmt::format("ank {}", profile->ranks[place.rank.value()]->number)) !=
            std::string::npos);
  }
  const Table dominates = tables_of(*profile, "what_dominates").front();
  for (std::size_t row = 0; row < dominates.rows(); ++row)
    if (const auto by = text(dominates, row, "analysis"); by == "late_ranks" || by == "late_causes")
      answers.dashboard = text(dominates, row, "answer");
  return answers;
}

}  // namespace

TEST_CASE("LateRank reports each of two faults, even one that happens only once") {
  CHECK(late_answers({}).findings.empty());
  const auto sentences = late_answers({"slow-kernels@5=1.3", "data-loader@2=25,step=3"}).findings;
  REQUIRE(sentences.size() == 2);
  INFO(sentences[0]);
  INFO(sentences[1]);
  CHECK(sentences[0].find("ank 2: enumerate(DataLoader)") != std::string::npos);
  CHECK(sentences[1].find("ank 5") != std::string::npos);
}

TEST_CASE("LateRank reports the slow rank of a pipeline, not the one that waits for it") {
  // Stage 0 ends each step last in its data-parallel group, because stage 1 is slow.
  const auto two = late_answers({"slow-kernels@1=1.3"}, 2);
  REQUIRE(two.findings.size() == 1);
  INFO(two.findings.front());
  CHECK(two.findings.front().find("because of rank 1: all kernels ×1.") != std::string::npos);
  INFO(two.dashboard);
  CHECK(two.dashboard.starts_with("Rank 1 makes the other ranks wait "));
  CHECK(two.dashboard.find(": all kernels ×1.") != std::string::npos);
  const auto slow = late_answers({"slow-kernels@5=1.3"});
  CHECK(slow.dashboard.starts_with("Rank 5 arrives last in "));
  CHECK(slow.dashboard.find(" Cause: all kernels ×1.") != std::string::npos);
  // The waits of four stages are pipeline bubbles, which are charged to no rank, so the replay decides.
  const auto four = late_answers({"slow-kernels@1=1.3"}, 4).findings;
  REQUIRE(four.size() == 1);
  INFO(four.front());
  CHECK(four.front().find("because of rank 1: all kernels ×1.29. If the rank were as fast as its peers, ") !=
        std::string::npos);
  // A kernel of stage 1 makes both ranks of stage 0 late in its replica.
  const auto grid = late_answers({"slow-kernel@6=3,name=flash"}, 2, 2).findings;
  REQUIRE(grid.size() == 1);
  INFO(grid.front());
  CHECK(grid.front().find("ank 6") != std::string::npos);
}

TEST_CASE("LateRank saves at most the exposed communication") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*ranks_job(folder, 2, 1.3, true));
  const rules::Outcome& outcome = outcome_of(evaluation, "LateRank");
  REQUIRE(outcome.findings.size() == 1);
  CHECK(outcome.findings.front().cost == 3 * 12 * 300'000);
  // On each of four ranks, the last 99 µs of 12 collectives.
  CHECK(outcome.findings.front().bound == 4 * 12 * 99'000);
}

TEST_CASE("ranks that arrive together are not late") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*ranks_job(folder, 2, 1.0));
  CHECK(outcome_of(evaluation, "LateRank").verdict == Verdict::no_issues);
  CHECK(outcome_of(evaluation, "RankImbalance").verdict == Verdict::no_issues);
}

TEST_CASE("RankImbalance fires just above its ratio") {
  const TestFolder folder;
  const auto profile = ranks_job(folder, 1, 1.15);
  CHECK(
      outcome_of(rules_evaluated(*profile, {{"RankImbalance_ratio", "1.14"}, {"LateRank_share", "1"}}), "RankImbalance")
          .verdict == Verdict::issues_found);
  CHECK(outcome_of(rules_evaluated(*profile, {{"RankImbalance_ratio", "1.16"}}), "RankImbalance").verdict ==
        Verdict::no_issues);
}

TEST_CASE("RankImbalance replaces LateRank if the late rank runs more kernels") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*ranks_job(folder, 2, 1.3, false, true));
  const rules::Ranked& first = evaluation.findings.front();
  INFO(first.finding.sentence);
  CHECK(first.rule->name == "RankImbalance");
  CHECK(first.finding.sentence.find("(1.30 times as long); waiting for it takes ") != std::string::npos);
  CHECK(first.cost == 3 * 3 * 99'000);
  CHECK(outcome_of(evaluation, "LateRank").findings.empty());
  CHECK(outcome_of(evaluation, "LateRank").why.ends_with(" See RankImbalance."));
}

TEST_CASE("RankImbalance and LateRank exclude truncated ranks") {
  const TestFolder folder;
  const auto write = [&](int rank, double length, bool whole) {
    TinyEvents events;
    for (int s = 0; s < 8; ++s) {
      const double begin = 1'000 + s * 10'000;
      events.step(s + 1, begin, 10'000);
      for (int k = 0; k < 50; ++k) {
        events.launch(begin + k * 200 - 150, s * 50 + k + 1);
        events.run(
            {.name = "fp16_s16816gemm", .begin = begin + k * 200, .length = length, .correlation = s * 50 + k + 1});
      }
    }
    const std::string text = trace_of(
        events.text(), fmt::format(R"("distributedInfo": {{"backend": "nccl", "rank": {}, "world_size": 3}})", rank));
    folder.write(fmt::format("rank{}.json", rank), whole ? text : text.substr(0, text.size() / 2));
  };
  write(0, 199, true);
  write(1, 60, false);
  const rules::Evaluation two = rules_evaluated(*load(folder.path()));
  CHECK(outcome_of(two, "RankImbalance").verdict == Verdict::not_evaluable);
  CHECK(outcome_of(two, "RankImbalance").why.ends_with(" Rank 1 is excluded because its trace ends early."));
  write(2, 199, true);
  const rules::Evaluation three = rules_evaluated(*load(folder.path()));
  CHECK(outcome_of(three, "RankImbalance").why ==
        "The largest compute time is 1.00 times the median. Rank 1 is excluded because its trace ends early.");
}

TEST_CASE("LateRank and ExposedCommunication together cover the exposed time") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*ranks_job(folder, 2, 1.3));
  const rules::Finding& late = outcome_of(evaluation, "LateRank").findings.front();
  const rules::Finding& exposed = outcome_of(evaluation, "ExposedCommunication").findings.front();
  CHECK(exposed.cost == 12 * (3 * 399'000 + 99'000));
  CHECK(late.bound + exposed.bound == exposed.cost);
  // Three ranks communicate for 399 µs and one for 99 µs, three times a step; none of it overlaps.
  CHECK(outcome_of(evaluation, "ExposedCommunication").why.starts_with("972 µs "));
  CHECK(exposed.sentence.find("mostly all-reduce.") != std::string::npos);
  CHECK(exposed.advice.find("bucket_cap_mb") != std::string::npos);
}

TEST_CASE("ExposedCommunication does not suggest to send fewer bytes if almost all of the time is waiting") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*ranks_job(folder, 2, 3.0));
  // Three transfers of 99 µs per step; three of four ranks wait for 2 ms each time.
  CHECK(outcome_of(evaluation, "ExposedCommunication").findings.front().advice ==
        "Find out why ranks arrive late: transferring data takes only 297 µs per step.");
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
  CHECK(outcome_of(apart, "TraceQuality").findings.front().sentence.starts_with("The ranks' clocks disagree"));
  CHECK(outcome_of(apart, "TraceQuality").findings.front().hint);
}
