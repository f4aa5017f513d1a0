#include "core/analysis/diff/diff_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/ranks/faulty_ranks.hpp"
#include "core/analysis/ranks/late_explanation.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kEqual = 0.0005;    // relative; printed as 0.0 %
constexpr double kLeastRise = 0.05;  // of the step; smaller differences in wait time are not mentioned

/// A rank that the others wait for.
struct AwaitedRank {
  double wait = 0;  // ns per step, averaged over all ranks
  std::string why;
};

std::map<std::int64_t, AwaitedRank> awaited_ranks(const trace::Profile& profile, std::uint64_t steps) {
  std::map<std::int64_t, AwaitedRank> ranks;
  if (profile.ranks.size() < 2) return ranks;
  const auto explanation = explain_late_ranks({profile, {}, {}}, "");
  for (const FaultyRank& each : faulty_ranks(explanation->sum))
    ranks[profile.ranks[each.rank]->number] = {static_cast<double>(each.lost) / static_cast<double>(steps), each.words};
  return ranks;
}

std::string duration_of(double ns) { return format_duration(std::llround(ns)); }

std::string step_sentence(const Slowdown& step) {
  const double by = step.by();
  if (std::abs(by) < kEqual)
    return fmt::format("Steps take {} on average, as in the control.", duration_of(step.test_mean));
  return fmt::format("Steps take {} instead of {} on average: {} {}.", duration_of(step.test_mean),
                     duration_of(step.control_mean), format_share(std::abs(by)), by < 0 ? "less" : "more");
}

/// Names the rank whose wait time grew most; "" if it grew little.
std::string rank_sentence(const trace::Profile& control, const trace::Profile& test, const Slowdowns& found,
                          double step) {
  const std::map<std::int64_t, AwaitedRank> before = awaited_ranks(control, found.control_steps);
  const std::map<std::int64_t, AwaitedRank> after = awaited_ranks(test, found.test_steps);
  const auto before_of = [&](std::int64_t rank) {
    const auto known = before.find(rank);
    return known == before.end() ? 0.0 : known->second.wait;
  };
  const auto rise = [&](const auto& each) { return each.second.wait - before_of(each.first); };
  const auto worst = std::ranges::max_element(after, {}, rise);
  if (worst == after.end() || rise(*worst) < kLeastRise * step) return "";
  const double earlier = before_of(worst->first);
  return fmt::format(
      " Waiting for rank {} takes {} per step, averaged over all ranks{}: {}. Communication kernels include "
      "this wait.",
      worst->first, duration_of(worst->second.wait),
      earlier > 0 ? fmt::format(" ({} in the control)", duration_of(earlier)) : "", worst->second.why);
}

}  // namespace

std::string diff_answer(const trace::Profile& control, const trace::Profile& test, const Slowdowns& found) {
  const auto step = std::ranges::find(found.rows, Slowdown::Kind::step, &Slowdown::kind);
  if (step == found.rows.end() || step->added() || step->removed()) return "";
  return step_sentence(*step) + rank_sentence(control, test, found, step->test_mean);
}

}  // namespace warpscope::analysis
