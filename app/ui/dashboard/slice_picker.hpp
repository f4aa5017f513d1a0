#pragma once
// Finds the slices behind a sector or bar that the user clicks. Uses the same traversal as the analysis, so the number
// of slices equals the count in the chart.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/dashboard/dashboard_layout.hpp"
#include "app/ui/model/session.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"
#include "core/base/table.hpp"

namespace warpscope::ui {

struct PickRequest {
  PanelState panel;
  analysis::Scope scope;
  std::string row;                 ///< row name
  std::vector<std::string> named;  ///< names of the other rows, excluded from "others"
  std::optional<Interval> bin;     ///< histogram: durations in [begin, end), ns
  std::optional<Ns> begin{};       ///< step: start, ns since the start of the profile; set together with `bin`
  std::string label;               ///< label of the slices
  std::string kernel_rules{};      ///< from the settings (analysis::parse_kernel_rules)
};

struct PickResult {
  std::shared_ptr<const PickedSlices> slices;  ///< longest first
  Table table;                                 ///< the first kMostListed: slice, start, duration, rank, track
  Ns total = 0;
};

inline constexpr std::size_t kMostListed = 5000;

/// False for rows without slices, such as idle time and curves.
[[nodiscard]] bool can_pick(const PanelState& panel, const Table& table, std::size_t row);
/// Call on a worker thread. The result is invalid if the search was cancelled.
[[nodiscard]] PickResult pick_slices(const trace::Profile& profile, PickRequest request, const CancelToken& cancel);

}  // namespace warpscope::ui
