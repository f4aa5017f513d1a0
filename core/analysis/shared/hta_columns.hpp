#pragma once
// What HTA's tables have and ours need only for scripts that were made for them: times that count from where its times
// do, and correlation ids, which a profile does not keep and which are read again from the traces.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

/// Column::csv_zero of times: the profile's begin, or as HTA counts what its times count from.
[[nodiscard]] Ns csv_zero(const AnalysisInput& input);

inline constexpr Parameter kCorrelationParameter{
    .name = "correlation",
    .about = "include correlation ids, which are read again from the traces; --csv includes them unless this is false",
    .kind = ParameterKind::flag,
    .preset = "false"};

/// Correlation ids of slices, for a table that has them if kCorrelationParameter asks for them.
class Correlations {
 public:
  explicit Correlations(const AnalysisInput& input);

  [[nodiscard]] bool wanted() const { return wanted_; }
  /// Adds the column if it is wanted.
  void append_column(std::vector<Column>& columns) const;
  /// Reads those of some slices of one rank, in place of what was read before; nothing if none are wanted. O(text).
  void read(const trace::Rank& rank, std::vector<trace::SliceOrdinal> slices);
  /// Adds the slice's cell if they are wanted; it is missing where the trace tells no id. O(log slices).
  void append_cell(std::vector<Cell>& cells, trace::SliceOrdinal slice) const;
  /// Why some are missing; "" if none are.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  const AnalysisInput& input_;
  bool wanted_;
  std::vector<std::pair<trace::SliceOrdinal, std::int64_t>> ids_;  // by slice
  std::string note_;
};

}  // namespace warpscope::analysis
