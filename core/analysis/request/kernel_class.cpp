#include "core/analysis/request/kernel_class.hpp"

#include <algorithm>
#include <array>

#include "core/base/parse_number.hpp"
#include "core/trace/category.hpp"
#include "core/trace/lane_assignment.hpp"

namespace warpscope::analysis {

namespace {

/// False for lanes that contain only Python frames and runtime calls, whose names do not need to be read.
bool may_hold_calls(const trace::Lane& lane) {
  constexpr auto bit = [](trace::Family family) { return 1U << static_cast<unsigned>(family); };
  return lane.kind() == trace::LaneKind::nested &&
         (lane.tree().families_present() & (bit(trace::Family::op) | bit(trace::Family::annotation))) != 0;
}

/// True if the call ends later than one of the slices that it starts in.
bool outlives(const trace::Rank& rank, const trace::Track& track, std::uint32_t lane, const Interval& call) {
  for (std::uint32_t l = track.first_lane; l < lane; ++l) {
    const trace::Lane& above = rank.lanes[l];
    if (rank.rows_of(l) != rank.rows_of(lane)) continue;
    const std::uint32_t open = above.tree().at(call.begin);
    if (open != trace::IntervalTree::kNone && above.tree().time().end(open) < call.end - trace::kNestTolerance)
      return true;
  }
  return false;
}

/// Adds the kernels that the call launches, except those already known to communicate.
void add_kernels(std::vector<trace::SliceOrdinal>& kernels, const trace::Rank& rank, const trace::Track& track,
                 std::uint32_t lane, const Interval& call) {
  // A slice is in the first free lane below its enclosing slice, so nothing follows an empty lane.
  for (std::uint32_t l = lane + 1; l < track.first_lane + track.lane_count; ++l) {
    bool any = false;
    rank.lanes[l].for_each_overlapping(call.begin, call.end, [&](std::uint32_t i) {
      any = true;
      if (rank.lanes[l].time().begin(i) < call.begin) return;
      for (const trace::Connection& each : rank.launches.caused_by(rank.ordinal({l, i}))) {
        const trace::SlicePlace place = rank.locate(each.to);
        if (!rank.lanes[place.lane].communicates(place.index)) kernels.push_back(each.to);
      }
    });
    if (!any) return;
  }
}

}  // namespace

bool is_collective_call(std::string_view name) {
  return name == "record_param_comms" || name.starts_with("nccl:") || name.starts_with("c10d::");
}

CollectiveCalls::CollectiveCalls(const trace::Profile& profile) : profile_(profile), by_rank_(profile.ranks.size()) {
  starts_collective_.resize(profile.names().size());
  for (NameId id = 0; id < starts_collective_.size(); ++id) {
    const bool starts = is_collective_call(profile.names().view(id));
    starts_collective_[id] = starts ? 1 : 0;
    any_ = any_ || starts;
  }
}

CollectiveCalls::Kernels CollectiveCalls::kernels_of(const trace::Rank& rank) const {
  Kernels kernels;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const trace::Lane& lane = rank.lanes[l];
      if (!may_hold_calls(lane)) continue;
      const auto& names = lane.labels().names;
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        if (!starts(names[i])) continue;
        const Interval call{lane.time().begin(i), lane.time().end(i)};
        const std::size_t before = kernels.size();
        add_kernels(kernels, rank, track, l, call);
        if (kernels.size() > before && outlives(rank, track, l, call)) kernels.resize(before);
      }
    }
  }
  std::ranges::sort(kernels);
  const auto repeated = std::ranges::unique(kernels);
  kernels.erase(repeated.begin(), repeated.end());
  return kernels;
}

