#pragma once
// The slices that a table row counts, found with the same traversal as the analysis, so their number equals the row's
// count.
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct CallQuery {
  std::string name{};
  /// Role of the column with the name: kernel (only for "others"), precision, memory_operation, activity, state (all
  /// GPU activity), step (all steps) or annotation_group (see annotation_samples()). Others: `name` is that of the
  /// slices.
  ColumnRole of = ColumnRole::name;
  std::uint32_t value = 0;  ///< reference of the cell with a precision, memory operation, activity or state
  /// GPU activity, or annotations on the GPU; otherwise host slices, or device slices if the host has none.
  bool on_device = false;
  std::vector<std::string> listed{};    ///< kernels with a row of their own, excluded from "others"
  std::optional<Interval> durations{};  ///< ns; restricts steps and annotations
  std::optional<Ns> start{};            ///< of a step, in ns since the start of the profile
  Scope scope{};
  std::string kernel_rules{};  ///< of precisions (parse_kernel_rules)

  template <class Enum>
  [[nodiscard]] bool is(Enum enumerator) const {
    return value == static_cast<std::uint32_t>(enumerator);
  }
  friend bool operator==(const CallQuery&, const CallQuery&) = default;
};

struct RowCall {
  trace::SliceRef slice;
  Interval part;  ///< clipped to the scope's range
};

/// Returns the slices, longest first, then by start. O(slices · log slices). After cancellation, the result is
/// incomplete.
[[nodiscard]] std::vector<RowCall> calls_of(const trace::Profile& profile, CallQuery query, const CancelToken* cancel);

}  // namespace warpscope::analysis
