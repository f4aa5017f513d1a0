// Figures with the same name are the same on all pages, and the account covers the evaluated time to the ns.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "core/rules/account.hpp"
#include "core/rules/facts.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/find_column.hpp"
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
    for (const rules::AccountPart& part : rules::account_of(facts_))
      account_.emplace_back(analysis::words_of(part.label).name, part.time);
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
  [[nodiscard]] const std::vector<std::pair<std::string, Ns>>& account() const { return account_; }
  [[nodiscard]] static Ns sum(const Table& table, ColumnRole role) {
    const auto column = table.find_role(role);
    REQUIRE(column);
    return sum_of(table, *column);
  }
  [[nodiscard]] static Ns sum(const Table& table, std::string_view name) {
    const auto column = std::ranges::find(table.columns(), name, &Column::name);
    REQUIRE(column != table.columns().end());
    return sum_of(table, static_cast<std::size_t>(column - table.columns().begin()));
  }

 private:
  [[nodiscard]] static Ns sum_of(const Table& table, std::size_t column) {
    Ns sum = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) sum += table.at(row, column).integer();
    return sum;
  }

  const trace::Profile& profile_;
  analysis::SharedResults shared_;
  rules::Facts facts_;
  std::vector<std::pair<std::string, Ns>> account_;
};

/// Durations of the steps that ran on a GPU, by rank and start.
using StepTimes = std::map<std::pair<std::int64_t, Ns>, Ns>;
StepTimes step_times(const Table& table, std::string_view duration) {
  StepTimes times;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (!table.at(row, *table.find_role(ColumnRole::step)).missing())
      times[{table.at(row, *table.find_role(ColumnRole::rank)).integer(),
             table.at(row, *table.find_role(ColumnRole::start)).integer()}] +=
          table.at(row, *find_column(table, duration)).integer();
  return times;
}

/// Analyses with coarser classes than the account, or that count kernels.
void check_coarser(Figures& figures, Ns idle, const Table& steps) {
  const Ns total = figures.facts().total();
  const Table active = figures.table("gpu_active_time", "by-gpu");
  CHECK(Figures::sum(active, ColumnRole::idle) == idle);
  CHECK(Figures::sum(active, ColumnRole::active) == total - idle);
  const Table activity = figures.table("gpu_activity");
  CHECK(activity.at(3, 1).integer() == idle);
  CHECK(activity.at(3, 4).number() == Approx(figures.facts().share(idle)));
  const Table breakdown = figures.table("temporal_breakdown");
  CHECK(Figures::sum(breakdown, "kernel time") == total);
  CHECK(Figures::sum(breakdown, ColumnRole::idle) == idle);
  CHECK(Figures::sum(breakdown, ColumnRole::compute) == figures.account("computation"));
  const Table overlap = figures.table("comm_comp_overlap");
  CHECK(Figures::sum(overlap, ColumnRole::exposed_communication) ==
        figures.account("transfer") + figures.account("waiting_for_ranks"));
  const Table kernels = figures.table("kernel_time", "share-of-gpu-time");
  for (std::size_t row = 0; row < kernels.rows(); ++row)
    CHECK(kernels.at(row, 2).number() == Approx(figures.facts().share(kernels.at(row, 1).integer())));
  const Table by_class = figures.table("where_time_goes", "time-by-class");
  const Table busy = figures.table("gpu_utilization");
  for (std::size_t row = 0; busy.rows() == by_class.rows() && row < busy.rows(); ++row)
    if (!busy.at(row, 3).missing())
      CHECK(by_class.at(row, 2).number() + by_class.at(row, 3).number() + by_class.at(row, 4).number() +
                by_class.at(row, 5).number() ==
            Approx(busy.at(row, 3).number()).margin(1e-9));
  if (!figures.facts().by_steps()) return;
  CHECK(step_times(figures.table("step_overview"), "time") == step_times(steps, "duration"));
  CHECK(Figures::sum(figures.table("step_overview", "gpus"), ColumnRole::duration) == total);
}

void check_figures(const std::filesystem::path& path) {
  const auto profile = load_profile(path.string());
  if (!profile.ok()) return;
  INFO(path.string());
  Figures figures(**profile);
  if (figures.facts().gpus().empty()) return;
  const Ns idle = figures.account("idle_") + figures.account("profiler");
  const Ns exposed = figures.account("transfer") + figures.account("waiting_for_ranks");
  CHECK(figures.account("") == figures.facts().total());
  Ns on_gpus = 0;
  for (std::size_t g = 0; g < figures.facts().gpus().size(); ++g)
    on_gpus += analysis::total_length(figures.facts().exposed_communication_of(g));
  CHECK(on_gpus == exposed);

  const Table uses = figures.table("where_time_goes");
  CHECK(Figures::sum(uses, ColumnRole::total) == figures.facts().total());
  CHECK(Figures::sum(uses, ColumnRole::idle) == idle);
  for (const auto& [label, time] : figures.account()) CHECK(Figures::sum(uses, label) == time);

  const Table durations = figures.table("step_time", "steps");
  // If two files record the same GPU at the same time, it counts once, but each file has an account.
  if ((*profile)->diagnostics.count("duplicate-rank") == 0) check_coarser(figures, idle, durations);
  if (figures.facts().by_steps()) {
    const Table steps = figures.table("where_time_goes", "time-by-step");
    CHECK(Figures::sum(steps, ColumnRole::total) == figures.facts().total());
    for (const auto& [label, time] : figures.account()) CHECK(Figures::sum(steps, label) == time);
    // A GPU in several files counts once, but each file has steps.
    if (durations.rows() == steps.rows())
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
