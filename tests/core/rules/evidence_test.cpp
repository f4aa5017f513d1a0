// Charts of findings: their values add up to those in the finding.
#include <numeric>

#include "core/base/format.hpp"
#include "tests/core/rules/sampled_job.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Evidence;

namespace {

double sum_of(const Evidence& evidence) {
  return std::accumulate(evidence.bars.begin(), evidence.bars.end(), 0.0,
                         [](double sum, const Evidence::Bar& bar) { return sum + bar.value; });
}

const rules::Ranked* ranked(const rules::Evaluation& evaluation, std::string_view rule) {
  const auto found =
      std::ranges::find_if(evaluation.findings, [&](const rules::Ranked& each) { return each.rule->name == rule; });
  return found == evaluation.findings.end() ? nullptr : &*found;
}

/// A loader that takes 2 ms of each step, and 1 ms more in the step with this index.
std::shared_ptr<const trace::Profile> loading_profile(int slow) {
  return training_profile({.hole_begin = 1'000, .hole_end = 4'000},
                          [&](TinyEvents& events, int step, double begin, int) {
                            events.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                                              begin + 1'000, step == slow ? 3'000 : 2'000);
                          });
}

}  // namespace

TEST_CASE("bars are sorted, and those after the fifth are merged") {
  std::vector<Evidence::Bar> bars;
  for (int i = 1; i <= 9; ++i) bars.push_back({"b" + std::to_string(i), static_cast<double>(i)});
  bars.push_back({"zero", 0});
  const Evidence evidence = rules::largest_bars("title", ColumnKind::duration, bars);
  REQUIRE(evidence.bars.size() == 6);
  CHECK(evidence.bars[0].label == "b9");
  CHECK(evidence.bars[4].label == "b5");
  CHECK(evidence.bars[5].label == "4 others");
  CHECK(evidence.bars[5].value == 1 + 2 + 3 + 4);
  CHECK(rules::largest_bars("", ColumnKind::duration, {{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"e", 5}, {"f", 6}})
            .bars.back()
            .label == "a");
  CHECK(rules::largest_bars("a single bar compares nothing", ColumnKind::duration, {{"a", 1}}).bars.empty());
}

