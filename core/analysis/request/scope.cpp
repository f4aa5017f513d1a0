#include "core/analysis/request/scope.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "core/analysis/request/evaluated_time.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis {

namespace {

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Counts the steps before `index` with the same name.
std::uint32_t occurrence(const trace::Profile& profile, std::uint32_t index) {
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < index; ++i)
    if (profile.steps[i].name == profile.steps[index].name) ++before;
  return before;
}

}  // namespace

std::optional<Interval> Scope::on_gpu(std::uint32_t rank) const {
  return range || evaluated == nullptr ? range : std::optional(evaluated->ranks[rank].gpu);
}

std::optional<Interval> Scope::on_host(std::uint32_t rank) const {
  return range || evaluated == nullptr ? range : std::optional(evaluated->ranks[rank].host);
}

std::optional<Interval> Scope::on_job() const {
  if (range || evaluated == nullptr) return range;
  for (Interval EvaluatedRank::*const part : {&EvaluatedRank::gpu, &EvaluatedRank::host}) {
    Interval all = kEmptySpan;
    for (const EvaluatedRank& rank : evaluated->ranks)
      if (!(rank.*part).empty()) all = cover(all, rank.*part);
    if (all.begin <= all.end) return all;
  }
  return std::nullopt;
}

bool Scope::has_step(const trace::Profile& profile, std::uint32_t rank, std::uint32_t step) const {
  if (range) return is_within(profile.ranks[rank]->steps[step].time, *range);
  return evaluated == nullptr || evaluated->ranks[rank].steps == 0 || evaluated->ranks[rank].has_step(step);
}

Scope resolved(Scope scope, const trace::Profile& profile, const CancelToken* cancel, SharedResults* shared) {
  if (scope.evaluated_only && !scope.range && scope.evaluated == nullptr)
    scope.evaluated = evaluated_time(profile, cancel, shared);
  return scope;
}

std::string range_key(const std::optional<Interval>& range) {
  return range ? std::to_string(range->begin) + "-" + std::to_string(range->end) : "all";
}

std::vector<std::uint32_t> ranks_in(const trace::Profile& profile, const Scope& scope) {
  std::vector<std::uint32_t> ranks = scope.ranks;
  if (ranks.empty()) {
    ranks.resize(profile.ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0u);
    return ranks;
  }
  sort_unique(ranks);
  while (!ranks.empty() && ranks.back() >= profile.ranks.size()) ranks.pop_back();
  return ranks;
}

Interval extent_of(const trace::Profile& profile, const Scope& scope) {
  const auto range = scope.on_job();
  if (!range) return profile.span;
  const Interval common{std::max(profile.span.begin, range->begin), std::min(profile.span.end, range->end)};
  return common.empty() ? Interval{common.begin, common.begin} : common;
}

std::optional<Interval> range_of_steps(const trace::Profile& profile, const Scope& scope, std::uint32_t first,
                                       std::uint32_t last) {
  if (first >= profile.steps.size() || last < first) return std::nullopt;
  last = std::min(last, static_cast<std::uint32_t>(profile.steps.size() - 1));
  // The profile matches the k-th step with a given name on one rank to the k-th on every other rank.
  std::map<NameId, std::pair<std::uint32_t, std::uint32_t>> wanted;  // name → occurrences [first, end)
  for (std::uint32_t i = first; i <= last; ++i) {
    const auto [entry, fresh] = wanted.try_emplace(profile.steps[i].name);
    if (fresh) entry->second.first = entry->second.second = occurrence(profile, i);
    ++entry->second.second;
  }
  Interval range = kEmptySpan;
  for (const std::uint32_t rank : ranks_in(profile, scope)) {
    std::map<NameId, std::uint32_t> seen;
    for (const trace::Step& step : profile.ranks[rank]->steps) {
      const auto entry = wanted.find(step.name);
      if (entry == wanted.end()) continue;
      const std::uint32_t k = seen[step.name]++;
      if (entry->second.first <= k && k < entry->second.second) range = cover(range, step.time);
    }
  }
  if (range.begin > range.end) return std::nullopt;
  return measurable(range);
}

Result<std::vector<std::uint32_t>> parse_ranks(const trace::Profile& profile, std::string_view text) {
  const std::string advice = "use rank numbers, for example 0,3-5";
  std::vector<std::uint32_t> ranks;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view piece = trimmed(text.substr(0, comma));
    const auto wanted = parse_number_range(piece);
    if (!wanted) return Error{"rank " + std::string(piece), "is not a rank number or range", advice};
    bool any = false;
    for (std::uint32_t i = 0; i < profile.ranks.size(); ++i) {
      const std::int64_t number = profile.ranks[i]->number;
      if (number < wanted->first || number > wanted->second) continue;
      ranks.push_back(i);
      any = true;
    }
    if (!any)
      return Error{"rank " + std::string(piece), "is not in this profile", "run warpscope info to see the ranks"};
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  sort_unique(ranks);
  return ranks;
}

}  // namespace warpscope::analysis
