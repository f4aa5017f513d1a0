#include "core/rules/kineto/idle_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/annotation_walk.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules {

namespace {

constexpr double kLeastNamedShare = 0.1;
constexpr double kLongAnnotation = 0.9;  // of the mean step
constexpr std::size_t kCodePlaces = 3;
constexpr std::size_t kMostGpus = 4;  // finding calls is slow, and ranks run the same code
constexpr std::string_view kAutograd = "autograd::engine::evaluate_function: ";

struct CodeCall {
  trace::SliceOrdinal slice = 0;
  Interval time;
};
using CallsByLabel = std::map<std::string, std::vector<CodeCall>>;

/// Returns a rank's outermost calls that overlap the GPU's `parts`.
CallsByLabel outermost_calls(Facts& facts, const GpuWindow& gpu) {
  const trace::Profile& profile = facts.profile();
  const trace::Rank& rank = *profile.ranks[gpu.rank];
  const analysis::RoleOfCategory roles = analysis::roles_of_categories(profile);
  std::vector<bool> launching(rank.lanes.size());
  for (const trace::Track& track : rank.tracks)
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l)
      launching[l] = track.kind == trace::TrackKind::thread && track.launches > 0;
  std::set<NameId> steps;
  for (const trace::Step& step : rank.steps) steps.insert(step.name);
  const auto mean_part = static_cast<double>(gpu.length()) / static_cast<double>(gpu.parts.size());
  const auto tree = facts.tree(gpu.rank);
  const auto matches = [&](trace::SliceOrdinal call) {
    const trace::Role role = roles[rank.category(call)];
    if (role != trace::Role::op && role != trace::Role::annotation) return false;
    if (role == trace::Role::annotation && static_cast<double>(rank.duration(call)) > kLongAnnotation * mean_part)
      return false;
    const NameId name = rank.name(call);
    return !steps.contains(name) && !profile.names().view(name).starts_with(analysis::kStepOperator);
  };
  const std::vector<trace::SliceOrdinal> outermost = analysis::outermost(*tree, matches);
  CallsByLabel calls;
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    if (!launching[l] || !analysis::holds_recorded(rank, l)) continue;
    for (trace::SliceOrdinal call = rank.lane_start[l]; call < rank.lane_start[l + 1]; ++call) {
      if (!tree->is_call(call) || outermost[call] != call) continue;
      const Interval time{rank.begin(call), saturating_add(rank.begin(call), rank.duration(call))};
      if (!touches(gpu.parts, time)) continue;
      std::string_view name = profile.names().view(rank.name(call));
      if (name.starts_with(kAutograd)) name.remove_prefix(kAutograd.size());
      calls[std::string(name)].push_back({call, time});
    }
  }
  return calls;
}

std::vector<Interval> joined_times(const std::vector<CodeCall>& calls) {
  std::vector<Interval> times;
  times.reserve(calls.size());
  for (const CodeCall& call : calls) times.push_back(call.time);
  return joined(std::move(times));
}

}  // namespace

std::string IdleCode::clause(std::string_view is_in) const {
  const auto found = times.find(most);
  if (found == times.end()) return "";
  const double share = static_cast<double>(found->second) / static_cast<double>(std::max<Ns>(1, idle));
  return share < kLeastNamedShare ? "" : fmt::format("; {} {} {}", format_share(share), is_in, most);
}

Evidence IdleCode::evidence(Facts& facts, std::string title) const {
  if (times.size() < 2) return {};
  const std::size_t all = facts.gpus().size();
  if (gpus < all) title += fmt::format(", on the {} GPUs with the most", gpus);
  const auto mean = [&](Ns time) {
    return static_cast<double>(facts.mean(time)) * static_cast<double>(all) / static_cast<double>(gpus);
  };
  std::vector<Evidence::Bar> bars;
  Ns rest = idle;
  for (const auto& [name, time] : times) {
    bars.push_back({name, mean(time)});
    rest -= time;
  }
  bars.push_back({"outside operators and annotations", mean(rest)});
  return largest_bars(std::move(title), ColumnKind::duration, std::move(bars));
}

void IdleCode::add_places(std::vector<Place>& gaps) const {
  keep_longest(gaps);
  gaps.resize(std::min(gaps.size(), kMostPlaces - places.size()));
  gaps.insert(gaps.end(), places.begin(), places.end());
}

IdleCode idle_code(Facts& facts, const std::function<const std::vector<Interval>&(std::size_t gpu)>& idle_of) {
  IdleCode code;
  CallsByLabel calls;
  std::optional<std::uint32_t> rank;
  std::map<std::string, std::vector<Place>> places;
  std::vector<std::pair<Ns, std::size_t>> chosen;  // negated idle time, GPU
  for (std::size_t g = 0; g < facts.gpus().size(); ++g) chosen.emplace_back(-analysis::total_length(idle_of(g)), g);
  std::ranges::stable_sort(chosen, {}, &std::pair<Ns, std::size_t>::first);
  chosen.resize(std::min(chosen.size(), kMostGpus));
  std::ranges::sort(chosen, {}, &std::pair<Ns, std::size_t>::second);
  code.gpus = chosen.size();
  for (const auto& [ignored, g] : chosen) {
    if (facts.cancelled()) break;
    const GpuWindow& gpu = facts.gpus()[g];
    if (rank != gpu.rank) calls = outermost_calls(facts, gpu);
    rank = gpu.rank;
    std::vector<Interval> rest = idle_of(g);
    code.idle = saturating_add(code.idle, analysis::total_length(rest));
    std::vector<std::pair<Ns, const std::string*>> order;
    for (const auto& [name, of_name] : calls) {
      Ns inside = 0;
      std::vector<Place>& own = places[name];
      for (const CodeCall& call : of_name) {
        const Ns idle = analysis::common_length(call.time, rest);
        inside = saturating_add(inside, idle);
        if (idle <= 0 || (own.size() >= kCodePlaces && *own.back().weight >= idle)) continue;
        own.push_back(at_slice(facts, gpu.rank, call.slice, name));
        own.back().weight = idle;
        keep_longest(own);
        if (own.size() > kCodePlaces) own.resize(kCodePlaces);
      }
      if (inside > 0) order.emplace_back(inside, &name);
    }
    // Calls on different threads may overlap, so the name with the most idle time goes first.
    std::ranges::stable_sort(order, std::greater(), &std::pair<Ns, const std::string*>::first);
    for (const auto& [inside, name] : order) {
      const std::vector<Interval> own = common(rest, joined_times(calls.at(*name)));
      if (own.empty()) continue;
      Ns& time = code.times[*name];
      time = saturating_add(time, analysis::total_length(own));
      rest = analysis::without(rest, own);
    }
  }
  const auto most = std::ranges::max_element(code.times, {}, [](const auto& each) { return each.second; });
  if (most == code.times.end()) return code;
  code.most = most->first;
  code.places = std::move(places[most->first]);
  return code;
}

}  // namespace warpscope::rules
