#pragma once
// The column to the left of the canvas: track names, each track's busy percentage in the visible range, and actions to
// fold, pin, hide and filter tracks.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/collectives/rank_matcher.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "app/ui/timeline/track_menu.hpp"

namespace warpscope::ui {

/// Returns the state of the rank's file, for its label: "growing" if it is still being written, "unfinished" if
/// truncated, otherwise "".
[[nodiscard]] std::string_view file_mark(const AppContext& app, const trace::Profile& profile, const scene::Row& row);

class LabelColumn {
 public:
  /// `matcher` must outlive this object.
  explicit LabelColumn(const RankMatcher& matcher) : matcher_(matcher) {}

  /// Draws the track name filter field in the given box (screen px).
  void draw_filter(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// Draws the row labels; `size` has the same height as the canvas.
  void draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// Focuses the filter field.
  void focus_filter() { focus_ = true; }
  /// True if the pointer was over the labels in the last draw.
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

  const RankMatcher& matcher_;
  std::string filter_;
  bool focus_ = false;
  bool hovered_ = false;
  TrackMenu menu_;
  // Busy percentages in the visible range, by entry; updated a few times per second while the view moves.
  std::unordered_map<std::uint32_t, std::optional<double>> shares_;
  const scene::Layout* shares_of_ = nullptr;
  Interval shares_range_{};
  double shares_at_ = 0;
};

}  // namespace warpscope::ui
