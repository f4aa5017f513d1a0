#pragma once
// The slices behind a part of a chart: what a click on a sector or a bar selects. Found by the same walks that the
// analysis counted with, so that their number is the count that the chart shows.
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
  std::string row;                 ///< name of the row
  std::vector<std::string> named;  ///< names of the other rows: what "others" are not
  std::optional<Interval> bin;     ///< of a histogram: durations from begin up to end, ns
  std::optional<Ns> begin{};       ///< of a step: when it starts, since the profile's begin; with its bin
  std::string label;               ///< what they are called
  std::string kernel_rules{};      ///< of the settings (analysis::parse_kernel_rules)
};

struct PickResult {
  std::shared_ptr<const PickedSlices> slices;  ///< longest first
  Table table;                                 ///< of the first kMostListed: slice, begin, duration, rank, track
  Ns total = 0;
};

inline constexpr std::size_t kMostListed = 5000;

/// False for what is no slices: idle time, curves.
[[nodiscard]] bool can_pick(const PanelState& panel, const Table& table, std::size_t row);
/// Meant for a worker thread; of no use once cancelled.
[[nodiscard]] PickResult pick_slices(const trace::Profile& profile, const PickRequest& request,
                                     const CancelToken& cancel);

}  // namespace warpscope::ui
