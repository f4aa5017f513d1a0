#pragma once
// Explains why a collective's last rank arrived later than the median rank by comparing their paths (run_forest.hpp)
// since their last common dependency. The differences add up exactly to the lead.
//
// If the recording contains no common dependency, each path is cut at the start of its rank's step. Earlier differences
// cannot be explained and are counted separately.
#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/analysis/ranks/run_forest.hpp"

namespace warpscope::analysis {

/// Cause classes: path parts (Stretch) and differences before the step.
enum class CauseClass : std::uint8_t { kernel, memory, transfer, host, launch, gap, callback, before };
inline constexpr std::size_t kCauseClasses = 8;

/// Leads below this are noise: launches and collective end times jitter by this much.
inline constexpr Ns kLeastLead = 20'000;

/// Identifies what a path spends time on: a kernel or memory operation by name, a transfer by kind and size, host time
/// by call.
struct CauseKey {
  CauseClass cause = CauseClass::kernel;
  NameId name = 0;                     ///< of kernels, memory operations and calls; 0: no call is recorded
  std::uint32_t signature = kNoIndex;  ///< of transfers

  friend auto operator<=>(const CauseKey&, const CauseKey&) = default;
};

struct Lead {
  std::uint32_t collective = 0;
  std::uint32_t late = 0;       ///< rank index
  std::uint32_t reference = 0;  ///< rank index of the median arriver
  Ns lead = 0;                  ///< time between their arrivals
  bool met = true;              ///< false: the paths have no common point and are cut at the start of the step
  std::array<Ns, kCauseClasses> excess{};  ///< late minus reference; adds up to `lead`
};

/// The excess time of a lead, broken down by name.
struct LeadNames {
  std::map<CauseKey, Ns> excess;  ///< late minus reference, over all ranks of the paths
  std::size_t parts = 0;          ///< number of path edges and host slices that were read
};

/// Returns the display name of a cause, such as a kernel, a host call or "allreduce".
[[nodiscard]] std::string name_of(const trace::Profile& profile, const JobCollectives& matches, const CauseKey& key);

class LeadFinder {
 public:
  LeadFinder(const AnalysisInput& input, const RankComparison& comparison, ClockChoice choice);

  /// O(log runs).
  [[nodiscard]] Lead lead_of(std::uint32_t collective) const;
  /// Breaks down a lead by name. Stops reading the paths after `budget` edges and host slices. O(E + H log H) for E
  /// edges and H host slices.
  [[nodiscard]] LeadNames names_of(const Lead& lead, std::size_t budget) const;
  [[nodiscard]] const RunForest& forest() const { return forest_; }

 private:
  struct Ends {
    std::uint32_t late = 0;  // nodes
    std::uint32_t reference = 0;
    std::uint32_t meeting = RunForest::kNone;
    Ns late_cut = 0;  // used if the paths do not meet
    Ns reference_cut = 0;
  };
  [[nodiscard]] Ends ends_of(std::uint32_t collective) const;
  [[nodiscard]] Ns cut_of(std::uint32_t node, std::uint32_t collective) const;

  const trace::Profile& profile_;
  const RankComparison& comparison_;
  ClockChoice choice_;
  RunForest forest_;
};

}  // namespace warpscope::analysis
