#pragma once
// A Dashboard panel: title, description, chart and note. If there is no data, the panel explains how to
// record it. A panel passes requests to the page.
#include <memory>
#include <optional>
#include <string>

#include "app/ui/dashboard/panel_data.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "core/analysis/operators/row_calls.hpp"

namespace warpscope::ui {

/// The user's action on a panel in this frame.
enum class PanelAction : std::uint8_t {
  none,
  list,               ///< list the slices of `item`, or show the analysis with details about it
  open,               ///< list them and show them in the Timeline
  enlarge,            ///< enlarge or restore
  menu,               ///< show the menu, for the selected chart item if there is one
  restrict_to_range,  ///< the user dragged over `range`
};

struct PanelAnswer {
  PanelAction action = PanelAction::none;
  std::optional<std::uint32_t> item;
  Interval range{};  ///< ns since the start of the profile
};

/// Options for drawing a panel in this frame.
struct PanelFrame {
  ImVec2 size{};
  bool focused = false;  ///< has the keyboard focus
  bool enlarged = false;
  bool restricted = false;  ///< the scope bar restricts all panels
  bool menu = false;        ///< its menu is open
};

class DashboardPanel {
 public:
  /// Draws the panel at the cursor, with size `frame.size`. `answer`: the result of the panel's request; null until it
  /// is available.
  PanelAnswer draw(const AppContext& app, const PanelState& state, const std::shared_ptr<const AnalysisAnswer>& answer,
                   const PanelFrame& frame);

  [[nodiscard]] const PanelData& data() const { return data_; }
  /// Returns the displayed tables; null if there are none.
  [[nodiscard]] const std::vector<Table>* tables() const;
  /// Returns the table that data() refers to; null if there is none.
  [[nodiscard]] const Table* table() const;
  /// Number of selectable items.
  [[nodiscard]] std::size_t items() const { return data_.drawing.rows.size(); }
  [[nodiscard]] const std::optional<std::uint32_t>& chosen() const { return chosen_; }
  void choose(std::optional<std::uint32_t> item);
  /// Returns an item's display name, such as a kernel name or "12 ms to 13 ms".
  [[nodiscard]] std::string item_name(const PanelState& state, std::uint32_t item) const;
  /// Returns the analysis with details about an item; "" if the item's slices can be listed instead.
  [[nodiscard]] std::string_view analysis_of(std::uint32_t item) const;
  /// Returns a query for an item's slices, in any scope; nullopt for idle time and curves.
  [[nodiscard]] std::optional<analysis::CallQuery> slices_of(const AppContext& app, const PanelState& state,
                                                             std::uint32_t item) const;
  /// The chart and its last screen position in px, for tests and write_state().
  [[nodiscard]] const ChartView& chart() const { return chart_; }

 private:
  void take(const AppContext& app, const PanelState& state, const std::shared_ptr<const AnalysisAnswer>& answer);
  PanelAnswer draw_header(const AppContext& app, const PanelState& state, const PanelFrame& frame);
  void draw_chart(const AppContext& app, const PanelState& state, const PanelFrame& frame, ImVec2 size,
                  PanelAnswer& answer);
  [[nodiscard]] std::optional<Interval> bin_of(std::uint32_t item) const;
  void drag_range(const AppContext& app, const ChartView::Answer& over, PanelAnswer& answer);

  std::shared_ptr<const AnalysisAnswer> answer_;
  std::string made_of_;  // key of the inputs of data_
  PanelData data_;
  ChartView chart_;
  std::optional<std::uint32_t> chosen_;
  std::optional<float> drag_from_;  // px in the chart
};

}  // namespace warpscope::ui
