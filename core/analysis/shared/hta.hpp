#pragma once
// HTA's changes to a trace at load time: it drops the last training step and may round times.
//
// If all ranks together have at least two different ProfilerSteps, HTA keeps only host activity that started before the
// last of them. The start of a step is the latest start of any row with its name, including its device shadows, so the
// complete last step is kept if the trace has shadows (B7).
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct GpuRow;

/// Rounds `time` as HTA does: up to whole µs.
[[nodiscard]] Ns hta_rounded(Ns time);
/// Rounds the start up and the end down to whole µs; the result may end before it starts.
[[nodiscard]] Interval hta_rounded(Interval time);

class HtaSteps {
 public:
  /// If `hta` is false, nothing is dropped.
  explicit HtaSteps(const trace::Profile& profile, bool hta = true);

  /// Returns the start of a rank's last step; HTA drops everything after it. Returns nullopt if HTA keeps everything.
  /// O(shadows).
  [[nodiscard]] std::optional<Ns> last_begin(const trace::Rank& rank) const;

 private:
  std::vector<NameId> names_;  // distinct names, over all ranks
};

/// Returns the length of a rank's trace according to HTA: from the start of the first row that it keeps to the start of
/// the last. O(slices).
[[nodiscard]] Ns hta_trace_length(const trace::Profile& profile, std::uint32_t rank, bool rounding);

// Columns for compatibility with scripts written for HTA: times relative to HTA's time zero, and correlation ids.
// Profiles do not store correlation ids, so they are reread from the traces.

/// Returns Column::csv_zero for times: the start of the profile or, with hta, HTA's time zero.
[[nodiscard]] Ns csv_zero(const AnalysisInput& input);

inline constexpr Parameter kCorrelationParameter = flag_parameter(
    "correlation",
    "include correlation ids (reads the traces again); --csv and --json include them unless this is false");

/// Correlation ids of slices, for tables that include them if kCorrelationParameter is set.
class Correlations {
 public:
  explicit Correlations(const AnalysisInput& input);

  /// Adds the column if requested.
  void append_column(std::vector<Column>& columns) const;
  /// Reads the ids of a rank's rows, replacing any previously read ids. No-op if ids are not requested. O(text).
  void read(const trace::Rank& rank, std::span<const GpuRow> rows);
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

// Shortens names as HTA does, for columns that must match HTA's. core/trace/kernel_label.hpp shortens names for
// display.

/// Removes arguments, template arguments and return type, as HTA does: "void f<4>(int*)" becomes "f". Names of memcpys
/// and memsets are unchanged. O(length).
[[nodiscard]] std::string hta_short_name(std::string_view name);

}  // namespace warpscope::analysis
