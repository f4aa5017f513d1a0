#pragma once
// Data shared by the rules for PyTorch profiles: the evaluated time, and each GPU's activity and idle time. Values are
// computed on first use. Keeps only one rank's GPU activity in memory at a time, plus what fits in SharedResults.
//
// The evaluated time is that of evaluated_time.hpp.
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/causes/job_faults.hpp"
#include "core/analysis/causes/special_calls.hpp"
#include "core/analysis/causes/time_account.hpp"
#include "core/analysis/ranks/collective_arrivals.hpp"
#include "core/analysis/request/evaluated_time.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/call_tree.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/rules/workload.hpp"

namespace warpscope::rules {

using analysis::common;
using analysis::GpuWindow;
using analysis::joined;
using analysis::NamedCall;
using analysis::touches;

inline constexpr std::string_view kNoGpuActivity = "The profile has no GPU activity.";

/// Activity of one rank, by device.
struct RankRows {
  RankRows(std::uint32_t of, std::shared_ptr<const analysis::GpuRows::Rows> all)
      : rank(of), rows(std::move(all)), by_device(*rows) {}

  std::uint32_t rank;
  std::shared_ptr<const analysis::GpuRows::Rows> rows;
  analysis::RowsByDevice by_device;
};

/// Activity of one GPU.
class DeviceRows : public std::span<const analysis::GpuRow> {
 public:
  DeviceRows(std::shared_ptr<const RankRows> all, std::uint32_t device)
      : span(all->by_device.of(device)), all_(std::move(all)) {}

 private:
  std::shared_ptr<const RankRows> all_;
};

/// Sends and receives have one kind.
struct Message {
  analysis::CollectiveKind kind = analysis::CollectiveKind::other;
  double bytes = 0;  ///< input size of one rank; 0 if unknown
};

/// Not thread-safe. Must not outlive the profile.
class Facts {
 public:
  /// `kernel_rules`: same format as the kernel_class parameter of analyses. `least`: the smallest faults().
  explicit Facts(const analysis::AnalysisInput& input, const std::string& kernel_rules = {},
                 const analysis::LeastShares& least = analysis::kLeastShares);

  [[nodiscard]] const trace::Profile& profile() const { return input_.profile; }
  [[nodiscard]] const analysis::AnalysisInput& input() const { return input_; }
  [[nodiscard]] bool cancelled() const { return input_.cancel != nullptr && input_.cancel->cancelled(); }

  /// Active GPUs, sorted by rank.
  [[nodiscard]] const std::vector<GpuWindow>& gpus() { return window().gpus; }
  /// True if the evaluated time consists of steps.
  [[nodiscard]] bool by_steps() { return window().by_steps; }
  /// Returns why the evaluated time does not consist of steps: "the trace has no steps"; "" if it does, or without
  /// GPUs.
  [[nodiscard]] std::string no_steps_reason() { return window().no_steps_reason; }
  /// Returns a description of the evaluated time: "Evaluated: 3 steps on 8 GPUs."
  [[nodiscard]] std::string window_note() { return window().note; }
  /// Evaluated time and number of steps, each summed over the GPUs.
  [[nodiscard]] Ns total() { return window().total; }
  [[nodiscard]] std::size_t steps() { return window().steps; }
  [[nodiscard]] std::uint64_t kernels() { return window().kernels; }  ///< in the whole trace
  /// True if any evaluated trace is from PyTorch's profiler, so advice about profiler options applies.
  [[nodiscard]] bool of_pytorch() const;
  [[nodiscard]] Workload workload();

  [[nodiscard]] double share(Ns time) {
    return total() > 0 ? static_cast<double>(time) / static_cast<double>(total()) : 0;
  }
  /// Converts a sum over the GPUs to a mean per step, or per GPU if there are no steps.
  [[nodiscard]] Ns mean(Ns time);
  /// "12.3 ms of each 610 ms step", or "12.3 ms of 1.21 s".
  [[nodiscard]] std::string of_step(Ns time);
  /// "12.3 ms per step", or "12.3 ms" without steps.
  [[nodiscard]] std::string a_step(Ns time);
  /// True if the time is at least `least_share` of the evaluated time and 0.1 ms per step.
  [[nodiscard]] bool matters(Ns time, double least_share);

