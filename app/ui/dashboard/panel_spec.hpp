#pragma once
// Declares the built-in panels: analysis, table, columns and chart. Panels compute nothing themselves; they show the
// output of `warpscope analyze`.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/analysis/request/chart_spec.hpp"

namespace warpscope::ui {

/// One of a panel's views: a different column, parameter value or table.
struct PanelChoice {
  std::string_view word;                 ///< label of the button
  ColumnRole column = ColumnRole::none;  ///< of the values; none: the panel's
  std::string_view parameter{};          ///< parameter set to `value`; "": none
  std::string_view value{};
  std::string_view table{};     ///< "": the panel's
  bool heat = false;            ///< shows a heat map
  std::string_view whole{};     ///< label of a pie's sum; "": the panel's
  bool of_two_sources = false;  ///< offered only if both trace and samples have the data; these choices come last
};

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
  std::string_view missing{};  ///< instead of missing_of(need)
  std::span<const PanelChoice> choices{};
  std::string_view parameter{};  ///< always set to `value_of_parameter`; "": none
  std::string_view value_of_parameter{};
};

/// Returns all panels, in their default order.
[[nodiscard]] std::span<const PanelSpec> panel_specs();
/// Returns the spec with this id, or nullptr.
[[nodiscard]] const PanelSpec* find_panel_spec(std::string_view id);
/// True if the analysis has this parameter, so that the panel can offer it: "k", or "log" and "width" for histograms.
[[nodiscard]] bool offers(const PanelSpec& spec, std::string_view parameter);
/// Returns the spec for user-created histograms.
[[nodiscard]] const PanelSpec& made_histogram_spec();
/// Returns an explanation of how to record the data, for profiles that lack it.
[[nodiscard]] std::string_view missing_of(PanelNeed need);

}  // namespace warpscope::ui
