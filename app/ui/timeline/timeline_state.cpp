#include "app/ui/timeline/timeline_state.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::ui {
namespace {

constexpr double kSeconds = scene::AnimatedView::kSeconds;
constexpr double kWholeMargin = 0.01;

}  // namespace

void EasedScroll::go_to(double target) {
  start_ = current_;
  target_ = target;
  elapsed_ = 0;
}

bool EasedScroll::advance(double dt) {
  if (settled()) return false;
  elapsed_ += std::clamp(dt, 0.0, 0.05);
  const double share = scene::ease_out(elapsed_ / kSeconds);
  current_ = share >= 1 ? target_ : start_ + (target_ - start_) * share;
  return true;
}

void TimelineState::set_profile(std::shared_ptr<const trace::Profile> profile, bool fresh) {
  const bool first = !profile_ && profile;
  profile_ = std::move(profile);
  highlight_.reset();
  if (fresh) {
    const scene::Density density = tracks_.density;
    tracks_ = {};
    tracks_.density = density;
    tracks_.scale = scale_;
    history_.clear();
    range_.reset();
    scroll_.jump_to(0);
    showing_all_ = true;
  }
  relayout();
  resolve_range();
  if (!profile_) return;
  if (fresh || first || showing_all_) {
    view_.jump_to(whole());
    noted_ = target_point();
    history_.clear();
    history_.record(noted_, now_ + lead_);
  } else {
    view_.relimit(profile_->extent);
    noted_ = target_point();
  }
}

TimelinePlace TimelineState::place() const { return {tracks_, history_, target_point(), range_, showing_all_}; }

void TimelineState::restore(const TimelinePlace& place) {
  const scene::Density density = tracks_.density;
  tracks_ = place.tracks;
  tracks_.density = density;
  tracks_.scale = scale_;
  history_ = place.history;
  range_ = place.range;
  showing_all_ = place.showing_all;
  relayout();
  resolve_range();
  if (!showing_all_ && profile_)
    view_.jump_to(place.point.time.relimited(view_.target().limits()).resized(std::max(1.0, width_)));
  scroll_.jump_to(std::clamp(std::round(place.point.scroll * scale_), 0.0, max_scroll()));
  noted_ = target_point();
}

void TimelineState::resize(double width, int height, float scale, scene::Density density) {
  const bool rows_differ = scale != scale_ || density != tracks_.density;
  const bool width_differs = width != width_;
  if (scale != scale_) {
    scroll_.jump_to(scroll_.target() * scale / scale_);
    scale_ = scale;
  }
  width_ = width;
  height_ = height;
  if (layout_ && layout_->incomplete()) relayout();
  if (rows_differ) {
    tracks_.scale = scale;
    tracks_.density = density;
    relayout();
  }
  if (width_differs) {
    const bool was_noted = noted_ == target_point();
    if (showing_all_)
      view_.jump_to(whole());
    else
      view_.resize(width);
    if (was_noted) noted_ = target_point();
  }
  if (scroll_.target() > max_scroll()) scroll_.jump_to(max_scroll());
}

bool TimelineState::advance(double dt, double now) {
  now_ = now;
  view_.advance(dt);
  scroll_.advance(dt);
  if (settled() && !held_) note(now_ + lead_);
  return !settled();
}

int TimelineState::scroll() const { return static_cast<int>(std::lround(scroll_.current())); }

double TimelineState::max_scroll() const {
  if (!layout_) return 0;
  return std::max(0, layout_->height() + layout_->pinned_height() - height_);
}

scene::TimelineInput TimelineState::input() const {
  scene::TimelineInput input;
  input.profile = profile_;
  input.layout = layout_;
  input.highlight = highlight_;
  input.hidden = hidden_families_;
  input.view = view_.current();
  input.scroll = scroll();
  input.height = height_;
  input.scale = scale_;
  return input;
}

void TimelineState::move(const scene::TimeView& target, Pace pace) {
  if (pace == Pace::jump) {
    note(now_ + lead_);
    lead_ += 2 * scene::ViewHistory::kBurstSeconds;
  }
  showing_all_ = false;
  if (pace == Pace::at_once)
    view_.jump_to(target);
  else if (!(target == view_.target()))
    view_.go_to(target);
}

