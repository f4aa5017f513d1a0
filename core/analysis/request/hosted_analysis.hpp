#pragma once
// Analyses of profiles on other machines, which compute them.
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/request/host_question.hpp"

namespace warpscope::analysis {

extern const HostQuestionKind kAnalysisQuestion;

/// Asks the profile's host to run an analysis; nullopt if there is no host or it cannot answer. `scope_note`: with the
/// note of run_with_scope_note().
[[nodiscard]] std::optional<Result<std::vector<Table>>> ask_for_tables(const Analysis& analysis,
                                                                       const trace::Profile& profile,
                                                                       const Scope& scope,
                                                                       std::span<const Setting> settings,
                                                                       const CancelToken* cancel, bool scope_note);

}  // namespace warpscope::analysis
