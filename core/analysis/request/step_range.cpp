#include "core/analysis/request/step_range.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "core/base/parse_number.hpp"

namespace warpscope::analysis {

namespace {

std::optional<std::int64_t> number_of_step(const trace::Profile& profile, std::uint32_t step) {
  return step_number(profile.names().view(profile.steps[step].name));
}

std::optional<StepRange> steps_numbered(const trace::Profile& profile, std::int64_t first, std::int64_t last) {
  std::optional<StepRange> found;
  std::set<std::int64_t> seen;
  for (std::uint32_t i = 0; i < profile.steps.size(); ++i) {
    const auto number = number_of_step(profile, i);
    if (!number || *number < first || *number > last) continue;
    if (!seen.insert(*number).second) break;
    found = StepRange{found ? found->first : i, i};
  }
  return found;
}

/// "its steps are 1 to 8", for a message.
std::string numbers_of_steps(const trace::Profile& profile) {
  std::optional<std::pair<std::int64_t, std::int64_t>> ends;
  for (std::uint32_t i = 0; i < profile.steps.size(); ++i) {
    const auto number = number_of_step(profile, i);
    if (!number) continue;
    if (!ends) ends = std::pair(*number, *number);
    ends = std::pair(std::min(ends->first, *number), std::max(ends->second, *number));
  }
  if (!ends) return "its step names have no numbers";
  return "its steps are " + std::to_string(ends->first) + " to " + std::to_string(ends->second);
}

}  // namespace

std::optional<std::int64_t> step_number(std::string_view step) {
  return parse_number<std::int64_t>(step.substr(step.find_last_not_of("0123456789") + 1));  // npos + 1 is 0
}

Result<StepRange> parse_step_range(const trace::Profile& profile, std::string_view text) {
  const std::string_view piece = trimmed(text);
  for (std::uint32_t i = 0; i < profile.steps.size() && !piece.empty(); ++i)
    if (profile.names().view(profile.steps[i].name) == piece) return StepRange{i, i};
  const auto numbers = parse_number_range(piece);
  if (!numbers)
    return Error{"steps " + std::string(piece), "is not a step number or range",
                 "use step numbers or a step name, for example 3-5"};
  if (const auto found = steps_numbered(profile, numbers->first, numbers->second)) return *found;
  return Error{"steps " + std::string(piece), "are not in this profile", numbers_of_steps(profile)};
}

std::string step_range_text(const trace::Profile& profile, StepRange steps) {
  if (steps.second >= profile.steps.size()) return {};
  const auto first = number_of_step(profile, steps.first);
  const auto last = number_of_step(profile, steps.second);
  const std::string name(profile.names().view(profile.steps[steps.first].name));
  for (const std::string& text :
       {first == last && first ? std::to_string(*first) : std::string(),
        first && last ? std::to_string(*first) + "-" + std::to_string(*last) : std::string(), name})
    if (const auto read = parse_step_range(profile, text); read && *read == steps) return text;
  return {};
}

}  // namespace warpscope::analysis
