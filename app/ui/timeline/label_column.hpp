#pragma once
// The column at the left of the canvas: the tracks' names, their share of the visible range, and what can be done with
// them: fold, pin, hide, find by name.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "app/ui/timeline/track_menu.hpp"

namespace warpscope::ui {

/// What the label of a row that bears a rank's name says of its file: "growing" while it is still written to,
/// "unfinished" if its end is missing, else "".
[[nodiscard]] std::string_view file_mark(const AppContext& app, const trace::Profile& profile, const scene::Row& row);

class LabelColumn {
 public:
  /// The field that filters tracks by name, in the box given (screen px).
  void draw_filter(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// The rows' labels; `size` has the canvas' height.
  void draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// Puts the keyboard into the filter field.
  void focus_filter() { focus_ = true; }
  /// Row under the pointer, of the last draw.
  [[nodiscard]] bool hovered() const { return hovered_; }

 private:
  struct Place {
    const scene::Row* row = nullptr;
    float y = 0;  // screen px
  };

  void draw_row(AppContext& app, const TimelineState& state, const Place& place, ImVec2 at, float width, bool hovered);
  void draw_rows(AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size, const scene::Row* hovered);
  void row_tooltip(const AppContext& app, const TimelineState& state, const scene::Row& row) const;
  void click(AppContext& app, TimelineState& state, const Place& place, ImVec2 at, float width);
  void update_shares(const TimelineState& state, double now);
  [[nodiscard]] std::string figure_of(const TimelineState& state, const scene::Row& row);
  [[nodiscard]] std::optional<double> share_of(const TimelineState& state, const scene::Row& row);

  std::string filter_;
  bool focus_ = false;
  bool hovered_ = false;
  TrackMenu menu_;
  // Shares of the visible range by entry; while the view moves they are renewed some times a second.
  std::unordered_map<std::uint32_t, std::optional<double>> shares_;
  const scene::Layout* shares_of_ = nullptr;
  Interval shares_range_{};
  double shares_at_ = 0;
};

}  // namespace warpscope::ui