  /// A rank's GPU activity, sorted by start.
  [[nodiscard]] std::shared_ptr<const analysis::GpuRows::Rows> rows(std::uint32_t rank) { return rows_.of(rank); }
  /// A GPU's activity, sorted by start.
  [[nodiscard]] DeviceRows rows(const GpuWindow& gpu) { return {rank_rows(gpu.rank), gpu.device}; }
  [[nodiscard]] const analysis::GpuRows& all_rows() const { return rows_; }
  /// A rank's host calls, by kind.
  [[nodiscard]] const analysis::SpecialCalls& host(std::uint32_t rank);
  [[nodiscard]] std::shared_ptr<const analysis::CallTree> tree(std::uint32_t rank);
  /// What a rank's host does on the way to its launches, during `time`.
  [[nodiscard]] analysis::HostChain chain(std::uint32_t rank, Interval time);
  /// Where a GPU's evaluated time goes. `gpu`: index into gpus().
  [[nodiscard]] const analysis::TimeAccount& account(std::size_t gpu);
  /// A GPU's idle time before late launches, as disjoint intervals sorted by start. `gpu`: index into gpus().
  [[nodiscard]] std::vector<Interval> launch_delays(std::size_t gpu) {
    return either(gpu, analysis::TimeLabel::launch, analysis::TimeLabel::host);
  }
  /// A rank's unusually long host calls.
  [[nodiscard]] const std::vector<analysis::HostStall>& stalls(std::uint32_t rank);
  /// Kind and size of a communication kernel's collective.
  [[nodiscard]] Message message_of(std::uint32_t rank, const analysis::GpuRow& kernel);
  /// Collectives matched across ranks, clocks and roles.
  [[nodiscard]] const analysis::RankComparison& comparison();
  /// What costs the job time, by replay.
  [[nodiscard]] const analysis::JobFaults& faults();
  /// Wait time in each collective.
  [[nodiscard]] const analysis::CollectiveWaits& waits();
  /// A GPU's exposed communication in the evaluated time, as disjoint intervals sorted by start. `gpu`: index into
  /// gpus().
  [[nodiscard]] std::vector<Interval> exposed_communication_of(std::size_t gpu) {
    return either(gpu, analysis::TimeLabel::transfer, analysis::TimeLabel::waiting);
  }
  /// Returns the name of the innermost operator that contains a call; "" if there is none.
  [[nodiscard]] std::string_view operator_of(std::uint32_t rank, trace::SliceOrdinal call);
  /// Returns the user code that contains a call: the innermost Python function outside PyTorch and other packages, and
  /// the innermost module. If there is neither, returns the innermost annotation other than the step, or "".
  [[nodiscard]] std::string code_of(std::uint32_t rank, trace::SliceOrdinal call);

 private:
  /// The evaluated time.
  struct Window {
    std::vector<GpuWindow> gpus{};
    Ns total = 0;
    std::size_t steps = 0;
    std::uint64_t kernels = 0;
    bool by_steps = true;
    std::string no_steps_reason{};
    std::string note{};
  };
  [[nodiscard]] const Window& window();
  [[nodiscard]] Window find_window();
  [[nodiscard]] Window window_of(std::uint32_t rank, const analysis::EvaluatedRank& time);
  [[nodiscard]] std::vector<Interval> either(std::size_t gpu, analysis::TimeLabel one, analysis::TimeLabel other);
  /// Keeps what is needed from a rank's chain. May run for several ranks at once.
  void note(std::uint32_t rank, const analysis::HostChain& chain);
  [[nodiscard]] const analysis::HostWorkNames& work_names();
  [[nodiscard]] std::shared_ptr<const RankRows> rank_rows(std::uint32_t rank);

  analysis::AnalysisInput input_;
  std::string kernel_rules_;
  analysis::LeastShares least_;
  analysis::GpuRows rows_;
  std::shared_ptr<const RankRows> rank_rows_;  // of the last rank
  std::optional<Window> window_;
  std::vector<std::optional<analysis::SpecialCalls>> host_;  // by rank index
  std::optional<analysis::HostWorkNames> work_names_;
  std::vector<std::optional<analysis::TimeAccount>> accounts_;  // by GPU
  std::vector<std::vector<analysis::HostStall>> stalls_;        // by rank index
  std::shared_ptr<const analysis::RankComparison> comparison_;
  std::shared_ptr<const analysis::JobFaults> faults_;
  std::optional<analysis::EventsBySlice> events_;
  std::optional<analysis::CollectiveWaits> waits_;
  std::optional<Workload> workload_;
};

}  // namespace warpscope::rules
