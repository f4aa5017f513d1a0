#include "core/analysis/diff/diff_parameters.hpp"

#include <algorithm>

namespace warpscope::analysis {

namespace {

Result<std::vector<std::uint32_t>> parse_side_ranks(const trace::Profile& profile, std::string_view text) {
  if (text == "all") return std::vector<std::uint32_t>();
  if (text != "first") return parse_ranks(profile, text);
  const auto least = std::ranges::min_element(profile.ranks, {}, [](const auto& rank) { return rank->number; });
  if (least == profile.ranks.end()) return std::vector<std::uint32_t>();
  return std::vector{static_cast<std::uint32_t>(least - profile.ranks.begin())};
}

/// Returns `given`, or its default if empty.
std::string_view chosen(const std::string& given, bool hta) {
  if (!given.empty()) return given;
  return hta ? "first" : "all";
}

Result<DiffSide> side_of(const AnalysisInput& input, const trace::Profile& profile, const Parameter& rank,
                         const Parameter& iteration) {
  const bool hta = input.values.flag(kHtaParameter.name);
  DiffSide side{profile};
  const std::string& given = input.values.text(rank.name);
  if (given.empty() && &profile == &input.profile && !input.scope.ranks.empty()) {
    side.ranks = input.scope.ranks;
  } else {
    auto ranks = parse_side_ranks(profile, chosen(given, hta));
    if (!ranks) return ranks.error();
    side.ranks = std::move(*ranks);
  }
  const std::string& numbers = input.values.text(iteration.name);
  auto steps = parse_steps(profile, chosen(numbers, hta));
  if (!steps && !numbers.empty()) return steps.error();
  if (steps) side.steps = std::move(*steps);  // without numbered steps, compares everything
  return side;
}

}  // namespace

Result<std::vector<NameDiff>> chosen_diff(const AnalysisInput& input, bool short_names) {
  const auto control = side_of(input, input.profile, kControlRankParameter, kControlIterationParameter);
  if (!control) return control.error();
  const auto test = side_of(input, *input.other, kTestRankParameter, kTestIterationParameter);
  if (!test) return test.error();
  const std::string& device = input.values.text(kDeviceTypeParameter.name);
  const DiffChoice choice{
      .host = device == "GPU" ? RoleSet{0} : kHostRoles,
      .devices = device == "CPU" ? RoleSet{0} : kRunRoles,
      .shadows = input.values.flag(kHtaParameter.name),
      .rounding = input.values.flag(kHtaParameter.name) && input.values.flag(kRoundingParameter.name),
      .short_names = short_names,
      .hta_names = input.values.flag(kHtaParameter.name)};
  return profile_diff(*control, *test, choice, input.cancel);
}

std::string empty_diff_note(const AnalysisInput& input) {
  if (input.other == nullptr) return "No second profile given; use warpscope analyze NAME A B.";
  return "Neither profile has matching host calls or GPU activity.";
}

}  // namespace warpscope::analysis