namespace {

constexpr std::array<std::string_view, kKernelClasses> kNames{"computation", "communication", "memory", "other"};
constexpr std::array<std::string_view, kKernelClasses> kHtaNames{"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.starts_with(word); });
}

bool has_any(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

/// True if the name starts with `first` and contains `then` after it.
bool begins_and_has(std::string_view name, std::string_view first, std::string_view then) {
  return name.starts_with(first) && name.find(then, first.size()) != std::string_view::npos;
}

}  // namespace

std::string_view to_string(KernelClass kind) { return kNames[static_cast<std::size_t>(kind)]; }
std::string_view hta_name(KernelClass kind) { return kHtaNames[static_cast<std::size_t>(kind)]; }

KernelClass hta_class(std::string_view name) {
  if (starts_with_any(name, {"nccl", "hip", "hccl"}) || has_any(name, {"ncclKernel"}))
    return KernelClass::communication;
  if (starts_with_any(name, {"Memcpy", "Memset", "dma"})) return KernelClass::memory;
  const bool left_out = has_any(name, {"Memcpy", "Memset", "dma", "Sync"}) ||
                        starts_with_any(name, {"Stream Wait Event", "runFunction", "job_exe", "packet", "pe_exe",
                                               "cpum_exe_subgraph", "collective_subgraph_execution"}) ||
                        begins_and_has(name, "cuda", "LaunchKernel");
  return left_out ? KernelClass::other : KernelClass::computation;
}

Result<std::vector<KernelRule>> parse_kernel_rules(std::string_view text) {
  std::vector<KernelRule> rules;
  for (const std::string_view part : parts_of(text, ";")) {
    const std::string_view rule = trimmed(part);
    if (rule.empty()) continue;
    const std::size_t equals = std::min(rule.size(), rule.find('='));
    const std::string_view pattern = equals < rule.size() ? trimmed(rule.substr(equals + 1)) : std::string_view();
    const auto kind = std::ranges::find(kNames, trimmed(rule.substr(0, equals)));
    const auto number = static_cast<std::size_t>(kind - kNames.begin());
    if (number >= static_cast<std::size_t>(KernelClass::other) || pattern.empty())
      return Error{std::string(rule), "is not a kernel class rule",
                   "use communication=my_ring, computation=NAME or memory=NAME; * matches anything"};
    const bool whole = pattern.size() > 2 && pattern.front() == '"' && pattern.back() == '"';
    rules.push_back({static_cast<KernelClass>(number), whole ? TextPattern::whole(pattern.substr(1, pattern.size() - 2))
                                                             : TextPattern::contains(pattern)});
  }
  return rules;
}

void append_kernel_rules(std::vector<Setting>& settings, std::string_view rules) {
  if (rules.empty()) return;
  const auto given = std::find_if(settings.rbegin(), settings.rend(),
                                  [](const Setting& each) { return each.first == kKernelClassParameter.name; });
  if (given == settings.rend())
    settings.emplace_back(kKernelClassParameter.name, rules);
  else
    given->second.append(1, ';').append(rules);
}

std::string KernelClasses::Choice::key() const {
  return std::string{hta ? '1' : '0', rounding ? '1' : '0', host_calls ? '1' : '0', ' '} + rules;
}

KernelClasses::KernelClasses(const trace::Profile& profile, const Choice& choice)
    : profile_(profile), hta_(choice.hta) {
  if (!hta_ && choice.host_calls) calls_.emplace(profile);
  std::vector<KernelRule> rules;
  if (auto read = parse_kernel_rules(choice.rules)) rules = std::move(*read);
  by_name_.resize(profile.names().size());
  for (NameId id = 0; id < by_name_.size(); ++id) {
    const std::string_view name = profile.names().view(id);
    const auto rule = std::ranges::find_if(rules, [&](const KernelRule& each) { return each.pattern.matches(name); });
    ByName& known = by_name_[id];
    known.transfer = trace::is_transfer_name(name);
    known.asked = rule != rules.end();
    if (known.asked)
      known.kind = rule->kind;
    else if (hta_)
      known.kind = hta_class(name);
    else
      known.kind = trace::is_communication_name(name) ? KernelClass::communication : KernelClass::computation;
  }
}

std::shared_ptr<const KernelClasses> shared_classes(const trace::Profile& profile, const KernelClasses::Choice& choice,
                                                    SharedResults* shared) {
  // Only a few bytes per name, so not counted.
  return get_shared(
      shared, choice.key(), nullptr, [&] { return KernelClasses(profile, choice); },
      [](const KernelClasses&) { return std::size_t{0}; });
}

namespace {

constexpr std::array kRuleKinds{KernelClass::computation, KernelClass::communication, KernelClass::memory};

/// `"name"`, with * for characters that would end the rule or the line of the settings.
std::string quoted_name(std::string_view kernel) {
  std::string text = "\"";
  for (const char c : kernel) text += c == ';' || static_cast<unsigned char>(c) < 0x20 ? '*' : c;
  return text + '"';
}

std::string rule_text(std::string_view kernel, KernelClass kind) {
  return std::string(to_string(kind)) + "=" + quoted_name(kernel);
}

}  // namespace

std::optional<KernelClass> rule_of_name(std::string_view rules, std::string_view kernel) {
  std::optional<KernelClass> found;
  for (const std::string_view rule : parts_of(rules, ";"))
    for (const KernelClass kind : kRuleKinds)
      if (!found && trimmed(rule) == rule_text(kernel, kind)) found = kind;
  return found;
}

std::string without_rule_of_name(std::string_view rules, std::string_view kernel) {
  std::string left;
  for (const std::string_view part : parts_of(rules, ";")) {
    const std::string_view rule = trimmed(part);
    const bool of_kernel =
        std::ranges::any_of(kRuleKinds, [&](KernelClass kind) { return rule == rule_text(kernel, kind); });
    if (!rule.empty() && !of_kernel) left.append(left.empty() ? "" : "; ").append(rule);
  }
  return left;
}

std::string with_rule_of_name(std::string_view rules, std::string_view kernel, KernelClass kind) {
  const std::string left = without_rule_of_name(rules, kernel);
  return rule_text(kernel, kind) + (left.empty() ? "" : "; " + left);
}

}  // namespace warpscope::analysis
