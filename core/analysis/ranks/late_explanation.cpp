#include "core/analysis/ranks/late_explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

std::string LateExplanation::cause_of(const trace::Profile& profile, const Lead& lead, const LeadNames& names) const {
  const auto most = std::ranges::max_element(lead.excess);
  if (*most <= 0) return "";
  const auto cause = static_cast<CauseClass>(most - lead.excess.begin());
  if (cause == CauseClass::before) return std::string(to_string(cause));
  // Compare names, because name ids differ between loads.
  const auto before = [&](const CauseKey& a, const CauseKey& b) {
    return std::pair(profile.names().view(a.name), a.signature) < std::pair(profile.names().view(b.name), b.signature);
  };
  const CauseKey* first = nullptr;
  Ns longest = 0;
  for (const auto& [key, excess] : names.excess)
    if (key.cause == cause && (excess > longest || (first != nullptr && excess == longest && before(key, *first)))) {
      longest = excess;
      first = &key;
    }
  if (first == nullptr || cause == CauseClass::gap || cause == CauseClass::launch) return std::string(to_string(cause));
  return fmt::format("{} {}", to_string(cause), name_of(profile, comparison->matches(), *first));
}

std::size_t LateExplanation::bytes() const {
  std::size_t runs = 0;
  for (const std::uint32_t r : comparison->matches().compared) runs += finder->forest().runs_of(r).runs().size();
  std::size_t names = 0;
  for (const LeadNames& each : sum.names) names += each.excess.size() + each.late.size();
  return runs * (sizeof(RankRun) + 80) + sum.leads.size() * sizeof(Lead) + names * 64;
}

std::shared_ptr<const LateExplanation> explain_late_ranks(const AnalysisInput& input) {
  const auto make = [&] {
    LateExplanation made;
    made.comparison = compare_ranks(input);
    const ClockChoice choice = clock_choice(input.values);
    made.finder = std::make_unique<const LeadFinder>(input, *made.comparison, choice);
    made.sum = sum_blame(input, *made.comparison, *made.finder, choice);
    made.lead_of.assign(made.comparison->matches().collectives.size(), kNoIndex);
    for (std::uint32_t l = 0; l < made.sum.leads.size(); ++l) made.lead_of[made.sum.leads[l].collective] = l;
    return made;
  };
  const std::optional<Interval>& range = input.scope.range;
  const std::string key =
      fmt::format("late ranks {} {} {} {}", fmt::join(input.scope.ranks, ","),
                  range ? fmt::format("{}-{}", range->begin, range->end) : "all",
                  input.values.text(kKernelClassParameter.name), input.values.text(kClocksParameter.name));
  return get_shared(input.shared, key, input.cancel, make, [](const LateExplanation& made) { return made.bytes(); });
}

std::shared_ptr<const LateExplanation> explain_late_ranks(AnalysisInput input, std::string_view kernel_rules) {
  const std::array settings{Setting{std::string(kKernelClassParameter.name), std::string(kernel_rules)}};
  if (auto values = ParameterValues::parse(find_analysis("late_causes")->parameters, settings))
    input.values = std::move(*values);
  return explain_late_ranks(input);
}

}  // namespace warpscope::analysis
