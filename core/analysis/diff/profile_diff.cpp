#include "core/analysis/diff/profile_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/step_range.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::analysis {

namespace {

/// Numbers names across both profiles.
class SharedNames {
 public:
  explicit SharedNames(const DiffChoice& choice) : shorten_(choice.short_names), hta_(choice.hta_names) {}

  std::uint32_t number_of(std::string_view name) {
    const auto [entry, fresh] = numbers_.try_emplace(shown(name), size());
    if (fresh) names_.push_back(&entry->first);
    return entry->second;
  }
  [[nodiscard]] const std::string& name(std::uint32_t number) const { return *names_[number]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  [[nodiscard]] std::string shown(std::string_view name) const {
    if (!shorten_) return std::string(name);
    return hta_ ? hta_short_name(name) : trace::kernel_label(name);
  }

  bool shorten_;
  bool hta_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> names_;  // by number; keys of a node-based map have stable addresses
};

/// Totals of one side, by name id.
class SideTotals {
 public:
  SideTotals(const DiffSide& side, const DiffChoice& choice, const CancelToken* cancel)
      : side_(side),
        choice_(choice),
        cancel_(cancel),
        roles_(roles_of_categories(side.profile)),
        counts_(side.profile.names().size(), side.steps.empty()),
        totals_(side.profile.names().size()) {
    for (const NameId step : side.steps) counts_[step] = true;
    for (const std::uint32_t r : ranks_in(side.profile, {side.ranks, {}}))
      for (const trace::Track& track : side.profile.ranks[r]->tracks)
        if (!cancelled(cancel)) add_track(*side.profile.ranks[r], track);
  }

  [[nodiscard]] const std::vector<NameTotal>& totals() const { return totals_; }

 private:
  void add_track(const trace::Rank& rank, const trace::Track& track) {
    const bool stream = track.kind == trace::TrackKind::stream;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const bool shadows = choice_.shadows && choice_.host != 0 && rank.rows_of(l) == trace::LaneKind::gpu_annotation;
      if (!shadows && !holds_recorded(rank, l)) continue;
      const RoleSet roles = shadows ? role_set(trace::Role::gpu_annotation) : stream ? choice_.devices : choice_.host;
      if (roles == 0) continue;
      const trace::Lane& lane = rank.lanes[l];
      for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
        const trace::Role role = roles_[lane.category(i)];
        if ((roles & role_set(role)) == 0) return;
        if (!side_.steps.empty()) {
          const auto when = trace::is_run(role) ? launched(rank, rank.lane_start[l] + i) : std::optional(time.begin);
          if (!when || !in_step(rank, *when)) return;
        }
        NameTotal& total = totals_[lane.name(i)];
        ++total.count;
        total.time = saturating_add(total.time, (choice_.rounding ? hta_rounded(time) : time).length());
      });
    }
  }

  static std::optional<Ns> launched(const trace::Rank& rank, trace::SliceOrdinal run) {
    const trace::Connection* launch = rank.launches.cause_of(run);
    if (launch == nullptr) return std::nullopt;
    return rank.begin(launch->from);
  }

  bool in_step(const trace::Rank& rank, Ns time) const {
    const auto step = step_at(rank, time);
    return step && counts_[rank.steps[*step].name];
  }

  const DiffSide& side_;
  const DiffChoice& choice_;
  const CancelToken* cancel_;
  RoleOfCategory roles_;
  std::vector<bool> counts_;  // by step name
  std::vector<NameTotal> totals_;
};

}  // namespace

std::vector<NameDiff> profile_diff(const DiffSide& control, const DiffSide& test, const DiffChoice& choice,
                                   const CancelToken* cancel) {
  SharedNames names(choice);
  std::vector<NameDiff> diffs;
  const auto add = [&](const DiffSide& side, NameTotal NameDiff::*of) {
    const SideTotals counted(side, choice, cancel);
    for (NameId id = 0; id < counted.totals().size(); ++id) {
      const NameTotal& total = counted.totals()[id];
      if (total.count == 0) continue;
      const std::uint32_t number = names.number_of(side.profile.names().view(id));
      if (number == diffs.size()) diffs.push_back({names.name(number), {}, {}});
      NameTotal& sum = diffs[number].*of;
      sum.count += total.count;
      sum.time = saturating_add(sum.time, total.time);
    }
  };
  add(control, &NameDiff::control);
  add(test, &NameDiff::test);
  const auto difference = [](const NameDiff& each) {
    const Ns by = saturating_difference(each.test.time, each.control.time);
    return by < 0 ? saturating_difference(0, by) : by;
  };
  std::ranges::sort(diffs, [&](const NameDiff& a, const NameDiff& b) {
    const Ns of_a = difference(a);
    const Ns of_b = difference(b);
    return of_a != of_b ? of_a > of_b : a.name < b.name;
  });
  return diffs;
}

Result<std::vector<NameId>> parse_steps(const trace::Profile& profile, std::string_view text) {
  std::vector<NameId> names;
  if (text == "all") return names;
  std::optional<std::int64_t> first;
  for (const trace::StepGroup& step : profile.steps)
    if (const auto number = step_number(profile.names().view(step.name)))
      first = std::min(first.value_or(*number), *number);
  if (!first)
    return Error{profile.path, fmt::format("has no numbered steps, so \"{}\" matches nothing", text), "use all"};
  const auto steps = parse_step_range(profile, text == "first" ? std::to_string(*first) : std::string(text));
  if (!steps) return steps.error();
  for (std::uint32_t step = steps->first; step <= steps->second; ++step) names.push_back(profile.steps[step].name);
  return names;
}

}  // namespace warpscope::analysis