TEST_CASE("columns over time are means of equally many samples") {
  std::vector<Ns> times(1'000);
  std::vector<double> values(1'000);
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = 5'000'000'000 + static_cast<Ns>(i) * 1'000'000'000;
    values[i] = static_cast<double>(i);
  }
  const Evidence evidence = rules::over_time("title", ColumnKind::share, times, values, 5'000'000'000);
  REQUIRE(evidence.bars.size() == rules::kMostColumns);
  for (std::size_t c = 0; c < evidence.bars.size(); ++c)
    CHECK(evidence.bars[c].value == Approx(10 * static_cast<double>(c) + 4.5));
  CHECK(evidence.bars[0].label == format_time_at(0, 10'000'000'000));
  CHECK(evidence.bars[2].label == format_time_at(20'000'000'000, 10'000'000'000));
  CHECK(rules::over_time("", ColumnKind::share, {}, {}, 0).bars.empty());
}

TEST_CASE("the chart of a data loader shows each evaluated step") {
  const auto profile = loading_profile(3);
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  const rules::Ranked* loader = ranked(evaluation, "DataLoader");
  REQUIRE(loader != nullptr);
  const Evidence& evidence = loader->finding.evidence;
  CHECK(evidence.title == "Idle time during data loading in each step");
  REQUIRE(evidence.bars.size() == 6);
  CHECK(within_percent(sum_of(evidence) / 6, static_cast<double>(loader->saving), 5));
  for (std::size_t s = 0; s < evidence.bars.size(); ++s) {
    CHECK(evidence.bars[s].label == "ProfilerStep#" + std::to_string(s + 2));
    CHECK(evidence.bars[s].value == Approx(s == 2 ? 2.8e6 : 2e6).margin(2e4));
  }
}

TEST_CASE("charts of real traces add up to the cost of their finding") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  const auto profile = load(*shared / "traces" / "v100_5steps");
  const rules::Evaluation evaluation = rules_evaluated(*profile, {{"LaunchBound_share", "0.9"}});
  const rules::Ranked* idle = ranked(evaluation, "IdleGpu");
  REQUIRE(idle != nullptr);
  CHECK(sum_of(idle->finding.evidence) == Approx(static_cast<double>(idle->cost)).margin(10));
  const auto tables = rules::tables(evaluation, *profile);
  const auto table = std::ranges::find(tables, "evidence", &Table::id);
  REQUIRE(table != tables.end());
  std::size_t bars = 0;
  for (const rules::Ranked& each : evaluation.findings) bars += each.finding.evidence.bars.size();
  CHECK(table->rows() == bars);
}

TEST_CASE("the chart of an underused GPU shows its samples") {
  const auto profile = sampled_profile({{.gpus = {always(90), [](std::size_t i) { return i < 600 ? 20.0 : 40.0; }}}});
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  const rules::Ranked* low = ranked(evaluation, "LowGPUUtilization");
  REQUIRE(low != nullptr);
  const Evidence& evidence = low->finding.evidence;
  CHECK(evidence.title == "Utilization of GPU 1 of algo-1");
  REQUIRE(evidence.bars.size() == rules::kMostColumns);
  CHECK(evidence.bars.front().value == Approx(0.2));
  CHECK(evidence.bars.back().value == Approx(0.4));
}

TEST_CASE("LaunchBound and IdleGpu report the code with the most idle time") {
  // Gaps of 15 µs after each kernel of 20 µs. Of 4280 µs of idle time per step, 2575 are in the backward pass.
  const auto loaded = training_profile(
      {.kernel = 20, .gap = 15, .lead = 4}, [](TinyEvents& events, int step, double begin, int correlation) {
        if (step == 0) events.annotation("epoch", 500, 100'000);
        events.op("autograd::engine::evaluate_function: MmBackward0", begin + 3'000, 6'000, 101);
        events.op("MmBackward0", begin + 3'001, 5'990, 101);
        events.launch(begin + 3'002, correlation, "cudaLaunchKernel", 0.5, 101);
        events.run({.name = "gemm", .begin = begin + 3'010, .length = 5, .correlation = correlation, .stream = 8});
        events.annotation("Optimizer.step#SGD.step", begin + 9'000, 900);
        events.op("aten::add_", begin + 9'100, 700);
        events.op("waits in another thread", begin, 9'990, 102);
      });
  const rules::Evaluation evaluation = rules_evaluated(*loaded);
  const rules::Ranked* launches = ranked(evaluation, "LaunchBound");
  REQUIRE(launches != nullptr);
  const rules::Finding& found = launches->finding;
  CHECK(found.evidence_lines.back().ends_with("; 60.2 % of the idle time is in MmBackward0."));
  CHECK(found.places.front().text == "cudaLaunchKernel");  // the call that ends the longest gap
  CHECK(found.places.front().weight.value_or(0) > 10'000);  // idle time before it
  CHECK(found.evidence.title == "Launch delays per step, by code");
  REQUIRE(found.evidence.bars.size() == 3);
  CHECK(found.evidence.bars[0].label == "MmBackward0");
  CHECK(found.evidence.bars[1].label == "outside operators and annotations");
  CHECK(found.evidence.bars[2].label == "Optimizer.step#SGD.step");
  const rules::Evaluation unexplained = rules_evaluated(*loaded, {{"LaunchBound_share", "0.9"}});
  const rules::Ranked* idle = ranked(unexplained, "IdleGpu");
  REQUIRE(idle != nullptr);
  CHECK(idle->finding.evidence_lines.front().ends_with("; 60.2 % of the idle time is in MmBackward0."));
  CHECK(std::ranges::count(idle->finding.places, "MmBackward0", &rules::Place::text) == 3);
}
