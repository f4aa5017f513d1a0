// Jobs with known faults, simulated and rebuilt from real ones: who is at fault, why, and what fixing it saves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/load_profile.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::CulpritKind;

namespace {

struct ExpectedFault {
  std::string_view job;
  std::string_view cause;
  CulpritKind culprit = CulpritKind::job;
  std::vector<std::int64_t> ranks{};
  double saving_ms = 0;  ///< 0: from truth.json
};

std::shared_ptr<const trace::Profile> case_profile(const std::string& folder, std::string_view job) {
  const auto shared = shared_dir();
  if (!shared) return nullptr;
  std::filesystem::path path = *shared / "cases" / folder / job;
  if (!std::filesystem::exists(path)) path += ".json.gz";
  if (!std::filesystem::exists(path)) return nullptr;
  const auto profile = load_profile(path.string());
  REQUIRE(profile.ok());
  return *profile;
}

/// Returns "saving_ms" of a job in truth.json.
double true_saving(std::string_view job) {
  std::ifstream in(*shared_dir() / "cases/simulated/truth.json");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = text.find(fmt::format("\"{}\"", job));
  REQUIRE(at != std::string::npos);
  const std::string_view key = "\"saving_ms\":";
  return std::strtod(text.c_str() + text.find(key, at) + key.size(), nullptr);
}

std::string notes_of(const rules::Evaluation& evaluation) {
  std::string text;
  for (const rules::Ranked& each : evaluation.findings)
    if (each.finding.hint) {
      text += each.finding.headline + "\n";
      for (const std::string& line : each.finding.evidence_lines) text += line + "\n";
    }
  return text;
}

void check_fault(const rules::Evaluation& evaluation, const ExpectedFault& expected, double saving_ms) {
  INFO(expected.job);
  const auto found = std::ranges::find_if(
      evaluation.findings, [&](const rules::Ranked& each) { return each.finding.cause == expected.cause; });
  REQUIRE(found != evaluation.findings.end());
  const rules::Finding& finding = found->finding;
  INFO(finding.headline);
  CHECK(finding.headline.size() <= 100);  // bytes; at most 90 characters
  CHECK(finding.culprit.kind == expected.culprit);
  if (!expected.ranks.empty()) CHECK(finding.culprit.ranks == expected.ranks);
  if (saving_ms > 0) CHECK(std::abs(static_cast<double>(found->saving) / 1e6 - saving_ms) <= 0.25 * saving_ms);
  // Nobody else is accused.
  for (const rules::Ranked& each : evaluation.findings) {
    if (each.finding.cause.empty() || each.finding.cause == expected.cause) continue;
    INFO(each.finding.headline);
    CHECK((each.finding.culprit.kind == CulpritKind::all_ranks || each.finding.culprit.kind == CulpritKind::job));
  }
}

}  // namespace

TEST_CASE("faults of simulated jobs are found, with culprit, cause and saving") {
  const std::vector<ExpectedFault> jobs{
      {"ddp32_slow_node", "slow_gpu", CulpritKind::node, {16, 17, 18, 19, 20, 21, 22, 23}},
      {"ddp8_ckpt_once", "checkpoint", CulpritKind::rank, {0}},
      {"ddp8_item_layer", "waits", CulpritKind::all_ranks},
      {"fsdp8_gc_everyone", "pauses", CulpritKind::all_ranks},
      {"fsdp8_truncated_nobase", "slow_gpu", CulpritKind::rank, {1}},
      {"pair_two_gpus", "slow_gpu", CulpritKind::ranks, {2, 5}},
      {"pp4_loader_first", "data_loader", CulpritKind::rank, {0}},
      {"pp4_unbalanced", "slow_gpu", CulpritKind::rank, {2}},
      {"tp4dp2_slowlink_tp", "slow_group", CulpritKind::group, {4, 5, 6, 7}},
      {"tp8_stalls_hostbound", "pauses", CulpritKind::all_ranks},
  };
  for (const ExpectedFault& expected : jobs)
    if (const auto profile = case_profile("simulated", expected.job))
      check_fault(rules_evaluated(*profile), expected, true_saving(expected.job));
}

