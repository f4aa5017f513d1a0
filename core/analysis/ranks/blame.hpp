#pragma once
// GPU time lost to late ranks, by cause. A collective's wait time is charged to the activity that made its last rank
// later than the median rank. It is split among cause classes in proportion to their excess time, then among names
// within each class. No time is charged twice, so the charges add up to the wait time.
//
// Considers only collectives whose members all have the same role. Ranks with different roles, such as pipeline stages,
// wait for each other by design. O(C log R) for C collectives and R runs, plus reading a limited number of paths, most
// expensive first, to find names.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/ranks/lead_causes.hpp"

namespace warpscope::analysis {

/// Leads below this are noise: launches and collective end times jitter by this much.
inline constexpr Ns kLeastLead = 20'000;

/// Part of a cause's time charged to one name.
struct NamedBlame {
  CauseKey key;                    ///< with the rank
  double lost = 0;                 ///< ns of GPU time
  Ns most = 0;                     ///< largest excess in one collective
  std::uint32_t where = kNoIndex;  ///< that collective
};

struct Blame {
  std::uint32_t rank = 0;  ///< index
  CauseClass cause = CauseClass::kernel;
  double lost = 0;                ///< ns of GPU time that other ranks waited
  std::vector<NamedBlame> names;  ///< by time lost
  bool stands_out = false;        ///< large, and much larger than on other ranks: a culprit, not noise
  std::string words;              ///< the cause in a few words: "all kernels ×1.30"
  std::string sentence;           ///< "rank 5: all kernels ×1.30"
};

struct BlameSum {
  std::vector<Blame> causes;     ///< by time lost
  std::vector<Lead> leads;       ///< of the collectives that count, in their order
  std::vector<LeadNames> names;  ///< by lead; `parts` is 0 for paths that were not read
  /// GPU time (ns) that other ranks lost, by step name ("" outside steps) and index of the rank that caused the loss.
  std::map<std::pair<std::string_view, std::uint32_t>, double> by_step;
  Ns waited = 0;                 ///< sum of all charged waits
  Ns small = 0;                  ///< sum of waits in collectives whose lead is too small to explain
  std::uint64_t asymmetric = 0;  ///< collectives between ranks of different roles
  std::uint64_t unnamed = 0;     ///< leads whose paths were not read, to limit the run time
};

/// Attributes wait time in the scope's collectives to the responsible ranks and causes.
[[nodiscard]] BlameSum sum_blame(const AnalysisInput& input, const RankComparison& comparison, const LeadFinder& finder,
                                 ClockChoice choice);

/// Returns the display name of a cause, such as a kernel, a host call or "allreduce".
[[nodiscard]] std::string name_of(const trace::Profile& profile, const JobCollectives& matches, const CauseKey& key);

/// Summarizes the ranks that stand out, or says that none do.
[[nodiscard]] std::string conclusion(const BlameSum& sum);

}  // namespace warpscope::analysis
