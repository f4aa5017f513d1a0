#pragma once
// The Timeline page: lays out its parts and passes events between them. Each part has its own file.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/ui/model/background.hpp"
#include "app/ui/page.hpp"
#include "app/ui/timeline/bottom_pane.hpp"
#include "app/ui/timeline/canvas.hpp"
#include "app/ui/timeline/canvas_menu.hpp"
#include "app/ui/timeline/class_legend.hpp"
#include "app/ui/timeline/collectives/rank_matcher.hpp"
#include "app/ui/timeline/curve_tracks.hpp"
#include "app/ui/timeline/label_column.hpp"
#include "app/ui/timeline/mouse.hpp"
#include "app/ui/timeline/navigation.hpp"
#include "app/ui/timeline/overview_strip.hpp"
#include "app/ui/timeline/path_finder.hpp"
#include "app/ui/timeline/time_strips.hpp"
#include "app/ui/timeline/timeline_geometry.hpp"
#include "app/ui/timeline/timeline_options.hpp"
#include "app/ui/timeline/timeline_search.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "app/ui/timeline/track_scrollbar.hpp"
#include "app/ui/widgets/partial_banner.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

class TimelinePage final : public Page {
 public:
  explicit TimelinePage(AppContext& app);

  [[nodiscard]] bool available() const override;
  void draw(AppContext& app) override;
  void profile_changed(AppContext& app) override;
  [[nodiscard]] bool busy() const override;
  bool escape(AppContext& app) override;
  [[nodiscard]] Searcher* searcher() override { return &search_; }
  [[nodiscard]] std::span<const Gesture> gestures() const override;
  void write_state(JsonWriter& writer) const override;

  [[nodiscard]] const TimelineState& state() const { return state_; }
  [[nodiscard]] const TimelineGeometry& geometry() const { return geometry_; }  ///< as last drawn
  [[nodiscard]] const Canvas& canvas() const { return canvas_; }
  [[nodiscard]] const ClassLegend& legend() const { return legend_; }
  /// Item under the pointer in the last drawn view.
  [[nodiscard]] const scene::Hit& hover() const { return hover_; }
  [[nodiscard]] const RankMatcher& matcher() const { return matcher_; }
  /// The shown critical path; null if there is none.
  [[nodiscard]] const ShownPath* shown_path() const { return path_finder_.shown(); }

 private:
  void apply_pending();
  /// Finds the slice to select for `pending_` on another thread. Returns false until the slice is found and the columns
  /// required to show it are in memory.
  [[nodiscard]] bool match_pending();
  void handle_mouse();
  void update_hover();
  void take_outcome(const MouseOutcome& outcome);
  void draw_parts(PanelContext& panels);
  void draw_edges();
  /// Draws the legend of the critical path; returns its height. `list`: null to measure only.
  float draw_path(ImDrawList* list, ImVec2 at, float width) const;
  void draw_zoom();
  void draw_hover();
  void clear();
  void select(trace::SliceRef slice);
  void go_to(trace::SliceRef slice);
  /// Like go_to(), but for a search hit: also opens the selection tab.
  void show_hit(trace::SliceRef slice);
  /// Centers the selection once its time is in memory.
  void show_selection();
  [[nodiscard]] MouseInput read_mouse();
  [[nodiscard]] PanelContext panel_context() const;
  [[nodiscard]] OverlayInput overlay_input() const;
  [[nodiscard]] std::optional<double> pointer_x() const;
  void report(const Error& error) const;
  /// Goes to the location requested by another page, if any.
  void take_request();

  AppContext& app_;
  TimelineState state_;
  Navigation navigation_;
  TimelineSearch search_;
  PathFinder path_finder_;
  CurveTracks curves_;
  CanvasMouse mouse_;
  Canvas canvas_;
  RankMatcher matcher_;
  LabelColumn labels_;
  PartialBanner partial_;
  OverviewStripView overview_;
  StepsStripView steps_;
  TrackScrollbar scrollbar_;
  ClassLegend legend_;
  BottomPane bottom_;
  CanvasMenu menu_;
  Splitter label_edge_;
  Splitter bottom_edge_;
  TimelineGeometry geometry_;
  MouseArea over_ = MouseArea::none;
  scene::Hit hover_;
  std::optional<std::uint32_t> path_link_;  // edge of the critical path under the pointer
  bool range_edge_hot_ = false;
  bool hovers_ = false;                     // the pointer is over the canvas without dragging
  std::optional<TimelineOptions> pending_;  // applied once the profile is complete
  Background<Result<trace::SliceRef>> matching_;
  std::optional<Result<trace::SliceRef>> match_;  // of pending_->select
  std::shared_ptr<const trace::Profile> match_in_;
  std::string path_;                             // of the current profile
  std::uint64_t opened_ = 0;                     // Session::opened() of the current profile
  std::map<std::string, TimelinePlace> places_;  // places in other open profiles, by path
};

}  // namespace warpscope::ui
