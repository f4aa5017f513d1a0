#pragma once
// The column at the left of the canvas: the tracks' names, their share of the visible range, and what can be done with
// them: fold, pin, hide, find by name.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class LabelColumn {
 public:
  /// The field that filters tracks by name, in the box given (screen px).
  void draw_filter(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// The rows' labels; `size` has the canvas' height.
  void draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// Puts the keyboard into the filter field.
  void focus_filter() { focus_ = true; }
  /// Opens the menu of a row, as a right click on its label does.
  void open_menu(const TimelineState& state, const scene::Row& row);
  /// Row under the pointer, of the last draw.
  [[nodiscard]] bool hovered() const { return hovered_; }

 private:
  struct Place {
    const scene::Row* row = nullptr;
    float y = 0;  // screen px
  };

  void draw_row(AppContext& app, const TimelineState& state, const Place& place, ImVec2 at, float width, bool hovered);
  void draw_rows(AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size, const scene::Row* hovered);
  void draw_menu(AppContext& app, TimelineState& state);
  void row_tooltip(const AppContext& app, const TimelineState& state, const scene::Row& row) const;
  void click(AppContext& app, TimelineState& state, const Place& place, ImVec2 at, float width);
  void update_shares(const TimelineState& state, double now);
  [[nodiscard]] std::optional<double> share_of(const TimelineState& state, const scene::Row& row);

  std::string filter_;
  bool focus_ = false;
  bool hovered_ = false;
  bool menu_wanted_ = false;
  std::uint64_t menu_key_ = 0;  // of the entry that the menu is for
  // Shares of the visible range by entry; while the view moves they are renewed some times a second.
  std::unordered_map<std::uint32_t, std::optional<double>> shares_;
  const scene::Layout* shares_of_ = nullptr;
  Interval shares_range_{};
  double shares_at_ = 0;
};

/// Index of the entry with this key, if the profile has it.
[[nodiscard]] std::optional<std::uint32_t> find_entry(const trace::Profile& profile, std::uint64_t key);

}  // namespace warpscope::ui
