#pragma once
// Who is at fault, and the words for it. Findings, the Dashboard and the tables use the same ones.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/causes/job_faults.hpp"

namespace warpscope::analysis {

/// Ratio of work above which ranks are not slow, but have more to do.
inline constexpr double kMoreWork = 1.05;

enum class CulpritKind : std::uint8_t { job, rank, ranks, node, stage, group, all_ranks };
inline constexpr std::array<std::string_view, 7> kCulpritWords{"job",   "rank",  "ranks",    "node",
                                                               "stage", "group", "all_ranks"};

struct Culprit {
  CulpritKind kind = CulpritKind::job;
  std::vector<std::int64_t> ranks{};  ///< numbers, ascending; of all_ranks: those with most of the cost
  std::string name{};                 ///< of the node, stage or process group
  std::string host{};                 ///< of the node, if it is not its name
  std::string step{};                 ///< if it happens in one step only
};

[[nodiscard]] Culprit culprit_of(const trace::Profile& profile, const RankComparison& comparison, const Fault& fault);

/// Describes a culprit: "Rank 3", "Ranks 16–23 (node algo-3, gpu-host-17)", "Process group 1 (ranks 4–7)"; "" for the
/// whole job.
[[nodiscard]] std::string culprit_text(const Culprit& culprit);

/// Returns "16–23", "2 and 5" or "0, 2 and 4–6".
[[nodiscard]] std::string numbers_text(const std::vector<std::int64_t>& numbers);

/// Describes the cause without the culprit: "kernels 1.2× slower".
[[nodiscard]] std::string cause_text(const trace::Profile& profile, const Fault& fault);

/// Returns "Rank 3: kernels 1.2× slower, 15.8 % (3.8 ms per step)", at most about 90 characters.
[[nodiscard]] std::string fault_headline(const trace::Profile& profile, const RankComparison& comparison,
                                         const JobFaults& faults, const Fault& fault);

/// Returns the costliest fault of a rank (index), alone or with others, but not of all or of a process group, whose
/// members all wait; nullptr if it has none.
[[nodiscard]] const Fault* fault_of(const JobFaults& faults, std::uint32_t rank);

/// Returns the fault that saves most; nullptr if there is none.
[[nodiscard]] const Fault* largest_fault(const JobFaults& faults);

/// Returns the headline of the costliest fault of some of the ranks; if there is none, says so, and returns that of
/// all ranks.
[[nodiscard]] std::string late_answer(const trace::Profile& profile, const RankComparison& comparison,
                                      const JobFaults& faults);

}  // namespace warpscope::analysis
