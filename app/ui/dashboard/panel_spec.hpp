#pragma once
// Declares the built-in panels: analysis, table, columns and chart. Panels compute nothing themselves; they show the
// output of `warpscope analyze`.
#include <cstdint>
#include <span>
#include <string_view>

#include "render/plots/row_meaning.hpp"

namespace warpscope::ui {

enum class ChartKind : std::uint8_t {
  pie,
  bars,   ///< one horizontal bar per row, longest first
  parts,  ///< stacked bars, same as on the Analysis page
  lines,
  areas,  ///< stacked areas, same as on the Analysis page
  heat,   ///< one row per curve, values as colors
  histogram,
};

/// One of a panel's views: a different column, parameter value or table.
struct PanelChoice {
  std::string_view word;                 ///< label of the button
  ColumnRole column = ColumnRole::none;  ///< of the values; none: the panel's
  std::string_view parameter{};          ///< parameter set to `value`; "": none
  std::string_view value{};
  std::string_view table{};     ///< "": the panel's
  bool heat = false;            ///< shows a heat map
  std::string_view total_of{};  ///< "": the panel's
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
  std::string_view table{};  ///< id; "": the main one
  ChartKind chart = ChartKind::pie;
  ColumnRole name = ColumnRole::none;   ///< of the row names; none: the first text
  ColumnRole value = ColumnRole::none;  ///< of the values; none: the first number
  std::string_view total_of{};          ///< pie: label of its sum, in one or two words
  std::string_view share_of{};          ///< pie: heading of the table's shares if they are relative to another total
  plots::RowMeaning meaning = plots::RowMeaning::none;
  bool has_k = false;  ///< offers the parameter "k" of the analysis
  PanelNeed need = PanelNeed::none;
  std::string_view missing{};  ///< instead of missing_of(need)
  std::span<const PanelChoice> choices{};
  std::string_view parameter{};  ///< always set to `value_of_parameter`; "": none
  std::string_view value_of_parameter{};
  std::string_view measure = "Utilization";  ///< of the values over time, for saved images
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
