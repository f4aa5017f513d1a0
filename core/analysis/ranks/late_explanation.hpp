#pragma once
// Explains why ranks are late; computed once and shared by all analyses in a request.
#include <memory>
#include <string>

#include "core/analysis/ranks/blame.hpp"

namespace warpscope::analysis {

struct LateExplanation {
  std::shared_ptr<const RankComparison> comparison;
  std::unique_ptr<const LeadFinder> finder;
  BlameSum sum;
  std::vector<std::uint32_t> lead_of;  ///< by collective: index into BlameSum::leads; kNoIndex without a lead

  /// Returns the main cause of a lead in a few words: "kernel gemm_nn"; "" if there is none.
  [[nodiscard]] std::string cause_of(const trace::Profile& profile, const Lead& lead, const LeadNames& names) const;
  [[nodiscard]] std::size_t bytes() const;
};

/// Returns the explanation for the scope's ranks and range, using the clocks chosen by the input's parameters.
[[nodiscard]] std::shared_ptr<const LateExplanation> explain_late_ranks(const AnalysisInput& input);

/// Same, but for input from another analysis or a rule: uses the default clocks and `kernel_rules`.
[[nodiscard]] std::shared_ptr<const LateExplanation> explain_late_ranks(AnalysisInput input,
                                                                        std::string_view kernel_rules);

}  // namespace warpscope::analysis
