#pragma once
// Declares the built-in panels: analysis, table, columns and chart. Panels compute nothing themselves; they show the
// output of `warpscope analyze`.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/analysis/request/chart_spec.hpp"

namespace warpscope::ui {

/// Data that a panel requires from the profile.
enum class PanelNeed : std::uint8_t { none, gpu_activity, gpu_load, steps, host_load, host_memory, disk, network };
inline constexpr std::size_t kPanelNeeds = 8;

struct PanelSpec {
  std::string_view id;
  std::string_view title;
  std::string_view about;  ///< short enough for the narrowest panel; the analysis has the full description
  std::string_view analysis;
  std::string_view table{};     ///< id; "": the main one
  analysis::ChartSpec chart{};  ///< automatic: as on the Analysis page, but of the values `y` if given
  PanelNeed need = PanelNeed::none;
  std::string_view missing{};    ///< instead of missing_of(need)
  std::string_view parameter{};  ///< always set to `value_of_parameter`; "": none
  std::string_view value_of_parameter{};
};

/// Returns all panels, in their default order.
[[nodiscard]] std::span<const PanelSpec> panel_specs();
/// Returns the spec with this id, or nullptr.
[[nodiscard]] const PanelSpec* find_panel_spec(std::string_view id);
/// Returns the spec for user-created histograms.
[[nodiscard]] const PanelSpec& made_histogram_spec();
/// Returns an explanation of how to record the data, for profiles that lack it.
[[nodiscard]] std::string_view missing_of(PanelNeed need);

}  // namespace warpscope::ui
