#pragma once
// What costs a job time, by replay: each cause as a set of ranks, steps or groups, and what the job would take without
// it.
//
// Candidates come from comparisons. Ranks with the same role are compared position by position: the k-th launch of a
// step with the same sequence of GPU activity. The usual duration of a position is the median over ranks and steps,
// without ranks that are slower as a whole (a gap in the sorted totals of the ranks separates them). What exceeds the
// usual is a slow GPU or more work (kernels), a slow host or a pause (time before a launch). Pipeline stages are
// compared by their total, process groups of one kind and size by their transfers. Kinds of host work that a job can
// avoid altogether (data loader, compilation, …) count in full; what single ranks have above the median of a step is a
// cause of its own.
//
// Each candidate is a ReplayChange (job_model.hpp). They are chosen greedily: the largest saving first, the next one
// replayed on top of it, so savings add up. Causes with a known remedy at one place come before those that are limits
// of the whole job (host launches, transfers, waits for the GPU). O(R log R), and one replay per candidate and choice.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/causes/job_model.hpp"

namespace warpscope::analysis {

enum class FaultKind : std::uint8_t {
  slow_gpu,     ///< kernels take longer than on peers
  slow_steps,   ///< kernels take longer in some steps, on one rank or another
  heavy_stage,  ///< a pipeline stage computes longer than the others
  data_loader,
  compilation,
  allocation,
  collection,
  checkpoint,
  pauses,          ///< single host delays before launches
  slow_host,       ///< the host takes longer than on peers throughout
  callbacks,       ///< CUDA graphs run functions on the host, which occupy their streams
  slow_group,      ///< transfers of a process group take longer than those of equal groups
  slow_transfers,  ///< some transfers take longer than others of the same group and size
  waits,           ///< the host waits for the GPU
  launches,        ///< the host launches too late
  communication,   ///< transfers that computation does not hide
};
inline constexpr std::size_t kFaultKinds = 16;
/// Smallest saving that is reported, as a fraction of a step, by FaultKind. Causes below it are neither listed nor
/// fixed in replays of others, so the savings of a list do not depend on causes that it lacks.
using LeastShares = std::array<double, kFaultKinds>;
inline constexpr LeastShares kLeastShares{0.03, 0.03, 0.03, 0.05, 0.05, 0.03, 0.05, 0.05,
                                          0.05, 0.03, 0.05, 0.03, 0.03, 0.05, 0.1,  0.1};

struct Fault {
  FaultKind kind = FaultKind::slow_gpu;
  std::vector<std::uint32_t> ranks{};    ///< indices, ascending; of a group: its members
  bool all_ranks = false;                ///< no rank stands out
  std::optional<std::uint32_t> group{};  ///< index into JobEvents::groups
  std::optional<NameId> step{};  ///< if it happens in one step only: that of the call or, on the GPU, of the launch
  double ratio = 0;              ///< to the usual duration; 0 if it does not apply
  bool memory = false;           ///< `ratio` is of memory operations, not of kernels
  double work = 0;               ///< ratio of the grid of `name` to that of a peer's kernel; 0 if unknown
  NameId name = 0;               ///< kernel or call with the largest part; 0 if unknown
  bool other_names = false;      ///< calls with other names than `name` take at least as much
  double name_ratio = 0;         ///< `ratio` of kernel `name` alone; 0 if it does not apply
  bool some_kernels = false;     ///< most kernel time is not slower, so the GPU as a whole is not
  /// A kind of transfer of a slow group.
  struct Transfer {
    std::uint32_t signature = 0;  ///< index into JobEvents::signatures
    Ns time = 0;                  ///< median
    Ns usual = 0;                 ///< median in equal groups
  };
  Transfer transfer{};                    ///< with the largest ratio
  Ns cost = 0;                            ///< time above the usual, per step, on the rank with the most
  std::vector<trace::SliceRef> places{};  ///< largest first
  ReplayChange change{};
  Ns alone = 0;      ///< saving per step if only this is fixed
  Ns saving = 0;     ///< saving per step on top of all faults before it
  Ns step_time = 0;  ///< with this and all faults before it fixed, at best
  Ns low = 0;        ///< lower bound of `saving`: 0 if waits for ranks without traces may count as transfer
  Ns most = 0;  ///< same, if the host did not delay launches: it may wait for the GPU in ways that are not recorded
};

struct JobFaults {
  std::vector<Fault> faults{};  ///< in the order in which they were chosen
  Ns step_time = 0;             ///< of the replayed recording, per step
  Ns fixed_step_time = 0;       ///< with all faults fixed, at best
  std::size_t steps = 1;
  bool by_steps = false;   ///< times are per step; otherwise of the recording
  std::size_t broken = 0;  ///< nodes whose recorded times contradict each other
  std::string reason{};    ///< why nothing could be replayed; "" if it was
};

/// Minimum number of kernels for a replay.
inline constexpr std::size_t kLeastKernels = 10;
/// Returns "7 kernels recorded; at least 10 are needed."; "" if there are enough.
[[nodiscard]] std::string too_few_kernels(std::size_t kernels);

/// Finds the faults that save at least `least`.
[[nodiscard]] JobFaults find_faults(const AnalysisInput& input, JobModel& model,
                                    const LeastShares& least = kLeastShares);

/// Returns the faults of the scope's ranks in all evaluated steps (the range is ignored), without their changes, shared
/// within a request.
[[nodiscard]] std::shared_ptr<const JobFaults> shared_faults(const AnalysisInput& input, const ChainVisitor& visit = {},
                                                             const LeastShares& least = kLeastShares);

/// Candidates, without savings. Prepares the model meanwhile.
[[nodiscard]] std::vector<Fault> fault_candidates(const AnalysisInput& input, JobModel& model);

[[nodiscard]] std::string_view to_string(FaultKind kind);

}  // namespace warpscope::analysis