void TimelineState::scroll_to(double px, Pace pace) {
  const double to = std::clamp(std::round(px), 0.0, max_scroll());
  if (to == scroll_.target() && pace != Pace::at_once) return;
  if (pace == Pace::at_once)
    scroll_.jump_to(to);
  else
    scroll_.go_to(to);
}

scene::TimeView TimelineState::whole() const {
  if (!profile_) return {};
  const scene::TimeView all(profile_->extent, std::max(1.0, width_));
  return profile_->span.empty() ? all : all.fitted(profile_->span, kWholeMargin);
}

void TimelineState::show_all() {
  if (!profile_) return;
  move(whole(), Pace::jump);
  showing_all_ = true;
}

bool TimelineState::can_undo() const { return history_.can_undo() || !(noted_ == target_point()); }

void TimelineState::undo() {
  note(now_ + lead_);
  if (history_.can_undo()) apply(history_.undo());
}

void TimelineState::redo() {
  note(now_ + lead_);
  if (history_.can_redo()) apply(history_.redo());
}

void TimelineState::apply(const scene::ViewPoint& point) {
  showing_all_ = false;
  view_.go_to(point.time.relimited(view_.target().limits()).resized(std::max(1.0, width_)));
  scroll_.go_to(std::clamp(std::round(point.scroll * scale_), 0.0, max_scroll()));
  noted_ = target_point();
}

void TimelineState::note(double now) {
  const scene::ViewPoint point = target_point();
  if (point == noted_ || !profile_) return;
  history_.record(point, now);
  noted_ = point;
}

scene::ViewPoint TimelineState::target_point() const { return {view_.target(), scroll_.target() / scale_}; }

void TimelineState::edit_tracks(const std::function<void(scene::TrackState&)>& edit, double anchor_y) {
  const std::shared_ptr<const scene::Layout> before = layout_;
  std::uint64_t key = 0;
  std::uint32_t within = 0;
  int offset = 0;
  if (profile_ && before) {
    const int at = static_cast<int>(anchor_y < 0 ? 0 : anchor_y - before->pinned_height()) + scroll();
    const std::uint32_t row = before->row_at(at);
    if (row != scene::Row::kNone && (anchor_y < 0 || anchor_y >= before->pinned_height())) {
      const scene::Row& anchor = before->rows()[row];
      key = profile_->tree.entries[anchor.entry].key;
      within = row - before->row_of_entry(anchor.entry);
      offset = at - anchor.y;
    }
  }
  edit(tracks_);
  relayout();
  if (key == 0 || !layout_) return;
  const std::vector<trace::TreeEntry>& entries = profile_->tree.entries;
  const auto entry = std::ranges::find(entries, key, &trace::TreeEntry::key);
  const std::uint32_t first = layout_->row_of_entry(static_cast<std::uint32_t>(entry - entries.begin()));
  if (first == scene::Row::kNone) return;
  const std::uint32_t row = std::min(first + within, static_cast<std::uint32_t>(layout_->rows().size()) - 1);
  const scene::Row& anchor =
      layout_->rows()[row].entry == layout_->rows()[first].entry ? layout_->rows()[row] : layout_->rows()[first];
  const int pinned_shift = layout_->pinned_height() - before->pinned_height();
  const double y = anchor_y < 0 ? 0 : anchor_y - before->pinned_height();
  scroll_to(anchor.y + std::min(offset, anchor.height - 1) - y + pinned_shift, Pace::at_once);
  noted_.scroll = target_point().scroll;
}

void TimelineState::relayout() {
  if (!profile_) {
    layout_.reset();
    return;
  }
  layout_ = std::make_shared<scene::Layout>(*profile_, tracks_);
  if (scroll_.target() > max_scroll()) scroll_.jump_to(max_scroll());
}

void TimelineState::mark(std::optional<RangeMark> range) {
  if (range && range->time.empty()) range.reset();
  if (range == range_) return;
  range_ = std::move(range);
  resolve_range();
}

void TimelineState::resolve_range() {
  ++range_revision_;
  selected_.reset();
  if (range_ && profile_) selected_ = resolve(*range_, *profile_);
}

}  // namespace warpscope::ui