TEST_CASE("a healthy pipeline has no finding that blames a rank") {
  const auto profile = case_profile("simulated", "pp4_healthy");
  if (!profile) return;
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  for (const rules::Ranked& each : evaluation.findings) {
    INFO(each.finding.headline);
    CHECK(each.finding.hint);
  }
  CHECK(rules::summary(evaluation).find("The stages of this pipeline are balanced") != std::string::npos);
}

TEST_CASE("jobs without a late rank or slow transfers have no such finding") {
  const auto causes = [](std::string_view job) {
    const auto profile = case_profile("rebuilt", job);
    if (!profile) return std::string("skipped");
    const rules::Evaluation evaluation = rules_evaluated(*profile);
    std::string all = rules::summary(evaluation).starts_with("No issue") ? "no issue " : "";
    for (const rules::Ranked& each : evaluation.findings)
      all += std::string(each.finding.cause) + (each.finding.hint ? "" : " ");
    return all;
  };
  if (causes("12-pipeline-bubble-late-ranks") == "skipped") return;
  CHECK(causes("12-pipeline-bubble-late-ranks").empty());
  CHECK(causes("03b-slow-collectives-one-pipeline-rank").empty());
  CHECK(causes("01-graph-launched-late") == "launches ");
  CHECK(causes("13-few-kernels-no-issue").starts_with("launches "));
}

TEST_CASE("a late rank of a slow group has its cause, and small parts have their share") {
  const auto profile = case_profile("simulated", "tp4dp2_slowlink_tp");
  if (!profile) return;
  const Table late = tables_of(*profile, "late_ranks").front();
  CHECK(late.at(0, late.columns().size() - 1).text().ends_with("slower"));
  const rules::Evaluation evaluation = rules_evaluated(*case_profile("simulated", "ddp8_item_layer"));
  const auto collectives = std::ranges::find(evaluation.rules, "ExposedCommunication",
                                             [](const rules::Evaluated& each) { return each.rule->name; });
  CHECK(collectives->outcome.why.find(" % of the GPU time)") != std::string::npos);
}

TEST_CASE("ranks that start recording apart are noted if there is only one step") {
  const auto shared = shared_dir();
  if (!shared) return;
  const auto profile = load_profile((*shared / "traces/dlrm8").string());
  REQUIRE(profile.ok());
  CHECK(notes_of(rules_evaluated(**profile)).find("The ranks start the step up to ") != std::string::npos);
}

