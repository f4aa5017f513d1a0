// The charts of findings: their figures add up to what the finding says.
#include <numeric>

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

TEST_CASE("bars are sorted, and those from the sixth on are joined") {
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
  CHECK(evidence.title == "Idle time in each step");
  REQUIRE(evidence.bars.size() == 6);
  CHECK(sum_of(evidence) / 6 == Approx(static_cast<double>(loader->cost)).margin(1));
  for (std::size_t s = 0; s < evidence.bars.size(); ++s) {
    CHECK(evidence.bars[s].label == "ProfilerStep#" + std::to_string(s + 2));
    CHECK(evidence.bars[s].value == Approx(s == 2 ? 3e6 : 2e6).margin(2e4));
  }
}

TEST_CASE("charts of real traces add up to the cost of their finding") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  const auto profile = load(*shared / "traces" / "dlrm8");
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  const rules::Ranked* idle = ranked(evaluation, "IdleGpu");
  REQUIRE(idle != nullptr);
  CHECK(sum_of(idle->finding.evidence) == Approx(static_cast<double>(idle->cost)).margin(10));
  for (const std::string_view rule : {"DataLoader", "LaunchBound"}) {
    const rules::Ranked* found = ranked(evaluation, rule);
    REQUIRE(found != nullptr);
    const Evidence& evidence = found->finding.evidence;
    REQUIRE(evidence.bars.size() == 8);
    CHECK(evidence.bars[7].label == "rank 7");
    CHECK(sum_of(evidence) / 8 == Approx(static_cast<double>(found->cost)).margin(1));
  }
  const rules::Ranked* late = ranked(evaluation, "LateRank");
  REQUIRE(late != nullptr);
  CHECK(late->finding.evidence.bars.front().label == "rank 7");
  CHECK(late->finding.evidence.bars.front().value == Approx(static_cast<double>(late->cost)).margin(1));
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
