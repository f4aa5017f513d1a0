#pragma once
// State of the Timeline view: time window, scroll position, folded and pinned tracks, range, and undo history. A plain
// value with no drawing code, so tests can check interactions numerically. Keyboard and mouse code requests moves,
// advance() applies them every frame, and input() describes what to draw.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "app/ui/timeline/range_mark.hpp"
#include "core/trace/profile.hpp"
#include "render/scene/animation.hpp"
#include "render/scene/rows.hpp"
#include "render/scene/timeline_scene.hpp"
#include "render/scene/view_history.hpp"

namespace warpscope::ui {

/// Animation of a view change.
enum class Pace : std::uint8_t {
  at_once,  ///< dragging, held keys
  eased,    ///< wheel notch, key tap; a burst is undone as a single step
  jump,     ///< eased, but undone separately: fit, go to
};

/// A scroll offset that eases out to its target over 120 ms, like the view.
class EasedScroll {
 public:
  [[nodiscard]] double current() const { return current_; }
  [[nodiscard]] double target() const { return target_; }
  [[nodiscard]] bool settled() const { return current_ == target_; }
  void go_to(double target);
  void jump_to(double to) { start_ = current_ = target_ = to; }
  bool advance(double dt);

 private:
  double start_ = 0;
  double current_ = 0;
  double target_ = 0;
  double elapsed_ = 0;
};

/// A profile's view and marks, saved while another profile is shown. Excludes the profile itself.
struct TimelinePlace {
  scene::TrackState tracks;
  scene::ViewHistory history;
  scene::ViewPoint point;
  std::optional<RangeMark> range;
  bool showing_all = true;
};

class TimelineState {
 public:
  /// Sets the profile; null if nothing is open. `fresh`: the profile comes from a different path, so the old view is
  /// discarded.
  void set_profile(std::shared_ptr<const trace::Profile> profile, bool fresh);
  [[nodiscard]] TimelinePlace place() const;
  /// Restores a place immediately. Call after set_profile().
  void restore(const TimelinePlace& place);
  /// Sets the canvas size in px and the values that determine the row height. Call first in each frame.
  void resize(double width, int height, float scale, scene::Density density);
  /// Advances all motion. `now`: seconds on any steady clock. True while motion continues.
  bool advance(double dt, double now);

  [[nodiscard]] const std::shared_ptr<const trace::Profile>& profile() const { return profile_; }
  [[nodiscard]] const std::shared_ptr<const scene::Layout>& layout() const { return layout_; }
  [[nodiscard]] const scene::TimeView& view() const { return view_.current(); }
  [[nodiscard]] const scene::TimeView& target() const { return view_.target(); }
  [[nodiscard]] bool settled() const { return view_.settled() && scroll_.settled(); }
  [[nodiscard]] int scroll() const;
  [[nodiscard]] double target_scroll() const { return scroll_.target(); }
  [[nodiscard]] double max_scroll() const;
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] float scale() const { return scale_; }
  /// Describes the canvas contents, excluding theme and fonts.
  [[nodiscard]] scene::TimelineInput input() const;

  void move(const scene::TimeView& target, Pace pace);
  void scroll_to(double px, Pace pace);
  void scroll_by(double px, Pace pace) { scroll_to(scroll_.target() + px, pace); }
  /// Fits the view to everything except the profiler's own span, and keeps it fitted while loading extends the profile.
  void show_all();
  [[nodiscard]] bool showing_all() const { return showing_all_; }
  [[nodiscard]] scene::TimeView whole() const;

  /// Marks the start and end of a drag or key hold. No undo entries are recorded in between.
  void hold(bool held) { held_ = held; }
  [[nodiscard]] bool can_undo() const;
  [[nodiscard]] bool can_redo() const { return history_.can_redo(); }
  void undo();
  void redo();

  /// Changes tracks. The row at `anchor_y` px on the canvas stays in place; if `anchor_y` is negative, the top row
  /// does.
  void edit_tracks(const std::function<void(scene::TrackState&)>& edit, double anchor_y = -1);
  [[nodiscard]] const scene::TrackState& tracks() const { return tracks_; }

  void set_highlight(std::shared_ptr<const scene::Highlight> highlight) { highlight_ = std::move(highlight); }
  [[nodiscard]] const std::shared_ptr<const scene::Highlight>& highlight() const { return highlight_; }

  /// Hides slices of these families.
  void hide_families(scene::FamilySet families) { hidden_families_ = families; }
  [[nodiscard]] scene::FamilySet hidden_families() const { return hidden_families_; }

  void mark(std::optional<RangeMark> range);
  [[nodiscard]] const std::optional<RangeMark>& range() const { return range_; }
  /// The marked range, resolved for the current profile; null if there is none.
  [[nodiscard]] const SelectedRange* selected_range() const { return selected_ ? &*selected_ : nullptr; }
  [[nodiscard]] std::uint64_t range_revision() const { return range_revision_; }

 private:
  void relayout();
  void resolve_range();
  void note(double now);
  void apply(const scene::ViewPoint& point);
  [[nodiscard]] scene::ViewPoint target_point() const;

  std::shared_ptr<const trace::Profile> profile_;
  std::shared_ptr<const scene::Layout> layout_;
  std::shared_ptr<const scene::Highlight> highlight_;
  scene::AnimatedView view_;
  EasedScroll scroll_;
  scene::TrackState tracks_;
  scene::ViewHistory history_;
  scene::ViewPoint noted_;
  std::optional<RangeMark> range_;
  std::optional<SelectedRange> selected_;
  std::uint64_t range_revision_ = 0;
  double width_ = 0;
  int height_ = 0;
  float scale_ = 1;
  double now_ = 0;
  double lead_ = 0;  // added to the history's clock so that jumps do not count as a burst
  scene::FamilySet hidden_families_ = 0;
  bool showing_all_ = true;
  bool held_ = false;
};

}  // namespace warpscope::ui
