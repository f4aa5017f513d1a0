#pragma once
// Turns faults (core/analysis/causes/job_faults.hpp) into findings. A rule that finds its cause by replay declares
// which kinds of faults it reports, its threshold and its advice; headline, culprit, saving and evidence are the same
// for all.
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/analysis/causes/job_faults.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

struct FaultRule {
  std::initializer_list<analysis::FaultKind> kinds;
  /// Returns the advice for a fault; if not set, the rule's own applies.
  std::function<std::string(Facts&, const analysis::Fault&)> advice{};
  /// Returns more lines of evidence.
  std::function<std::vector<std::string>(Facts&, const analysis::Fault&)> evidence{};
  std::string_view none{};  ///< reason for the verdict "no issues": "No rank computes longer than its peers."
};

/// Returns the outcome with one finding per fault that saves at least the rule's share.
[[nodiscard]] Outcome outcome_of_faults(const RuleInput& input, const FaultRule& rule);

}  // namespace warpscope::rules
