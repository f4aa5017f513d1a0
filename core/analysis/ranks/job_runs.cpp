#include "core/analysis/ranks/job_runs.hpp"

#include <algorithm>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/threads/parallel_for.hpp"

namespace warpscope::analysis {

JobRuns::JobRuns(const AnalysisInput& input, const RankComparison& comparison, ClockChoice choice, HostRule rule,
                 Unmatched unmatched)
    : comparison_(comparison), choice_(choice), ranks_(input.profile.ranks.size()) {
  const JobCollectives& matches = comparison.matches();
  const GpuRows rows(input.profile, {input.scope.ranks, {}}, {.rules = input.values.text(kKernelClassParameter.name)},
                     input.cancel, input.shared);
  const std::vector<char> words = host_words(input.profile);
  const bool leave_out = matches.compared.size() > 1 &&
                         (unmatched == Unmatched::never ||
                          std::ranges::any_of(matches.ranks, [](const RankMatch& rank) { return rank.matched > 0; }));
  parallel_for(matches.compared.size(), analysis_threads(), [&](std::size_t i) {
    const std::uint32_t r = matches.compared[i];
    if (cancelled(input.cancel) || (matches.ranks[r].matched == 0 && leave_out)) return;
    ranks_[r] = RankRuns(input.profile, r, *rows.of(r), matches, words, rule);
  });
}

}  // namespace warpscope::analysis
