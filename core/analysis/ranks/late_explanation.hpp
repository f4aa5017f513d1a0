#pragma once
// Why ranks are late, computed once for all analyses of a request.
#include <memory>
#include <string>

#include "core/analysis/ranks/blame.hpp"

namespace warpscope::analysis {

struct LateExplanation {
  std::shared_ptr<const RankComparison> comparison;
  std::unique_ptr<const LeadFinder> finder;
  BlameSum sum;
  std::vector<std::uint32_t> lead_of;  ///< by collective: index into BlameSum::leads; kNoIndex without a lead

  /// What made the last rank of a lead late, in a few words: "kernel gemm_nn"; "" if nothing did.
  [[nodiscard]] std::string cause_of(const trace::Profile& profile, const Lead& lead, const LeadNames& names) const;
  [[nodiscard]] std::size_t bytes() const;
};

/// The explanation for the scope's ranks and range, with the clocks of the input's parameters.
[[nodiscard]] std::shared_ptr<const LateExplanation> explain_late_ranks(const AnalysisInput& input);

/// The same for the input of another analysis or of rules, with the default clocks.
[[nodiscard]] std::shared_ptr<const LateExplanation> explain_late_ranks(AnalysisInput input,
                                                                        std::string_view kernel_rules);

}  // namespace warpscope::analysis
