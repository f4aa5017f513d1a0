// Figures with the same name are the same on all pages, and the account covers the evaluated time to the ns.
#include <cmath>
#include <filesystem>

#include "core/rules/account.hpp"
#include "core/rules/facts.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/load_profile.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Bytes; lists of ranks and notes on the recording may be longer.
constexpr std::size_t kLongestHeadline = 95;

analysis::Scope evaluated_steps() { return {.ranks = {}, .range = {}, .evaluated_only = true}; }

std::vector<std::int64_t> numbers_of(const trace::Profile& profile, const analysis::Fault& fault) {
  std::vector<std::int64_t> numbers;
  for (const std::uint32_t rank : fault.ranks) numbers.push_back(profile.ranks[rank]->number);
  return numbers;
}

class Figures {
 public:
  explicit Figures(const trace::Profile& profile)
      : profile_(profile),
        shared_(profile),
        facts_({.profile = profile, .scope = {}, .values = {}, .shared = &shared_}) {
    for (const rules::AccountPart& part : rules::account_of(facts_)) account_.emplace_back(part.label, part.time);
  }

  [[nodiscard]] rules::Facts& facts() { return facts_; }
  /// The account's parts whose labels start with `prefix`.
  [[nodiscard]] Ns account(std::string_view prefix) const {
    Ns sum = 0;
    for (const auto& [label, time] : account_)
      if (label.starts_with(prefix)) sum += time;
    return sum;
  }
  [[nodiscard]] Table table(std::string_view name, std::string_view id = "") {
    auto tables = analysis::run_analysis(*analysis::find_analysis(name), profile_, evaluated_steps(), {}, nullptr,
                                         nullptr, nullptr, &shared_);
    REQUIRE(tables.ok());
    for (Table& each : *tables)
      if (each.id == id) return std::move(each);
    return std::move(tables->front());
  }
  [[nodiscard]] static Ns sum(const Table& table, ColumnRole role) {
    const auto column = table.find_role(role);
    REQUIRE(column);
    Ns sum = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) sum += table.at(row, *column).integer();
    return sum;
  }

 private:
  const trace::Profile& profile_;
  analysis::SharedResults shared_;
  rules::Facts facts_;
  std::vector<std::pair<std::string, Ns>> account_;
};

void check_figures(const std::filesystem::path& path) {
  const auto profile = load_profile(path.string());
  if (!profile.ok()) return;
  INFO(path.string());
  Figures figures(**profile);
  if (figures.facts().gpus().empty()) return;
  const Ns idle = figures.account("idle_") + figures.account("profiler");
  const Ns exposed = figures.account("transfer") + figures.account("waiting_for_ranks");
  CHECK(figures.account("") == figures.facts().total());
  CHECK(figures.facts().exposed_communication() == exposed);

  const Table uses = figures.table("where_time_goes");
  CHECK(Figures::sum(uses, ColumnRole::total) == figures.facts().total());
  CHECK(Figures::sum(uses, ColumnRole::compute) == figures.account("computation"));
  CHECK(Figures::sum(uses, ColumnRole::exposed_communication) == exposed);
  CHECK(Figures::sum(uses, ColumnRole::memory) == figures.account("memory"));
  CHECK(Figures::sum(uses, ColumnRole::idle) == idle);
  CHECK(Figures::sum(figures.table("idle_time_breakdown"), ColumnRole::idle) == idle);

  if (figures.facts().by_steps()) {
    // The parts of the ranks' mean steps, and the durations of the steps.
    const Table ranks = figures.table("rank_balance", "ranks");
    const auto steps = ranks.find_role(ColumnRole::count);
    Ns sum = 0;
    Ns computation = 0;
    for (std::size_t row = 0; row < ranks.rows(); ++row) {
      const Ns count = ranks.at(row, *steps).integer();
      sum += count * ranks.at(row, *ranks.find_role(ColumnRole::duration)).integer();
      computation += count * ranks.at(row, *ranks.find_role(ColumnRole::compute)).integer();
    }
    const Ns rounding = 10 * static_cast<Ns>(figures.table("rank_balance", "steps").rows());
    CHECK(std::abs(sum - figures.facts().total()) <= rounding);
    CHECK(std::abs(computation - figures.account("computation")) <= rounding);
    // A GPU in several files counts once, but each file has steps.
    const Table durations = figures.table("step_time", "steps");
    if (durations.rows() == static_cast<std::size_t>(Figures::sum(ranks, ColumnRole::count)))
      CHECK(Figures::sum(durations, ColumnRole::duration) == figures.facts().total());
  }

  const rules::Evaluation evaluation = rules_evaluated(**profile);
  for (const rules::Ranked& each : evaluation.findings)
    if (each.rule->name == "IdleGpu") CHECK(each.finding.cost == idle);
  for (const rules::Ranked& each : evaluation.findings) {
    INFO(each.finding.headline);
    CHECK(
        (each.finding.headline.size() <= kLongestHeadline || !each.finding.culprit.ranks.empty() || each.finding.hint));
  }
  // Savings and step times of What if, Findings and the Dashboard.
  const analysis::JobFaults& faults = figures.facts().faults();
  CHECK(evaluation.step_time == faults.step_time);
  if (figures.facts().by_steps() && faults.step_time > 0)
    CHECK(std::abs(faults.step_time - figures.facts().mean(figures.facts().total())) <= 1);
  for (const rules::Ranked& each : evaluation.findings)
    for (const analysis::Fault& fault : faults.faults)
      if (!each.finding.cause.empty() && each.finding.cause == analysis::to_string(fault.kind) &&
          each.finding.culprit.ranks == numbers_of(**profile, fault))
        CHECK(each.saving == fault.saving);
}

}  // namespace

TEST_CASE("figures with the same name are the same on all pages") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  for (const char* const folder : {"traces", "cases/rebuilt", "cases/simulated"})
    for (const auto& entry : std::filesystem::directory_iterator(*shared / folder)) check_figures(entry.path());
}

TEST_CASE("Findings and What if list the same causes") { CHECK(rules::least_shares({}) == analysis::kLeastShares); }
