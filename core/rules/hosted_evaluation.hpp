#pragma once
// Findings of profiles on other machines, which evaluate the rules.
#include <optional>

#include "core/analysis/request/host_question.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::rules {

extern const analysis::HostQuestionKind kRulesQuestion;

/// Asks the profile's host to evaluate the rules; nullopt if there is no host or it cannot answer.
[[nodiscard]] std::optional<Result<Evaluation>> ask_for_findings(const analysis::AnalysisInput& input,
                                                                 const EvaluateOptions& options);

}  // namespace warpscope::rules
