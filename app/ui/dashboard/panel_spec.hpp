#pragma once
// The panels that every dashboard has, as data: which analysis, which of its tables, which columns, which chart. A
// panel computes nothing; it shows what `warpscope analyze` prints.
#include <cstdint>
#include <span>
#include <string_view>

#include "render/plots/row_meaning.hpp"

namespace warpscope::ui {

enum class ChartKind : std::uint8_t {
  pie,
  bars,   ///< the rows one below the other, longest first
  parts,  ///< bars of parts, as the Analysis page draws them
  lines,
  areas,  ///< curves on each other, likewise
  heat,   ///< a row a curve, its values as colours
  histogram,
};

/// One of several ways to show a panel: another column, another value of a parameter, another table.
struct PanelChoice {
  std::string_view word;         ///< on the button
  std::string_view column{};     ///< of the values; "": the panel's
  std::string_view parameter{};  ///< set to `value`; "": none
  std::string_view value{};
  std::string_view table{};     ///< "": the panel's
  bool heat = false;            ///< as a heat map
  std::string_view total_of{};  ///< "": the panel's
  bool of_two_sources = false;  ///< only where the trace and samples tell of it; such choices stand last
};

struct PanelSpec {
  std::string_view id;
  std::string_view title;
  std::string_view about;  ///< in the words that fit the narrowest panel; the analysis tells all
  std::string_view analysis;
  std::string_view table{};  ///< id; "": the main one
  ChartKind chart = ChartKind::pie;
  std::string_view name{};      ///< column of the rows' names; "": the first text
  std::string_view value{};     ///< column of the values; "": the first figure
  std::string_view total_of{};  ///< of a pie: what its sum is, in a word or two
  std::string_view share_of{};  ///< of a pie: heading of the table's shares, where they are not of that sum
  plots::RowMeaning meaning = plots::RowMeaning::none;
  bool has_k = false;        ///< the analysis has a parameter "k" that the panel offers
  bool host = false;         ///< needs system metrics or threads of the host, not GPUs
  std::string_view missing;  ///< what would show this, if there is nothing to show
  std::span<const PanelChoice> choices{};
};

/// In the order of a new dashboard.
[[nodiscard]] std::span<const PanelSpec> panel_specs();
/// The spec of that id, or nullptr.
[[nodiscard]] const PanelSpec* find_panel_spec(std::string_view id);
/// Of histograms that the user makes.
[[nodiscard]] const PanelSpec& made_histogram_spec();

}  // namespace warpscope::ui
