#pragma once
// Operators of kernels in CUDA graphs. A replay runs no operators, but inference servers also trace the capture of
// their graphs: there, operators run and launch kernels that the GPU does not execute. The nodes of a graph are in the
// order of these launches.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/operators/host_events.hpp"

namespace warpscope::analysis {

/// The operator that launched a kernel while its graph was captured.
struct CapturedOperator {
  std::string name;
  std::string shapes;    ///< as shapes_of(); "" if unknown
  bool inferred = true;  ///< from the order of launches, because ids are not recorded

  friend bool operator==(const CapturedOperator&, const CapturedOperator&) = default;
};

/// Joins the captures in all traces of a profile with replays. Without captures, costs one search for a name.
class CapturedOperators {
 public:
  using Found = std::unordered_map<trace::SliceOrdinal, CapturedOperator>;

  explicit CapturedOperators(const AnalysisInput& input);

  /// Returns the operators of a rank's rows that a graph launch launched. Joins by graph and node id if the capture
  /// records them, otherwise with captures of as many launches as the graph has nodes; if several differ, only what
  /// they have in common. `rows`: of the rank. Errors: as EventLookup::read_each.
  [[nodiscard]] Result<Found> of(std::uint32_t rank, const GpuRows::Rows& rows);
  /// Returns a sentence on what was joined, or why nothing was; "" without captures.
  [[nodiscard]] std::string note() const;
  /// True if captures fit that differ in shapes, so none are known.
  [[nodiscard]] bool shapes_differ() const { return shapes_differ_; }

 private:
  using NodeId = std::pair<std::int64_t, std::int64_t>;  // graph, node
  using Capture = std::vector<CapturedOperator>;         // by launch

  void add_captures(std::uint32_t rank);

  const AnalysisInput& input_;
  std::multimap<std::size_t, Capture> captures_;  // by number of launches
  std::map<NodeId, CapturedOperator> by_id_;
  std::uint64_t joined_ = 0;
  std::uint64_t inferred_ = 0;
  std::set<std::size_t> unmatched_;  // numbers of nodes of graphs that no capture fits
  bool shapes_differ_ = false;
};

}  // namespace warpscope::analysis
