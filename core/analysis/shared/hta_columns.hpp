#pragma once
// Columns for compatibility with scripts written for HTA: times relative to HTA's time zero, and correlation ids.
// Profiles do not store correlation ids, so they are reread from the traces.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

/// Returns Column::csv_zero for times: the start of the profile or, with hta, HTA's time zero.
[[nodiscard]] Ns csv_zero(const AnalysisInput& input);

inline constexpr Parameter kCorrelationParameter = flag_parameter(
    "correlation", "include correlation ids (reads the traces again); --csv includes them unless this is false");

/// Correlation ids of slices, for tables that include them if kCorrelationParameter is set.
class Correlations {
 public:
  explicit Correlations(const AnalysisInput& input);

  [[nodiscard]] bool wanted() const { return wanted_; }
  /// Adds the column if requested.
  void append_column(std::vector<Column>& columns) const;
  /// Reads the ids of `slices` on one rank, replacing any previously read ids. No-op if ids are not requested. O(text).
  void read(const trace::Rank& rank, std::vector<trace::SliceOrdinal> slices);
  /// Adds the slice's cell if requested; the cell is empty if the trace has no id. O(log slices).
  void append_cell(std::vector<Cell>& cells, trace::SliceOrdinal slice) const;
  /// Returns why some ids are missing; "" if none are.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  const AnalysisInput& input_;
  bool wanted_;
  std::vector<std::pair<trace::SliceOrdinal, std::int64_t>> ids_;  // by slice
  std::string note_;
};

}  // namespace warpscope::analysis
