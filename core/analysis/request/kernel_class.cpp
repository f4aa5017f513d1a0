#include "core/analysis/request/kernel_class.hpp"

#include <algorithm>
#include <array>

#include "core/base/parse_number.hpp"
#include "core/trace/category.hpp"

namespace warpscope::analysis {
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
  std::string key{hta ? '1' : '0', rounding ? '1' : '0', host_calls ? '1' : '0', ' '};
  return key.append(std::to_string(communication.size())).append(1, ' ').append(communication).append(rules);
}

KernelClasses::KernelClasses(const trace::Profile& profile, const Choice& choice)
    : profile_(profile), hta_(choice.hta) {
  if (!hta_ && choice.host_calls) calls_.emplace(profile);
  std::vector<KernelRule> rules;
  if (auto read = parse_kernel_rules(choice.rules)) rules = std::move(*read);
  for (TextPattern& pattern : parse_patterns(choice.communication))
    rules.push_back({KernelClass::communication, std::move(pattern)});
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

}  // namespace warpscope::analysis
