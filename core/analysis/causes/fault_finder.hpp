#pragma once
// What the finders of fault candidates share: access to the evaluated steps, and the ranks, names and places of a
// fault.
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/causes/job_faults.hpp"

namespace warpscope::analysis {

inline constexpr std::size_t kFaultPlaces = 20;

/// Values of ranks or groups.
using Values = std::vector<std::pair<double, std::uint32_t>>;

/// Returns those above the lowest gap of at least `ratio` and `least` in the upper half of the sorted values, without
/// those whose excess is far below the largest.
[[nodiscard]] std::set<std::uint32_t> above_gap(Values values, double ratio, double least);

struct CellTotals {
  Ns gpu = 0;   // kernels and memory operations
  Ns host = 0;  // ordinary host time
};

/// Usual durations of kernels and memory operations, and what exceeds them, by kind and name.
struct Excess {
  struct Sum {
    Ns usual = 0;
    Ns more = 0;
  };
  std::map<RunKind, std::map<NameId, Sum>> kinds;

  /// Describes the kind with the largest excess, and how it is spread over names.
  void describe(Fault& fault) const;
};

class FaultFinder {
 public:
  FaultFinder(const AnalysisInput& input, const JobModel& model);

 protected:
  [[nodiscard]] std::uint32_t role(std::uint32_t rank) const { return model_.comparison().role_of(rank); }
  [[nodiscard]] const RankRun& run_at(std::uint32_t rank, std::uint32_t position) const {
    return model_.runs(rank)[model_.launches(rank)[position]];
  }
  [[nodiscard]] ReplayGraph::Node node_at(std::uint32_t rank, std::uint32_t position) const {
    return model_.run_node(rank, model_.launches(rank)[position]);
  }
  [[nodiscard]] CellTotals totals_of(const StepCell& cell) const;
  /// Returns each rank's median over its cells.
  [[nodiscard]] Values medians(const std::vector<std::uint32_t>& cells, Ns CellTotals::*figure) const;
  /// Names the rank or ranks with most of the cost, or all.
  void name_ranks(Fault& fault, const std::map<std::uint32_t, Ns>& of_rank) const;
  /// Costs by rank, by step.
  using StepCosts = std::map<std::pair<NameId, std::uint32_t>, std::map<std::uint32_t, Ns>>;
  /// Returns the ranks to blame for what the slowest ranks of the steps have above the usual: those with a single delay
  /// far above all others, or that are slowest in most steps; none if other ranks would take their place.
  [[nodiscard]] std::vector<std::uint32_t> above_peers(const StepCosts& steps) const;
  /// Returns the median over all ranks; for an even number, the lower of the two middle values.
  [[nodiscard]] Ns usual_cost(const std::map<std::uint32_t, Ns>& costs) const;
  /// Sets cost, name, places and the step that shows the first place.
  void finish(Fault& fault, const std::map<NameId, Ns>& names, const std::map<std::uint32_t, Ns>& of_rank);

  const AnalysisInput& input_;
  const trace::Profile& profile_;
  const JobModel& model_;
  double step_;                                                  // ns
  std::map<std::uint32_t, CellTotals> totals_;                   // by cell; the evaluated ones
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_role_;  // cells
  std::vector<std::pair<Ns, trace::SliceRef>> places_;           // of the fault being found
  std::vector<Fault> found_;
};

/// Finds faults by comparing ranks, steps and pipeline stages with their peers.
[[nodiscard]] std::vector<Fault> peer_faults(const AnalysisInput& input, const JobModel& model);

}  // namespace warpscope::analysis
