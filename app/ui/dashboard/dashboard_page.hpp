#pragma once
// The Dashboard: a grid of panels that adapts to the window width, a scope bar for all panels, and a list of the slices
// behind the chart item the user clicked. All numbers come from core/analysis.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/analysis/calls_panel.hpp"
#include "app/ui/dashboard/absent_data.hpp"
#include "app/ui/dashboard/dashboard_panel.hpp"
#include "app/ui/dashboard/histogram_maker.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "app/ui/page.hpp"
#include "app/ui/widgets/partial_banner.hpp"
#include "app/ui/widgets/scope_bar.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

class DashboardPage final : public Page {
 public:
  explicit DashboardPage(AppContext& app);

  [[nodiscard]] bool available() const override;
  void draw(AppContext& app) override;
  void profile_changed(AppContext& app) override;
  [[nodiscard]] bool busy() const override;
  bool escape(AppContext& app) override;
  bool restrict_to(const trace::Profile& profile, Interval range) override {
    scope_.set_range_since_begin(profile, range);
    return true;
  }
  [[nodiscard]] std::span<const Gesture> gestures() const override;
  void write_state(JsonWriter& writer) const override;

  /// Returns all panels, including those without data in this profile.
  [[nodiscard]] const std::vector<PanelState>& panels() const { return panels_; }
  [[nodiscard]] const ScopeBar& scope() const { return scope_; }
  /// Returns the panel with this index, as last drawn; null if it was never drawn.
  [[nodiscard]] const DashboardPanel* panel(std::size_t index) const;
  /// Returns the indices of the panels on the page, excluding panels without data in this profile.
  [[nodiscard]] std::vector<std::size_t> shown() const;

 private:
  void add_commands();
  void add_panel_commands();
  void add_list_commands();
  void add_scope_commands();
  void draw_bar(const trace::Profile& profile);
  /// Draws the most expensive finding and the account of the GPU time, unless the page is restricted.
  void draw_account(float width);
  void draw_grid(ImVec2 size);
  void draw_absent(float width) const;
  void draw_panel(std::size_t index, ImVec2 size, bool enlarged);
  void take(std::size_t index, const PanelAnswer& answer);
  /// Draws the menu of the focused panel and its selected chart item.
  void draw_panel_menu();
  void list_slices(std::size_t index, std::uint32_t item, bool open);
  void move_focus(int columns, int rows);
  void step_item(int direction);
  [[nodiscard]] DashboardPanel& view(std::size_t index);
  [[nodiscard]] std::optional<std::size_t> focused() const;

  AppContext& app_;
  AnalysisResults results_;
  std::vector<PanelState> panels_;
  std::vector<std::unique_ptr<DashboardPanel>> views_;  // by panel; null until first drawn
  ScopeBar scope_;
  PartialBanner partial_;
  std::string headline_;  // above the account; "": not drawn
  HistogramMaker maker_;
  CallsPanel list_{"dashboard"};
  std::string path_;                  // of the current profile
  AbsentData absent_;                 // of the current profile
  std::optional<std::size_t> focus_;  // index in panels_
  std::optional<std::size_t> enlarged_;
  bool keyboard_ = false;                                        // keys moved the focus; Esc clears it
  std::optional<std::pair<std::size_t, std::uint32_t>> listed_;  // panel and item of the previous click
  bool second_click_ = false;  // this is the second click of a double click on listed_
  bool bring_ = false;         // scroll to the focused panel in the next frame
  bool to_top_ = false;        // scroll to the first panel in the next frame
  int columns_ = 1;
  bool list_shown_ = false;   // in the last frame
  bool menu_wanted_ = false;  // opens in this frame
};

}  // namespace warpscope::ui
