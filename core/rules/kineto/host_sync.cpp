// HostSync: the host waits for the GPU, which then runs out of work until the next launch.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/fault_rule.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::host_sync {

namespace {

constexpr std::array kParameters{share_parameter()};

/// Returns the number of waits, and the operator and user code with most of their time on the rank that waits longest.
std::vector<std::string> where_it_waits(Facts& facts, const analysis::Fault&) {
  const CallsInWindow calls = calls_in_window(facts, analysis::HostWork::wait);
  if (calls.count == 0) return {};
  std::map<std::string, Ns> origins;
  for (const Place& place : calls.places) {
    if (place.rank != calls.places.front().rank)
      continue;  // calls around them are slow to find, and equal on all ranks
    const std::string_view op = facts.operator_of(*place.rank, *place.slice);
    const std::string code = facts.code_of(*place.rank, *place.slice);
    const std::string origin = fmt::format("{}{}{}", op, !op.empty() && !code.empty() ? " in " : "", code);
    if (!origin.empty()) origins[origin] += place.time.length();
  }
  const auto most = std::ranges::max_element(origins, {}, [](const auto& each) { return each.second; });
  const std::uint64_t per_step =
      facts.steps() > 0 ? std::max<std::uint64_t>(1, calls.count / facts.steps()) : calls.count;
  return {fmt::format("{} {}, mostly {}{}.", counted(per_step, "synchronizing call", "synchronizing calls"),
                      a_step_words(facts), calls.most, most == origins.end() ? "" : " from " + most->first)};
}

/// Returns the waits that the GPU idles after, those with the most idle time first.
std::vector<Place> waits_by_cost(Facts& facts, const Culprit& culprit) {
  std::vector<Place> places;
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    const std::uint32_t rank = facts.gpus()[g].rank;
    if (!concerns(facts, culprit, rank)) continue;
    const std::vector<NamedCall>& calls = facts.host(rank).of(analysis::HostWork::wait);
    std::map<trace::SliceOrdinal, Ns> costs;
    for (const Interval& idle : facts.account(g).of(analysis::TimeLabel::sync)) {
      const auto after =
          std::ranges::lower_bound(calls, idle.end, {}, [](const auto& call) { return call.time.begin; });
      if (after != calls.begin()) costs[std::prev(after)->slice] += idle.length();
    }
    for (const auto& [call, cost] : costs) {
      places.push_back(at_slice(facts, rank, call));
      places.back().weight = cost;
    }
    keep_longest(places);
  }
  return places;
}

Outcome evaluate(const RuleInput& input) {
  Outcome outcome = outcome_of_faults(input, {.kinds = {analysis::FaultKind::waits},
                                              .evidence = where_it_waits,
                                              .none = "Waits of the host for the GPU cost little or nothing."});
  for (Finding& finding : outcome.findings) finding.places = waits_by_cost(input.facts, finding.culprit);
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "HostSync",
    "Host waits for the GPU",
    "Time that a replay gains if no launch waits for GPU activity: synchronizing calls and blocking copies.",
    kParameters,
    evaluate,
    "Avoid .item(), .cpu(), nonzero() and printing tensors in the training loop. Log only every N steps, and keep "
    "values on the GPU. torch.cuda.set_sync_debug_mode(\"warn\") prints a warning with the source line of each wait.",
    {},
    "Do not wait between iterations: sample on the GPU, copy its results with non_blocking=True to pinned memory, and "
    "prepare the next iteration meanwhile. Avoid .item(), .cpu() and nonzero() in the model; "
    "torch.cuda.set_sync_debug_mode(\"warn\") prints a warning with the source line of each wait."};

}  // namespace warpscope::rules::registered::host_sync
