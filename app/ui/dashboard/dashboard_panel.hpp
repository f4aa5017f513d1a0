#pragma once
// One panel of the dashboard: title, what is counted, controls, the chart, what the reader must know; or what is
// missing and how to get it. It changes how it is set itself; what concerns others it reports.
#include <memory>
#include <optional>
#include <string>

#include "app/ui/dashboard/panel_data.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "app/ui/widgets/table_view.hpp"

namespace warpscope::ui {

/// What the user asked of a panel in this frame.
enum class PanelWish : std::uint8_t {
  none,
  list,     ///< the slices of `item`
  open,     ///< the same, and show them in the Timeline
  enlarge,  ///< or back
  hide,
  remove,  ///< a histogram that the user made
  earlier,
  later,
  copy_csv,
  save_picture,
  restrict_to_range,  ///< `range` was dragged over
  analysis,           ///< `analysis` shows more of what was clicked
  focus,              ///< was clicked
};

struct PanelAnswer {
  PanelWish wish = PanelWish::none;
  std::optional<std::uint32_t> item;
  std::string_view analysis{};
  Interval range{};      ///< ns since the profile's begin
  bool changed = false;  ///< its PanelState is another one
};

/// How a panel is drawn in this frame.
struct PanelFrame {
  /// Type of the payload when a panel is dragged by its title: its index.
  static constexpr const char* kDragged = "panel";

  ImVec2 size{};
  std::size_t index = 0;  ///< in the layout
  bool focused = false;   ///< has the keyboard's frame
  bool enlarged = false;
  bool can_earlier = true;
  bool can_later = true;
  std::int64_t default_k = 15;
  PanelSources sources{};   ///< of the profile
  bool restricted = false;  ///< the bar above restricts all panels
};

class DashboardPanel {
 public:
  /// Takes frame.size at the cursor. `answer`: of its request; null while there is none.
  PanelAnswer draw(const AppContext& app, PanelState& state, const std::shared_ptr<const AnalysisAnswer>& answer,
                   const PanelFrame& frame);

  [[nodiscard]] const PanelData& data() const { return data_; }
  /// The tables that are shown; null if there are none.
  [[nodiscard]] const std::vector<Table>* tables() const;
  /// The table of data(); null if there is none.
  [[nodiscard]] const Table* table() const;
  /// Number of items that can be gone through.
  [[nodiscard]] std::size_t items() const { return data_.rows.size(); }
  [[nodiscard]] const std::optional<std::uint32_t>& chosen() const { return chosen_; }
  void choose(std::optional<std::uint32_t> item);
  /// The name of an item, for labels: of a kernel, or "12 ms to 13 ms".
  [[nodiscard]] std::string item_name(const PanelState& state, std::uint32_t item) const;
  /// The analysis that shows more of an item; "" if its slices can be listed instead.
  [[nodiscard]] std::string_view analysis_of(std::uint32_t item) const;
  [[nodiscard]] std::optional<Interval> bin_of(std::uint32_t item) const;
  /// Draws the chart as large as asked for, for a picture.
  [[nodiscard]] charts::Drawing drawing(float width, float height, const charts::ChartStyle& style) const;
  /// Screen px of the chart in the last draw, for tests and for the state.
  [[nodiscard]] const ChartView& chart() const { return chart_; }

 private:
  void take(const AppContext& app, const PanelState& state, const std::shared_ptr<const AnalysisAnswer>& answer,
            const PanelSources& sources);
  PanelAnswer draw_header(const AppContext& app, PanelState& state, const PanelFrame& frame);
  void draw_menu(const AppContext& app, const PanelState& state, const PanelFrame& frame, PanelAnswer& answer);
  /// Of the part under the last right click.
  void draw_part_items(const AppContext& app, const PanelState& state, PanelAnswer& answer);
  bool draw_controls(const AppContext& app, PanelState& state, const PanelFrame& frame);
  void draw_chart(const AppContext& app, const PanelState& state, ImVec2 size, PanelAnswer& answer);
  void draw_hover(const AppContext& app, const PanelState& state, const ChartView::Answer& over) const;
  void drag_range(const AppContext& app, const ChartView::Answer& over, PanelAnswer& answer);

  std::shared_ptr<const AnalysisAnswer> answer_;
  std::string made_of_;  // what data_ was made for
  PanelData data_;
  ChartView chart_;
  TableView table_view_;
  std::string bin_text_;
  std::optional<std::uint32_t> chosen_;
  std::optional<std::uint32_t> menu_item_;  // part of the chart that the menu is of
  std::optional<float> drag_from_;          // px in the chart
  mutable charts::Scale time_;              // of the lines or the heat map drawn last
};

}  // namespace warpscope::ui
