#include "core/analysis/diff/diff_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kEqual = 0.0005;    // relative; printed as 0.0 %
constexpr double kLeastRise = 0.05;  // of the step; smaller ones are not mentioned

struct FaultOfRanks {
  double cost = 0;  // ns per step
  std::string why;
};

/// A fault of some ranks, as named on the Findings page.
std::map<std::string, FaultOfRanks> faults_of_ranks(const trace::Profile& profile) {
  std::map<std::string, FaultOfRanks> found;
  if (profile.ranks.size() < 2) return found;
  AnalysisInput input{profile, {}, {}};
  if (auto values = ParameterValues::parse(find_analysis("what_if")->parameters, {})) input.values = std::move(*values);
  const auto comparison = compare_ranks(input);
  for (const auto faults = shared_faults(input); const Fault& fault : faults->faults) {
    if (fault.all_ranks) continue;
    FaultOfRanks& of = found[culprit_text(culprit_of(profile, *comparison, fault))];
    of.cost += static_cast<double>(fault.saving);
    of.why += (of.why.empty() ? "" : "; ") + cause_text(profile, fault);
  }
  return found;
}

std::string duration_of(double ns) { return format_duration(std::llround(ns)); }

std::string step_sentence(const Slowdown& step) {
  const double by = step.by();
  if (std::abs(by) < kEqual)
    return fmt::format("Steps take {} on average, as in the control.", duration_of(step.test_mean));
  return fmt::format("Steps take {} instead of {} on average: {} {}.", duration_of(step.test_mean),
                     duration_of(step.control_mean), format_share(std::abs(by)), by < 0 ? "less" : "more");
}

/// Names the ranks whose faults cost more than before; "" if they cost little more.
std::string rank_sentence(const trace::Profile& control, const trace::Profile& test, double step) {
  const auto before = faults_of_ranks(control);
  const auto after = faults_of_ranks(test);
  const auto before_of = [&](const std::string& culprit) {
    const auto known = before.find(culprit);
    return known == before.end() ? 0.0 : known->second.cost;
  };
  const auto rise = [&](const auto& each) { return each.second.cost - before_of(each.first); };
  const auto worst = std::ranges::max_element(after, {}, rise);
  if (worst == after.end() || rise(*worst) < kLeastRise * step) return "";
  const double earlier = before_of(worst->first);
  return fmt::format(" {}: {}, {} per step{}. Communication kernels include waiting for it.", worst->first,
                     worst->second.why, duration_of(worst->second.cost),
                     earlier > 0 ? fmt::format(" ({} in the control)", duration_of(earlier)) : "");
}

}  // namespace

std::string diff_answer(const trace::Profile& control, const trace::Profile& test, const Slowdowns& found) {
  const auto step = std::ranges::find(found.rows, Slowdown::Kind::step, &Slowdown::kind);
  if (step == found.rows.end() || step->added() || step->removed()) return "";
  return step_sentence(*step) + rank_sentence(control, test, step->test_mean);
}

}  // namespace warpscope::analysis