TEST_CASE("a slow group is compared with others, and places show what to look at") {
  const auto first = [](std::string_view folder, std::string_view job) -> std::optional<rules::Finding> {
    const auto profile = case_profile(std::string(folder), job);
    if (!profile) return std::nullopt;
    const rules::Evaluation evaluation = rules_evaluated(*profile);
    REQUIRE_FALSE(evaluation.findings.empty());
    REQUIRE_FALSE(evaluation.findings.front().finding.places.empty());
    return evaluation.findings.front().finding;
  };
  const auto link = first("simulated", "tp4dp2_slowlink_tp");
  if (!link) return;
  CHECK(link->evidence_lines.back() ==
        "Compared with other groups of 4 ranks: all-reduce of the same size takes 607 µs here, 123 µs there.");
  const auto waits = first("simulated", "ddp8_item_layer");
  CHECK(waits->places.front().text == "cudaStreamSynchronize");
  CHECK(waits->places.front().weight > 100'000);  // GPU idle time after it
  const auto slow = first("simulated", "pp4_unbalanced");
  const auto& lines = slow->evidence_lines;
  CHECK(std::ranges::any_of(lines, [&](const std::string& line) {
    return line.find(slow->places.front().text) != std::string::npos;  // the kernel that is named
  }));
  const auto stalls = first("simulated", "tp8_stalls_hostbound");
  CHECK(stalls->headline.starts_with("All ranks: host pauses in aten::empty and other calls, "));
  CHECK(first("rebuilt", "12b-pipeline-slow-stage")->cause == "heavy_stage");
}

TEST_CASE("faults of rebuilt jobs are found, with culprit, cause and saving") {
  const std::vector<ExpectedFault> jobs{
      {"04-sync-blamed-for-data-loading", "data_loader", CulpritKind::job, {}, 6.0},
      {"05-slow-node-names-one-rank", "slow_gpu", CulpritKind::node, {4, 5, 6, 7}, 1.80},
      {"06-half-the-ranks-have-more-work", "slow_gpu", CulpritKind::node, {4, 5, 6, 7}, 1.80},
      {"07-two-slow-ranks-names-one", "slow_gpu", CulpritKind::ranks, {2, 5}, 3.0},
      {"12b-pipeline-slow-stage", "heavy_stage", CulpritKind::stage, {2}},
      {"17-alternating-late-rank", "slow_steps", CulpritKind::all_ranks, {}, 3.0},
      {"18-what-if-all-ranks", "slow_gpu", CulpritKind::rank, {1}, 3.0},
  };
  for (const ExpectedFault& expected : jobs)
    if (const auto profile = case_profile("rebuilt", expected.job))
      check_fault(rules_evaluated(*profile), expected, expected.saving_ms);
}

TEST_CASE("damage that changes conclusions is noted, and what depends on it is not reported") {
  const auto skewed = case_profile("rebuilt", "09-gpu-clock-behind-host.json.gz");
  if (!skewed) return;
  const rules::Evaluation clocks = rules_evaluated(*skewed);
  INFO(notes_of(clocks));
  CHECK(notes_of(clocks).find("clocks of host and GPU contradict") != std::string::npos);
  for (const rules::Ranked& each : clocks.findings) CHECK(each.finding.cause != "launches");
  const auto cycles = case_profile("rebuilt", "15-two-cycles-count-gpus-twice");
  CHECK(rules_evaluated(*cycles).window.find(" on 2 GPUs") != std::string::npos);
  const auto overflow = case_profile("rebuilt", "08-kernel-overflows-stream");
  CHECK(overflow->diagnostics.count("kernel-overflow") == 1);
  const rules::Evaluation clipped = rules_evaluated(*overflow);
  for (const rules::AccountPart& part : clipped.account)
    if (part.label == analysis::TimeLabel::computation) CHECK(part.share == Approx(0.31).margin(0.02));
  const rules::Evaluation ascend = rules_evaluated(*case_profile("rebuilt", "16-ascend-trace-view.json.gz"));
  CHECK(notes_of(ascend).find("Ascend NPU, which is not supported") != std::string::npos);
}

TEST_CASE("a cause gets at most the time during which it ran") {
  const auto saving_of = [](std::string_view job, std::string_view cause) {
    const auto profile = case_profile("rebuilt", job);
    if (!profile) return 0.0;
    for (const rules::Ranked& each : rules_evaluated(*profile).findings)
      if (each.finding.cause == cause) return static_cast<double>(each.saving) / 1e6;
    return 0.0;
  };
  CHECK(saving_of("04-sync-blamed-for-data-loading", "waits") <= 2.8);
  CHECK(saving_of("04b-20us-sync-on-another-thread", "waits") <= 0.02);
  CHECK(saving_of("04c-8us-malloc", "allocation") <= 0.008);
  CHECK(saving_of("04e-real-hipmalloc-421us", "allocation") <= 0.5);
  CHECK(saving_of("02-launch-waits-for-stream", "waits") <= 1.3);
  CHECK(saving_of("03-slow-collectives-one-rank", "slow_transfers") == 0);
  // The next step needs the all-reduce that the host waits for.
  CHECK(saving_of("05-slow-node-names-one-rank", "waits") == 0);
}

TEST_CASE("a checkpoint is shown in the step that contains it") {
  const auto profile = case_profile("simulated", "ddp8_ckpt_once");
  if (!profile) return;
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  REQUIRE(evaluation.findings.size() == 1);
  const rules::Finding& finding = evaluation.findings.front().finding;
  CHECK(finding.culprit.step == "ProfilerStep#13");
  REQUIRE_FALSE(finding.places.empty());
  CHECK(rules::place_words(finding.places.front(), *profile) == "rank 0: save_checkpoint");
  CHECK(finding.evidence_lines.back() == "The call is in ProfilerStep#13; the GPU waits for it in ProfilerStep#14.");
}

TEST_CASE("the account and the findings agree about waits for the GPU") {
  const auto profile = case_profile("simulated", "ddp8_item_layer");
  if (!profile) return;
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  CHECK(found_rules(evaluation) == std::vector<std::string>{"HostSync"});
  for (const rules::AccountPart& part : evaluation.account) {
    if (part.label == analysis::TimeLabel::sync) CHECK(part.share > 0.15);
    if (part.label == analysis::TimeLabel::launch) CHECK(part.share < 0.01);
  }
}

TEST_CASE("kernels and memory that are as they should be are not reported") {
  const auto gemv = case_profile("rebuilt", "10-gemv-bf16-tensor-cores");
  if (!gemv) return;
  CHECK(rules_evaluated(*gemv).findings.empty());
  const rules::Evaluation server = rules_evaluated(*case_profile("rebuilt", "20-vllm-reserves-by-design"));
  CHECK(found_rules(server) == std::vector<std::string>{"TraceQuality"});
  CHECK(notes_of(server).find("capture of CUDA graphs (capture_32_FULL)") != std::string::npos);
  // One of four ranks: transfers of 0.8 ms, the rest may be waiting.
  for (const rules::Ranked& each : rules_evaluated(*case_profile("rebuilt", "03-slow-collectives-one-rank")).findings)
    if (each.rule->name == "SlowCollective") CHECK(each.saving <= 400'000);
}

TEST_CASE("a host that launches a CUDA graph late is found, with advice for its framework") {
  const auto jax = case_profile("rebuilt", "14-jax-gets-ddp-advice");
  if (!jax) return;
  const rules::Evaluation evaluation = rules_evaluated(*jax);
  REQUIRE_FALSE(evaluation.findings.empty());
  const rules::Ranked& first = evaluation.findings.front();
  CHECK(first.finding.cause == "launches");
  CHECK(first.saving >= 2'820'000);
  CHECK(first.finding.advice.find("jax.jit") != std::string::npos);
}

TEST_CASE("late launches of a pipeline are part of the heavy stage's saving, which is a range") {
  const auto profile = case_profile("rebuilt", "12b-pipeline-slow-stage");
  if (!profile) return;
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  REQUIRE(rules::issues_in(evaluation) == 1);
  const rules::Ranked& stage = evaluation.findings.front();
  CHECK(stage.finding.headline.find("up to ") != std::string::npos);
  CHECK(evaluation.fixed_step_time == evaluation.step_time - stage.saving_high);
  CHECK(rules::summary(evaluation).find(" at best ") != std::string::npos);
}

TEST_CASE("idle time before the first GPU activity has the cause that the host shows") {
  const auto shared = shared_dir();
  if (!shared) return;
  // Batches are loaded for 619 ms: 128 ms before the first kernel, then 491 ms.
  const auto profile = load_profile((*shared / "traces/h100_inference").string());
  REQUIRE(profile.ok());
  const rules::Evaluation evaluation = rules_evaluated(**profile);
  for (const rules::AccountPart& part : evaluation.account) {
    if (part.label == analysis::TimeLabel::unknown) CHECK(part.share < 0.01);
    if (part.label == analysis::TimeLabel::data_loader)
      CHECK(std::abs(static_cast<double>(part.time) / 1e6 - 619) < 10);
  }
}

TEST_CASE("allocations save their time although the launch after them is slow") {
  const auto shared = shared_dir();
  if (!shared) return;
  // cudaMalloc and cudaFree take 8.4 of 12.9 s.
  const auto profile = load_profile((*shared / "traces/critical_path/alexnet").string());
  REQUIRE(profile.ok());
  const rules::Evaluation evaluation = rules_evaluated(**profile);
  const rules::Ranked& first = evaluation.findings.front();
  CHECK(first.finding.cause == "allocation");
  CHECK(std::abs(static_cast<double>(first.saving) / 1e9 - 8.4) < 0.4);
}

TEST_CASE("a few kernels are too little data, for the rules and for what_if") {
  const auto profile = case_profile("rebuilt", "20-vllm-reserves-by-design");
  if (!profile) return;
  CHECK(rules::summary(rules_evaluated(*profile)).starts_with("Too little data to find issues: 7 kernels"));
  const Table faults = tables_of(*profile, "what_if").front();
  CHECK(faults.rows() == 0);
  CHECK(faults.note.starts_with("7 kernels recorded"));
}

TEST_CASE("launches that are late in a few long gaps get advice about the host's other work") {
  const auto profile = case_profile("rebuilt", "22-profiler-start-skew");
  if (!profile) return;
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  const rules::Finding& first = evaluation.findings.front().finding;
  CHECK(first.cause == "launches");
  CHECK(first.advice.find("gaps longer than 1 ms") != std::string::npos);
}
