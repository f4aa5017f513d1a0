#include "app/ui/timeline/timeline_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/hover_card.hpp"
#include "app/ui/timeline/overlays/critical_path.hpp"
#include "app/ui/timeline/overlays/path_legend.hpp"
#include "app/ui/timeline/rank_view.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {
namespace {

constexpr std::array<Gesture, 10> kGestures{{
    {"Select", "Click"},
    {"Zoom to fit", "Double-click"},
    {"Mark a time range on these tracks", "Drag"},
    {"Mark a time range on all tracks", "Shift+drag, or drag on the ruler"},
    {"Pan", "Middle or right drag"},
    {"Scroll tracks", "Wheel"},
    {"Zoom at the pointer", "Ctrl+wheel"},
    {"Pan", "Shift+wheel, sideways scroll"},
    {"Collapse with all children", "Shift+click a label"},
    {"Context menu of a slice or track", "Right-click"},
}};

scene::Density density_of(RowDensity density) {
  constexpr std::array kDensities{scene::Density::compact, scene::Density::normal, scene::Density::roomy};
  return kDensities[static_cast<std::size_t>(density)];
}

}  // namespace

TimelinePage::TimelinePage(AppContext& app)
    : Page(registered::timeline::kPage),
      app_(app),
      navigation_(app, state_, {[this](trace::SliceRef slice) { go_to(slice); }, [this] { clear(); }}),
      search_(app, {[this](trace::SliceRef slice) { show_hit(slice); }, [this] { return state_.target().visible(); },
                    [this](std::shared_ptr<const scene::Highlight> found) { state_.set_highlight(std::move(found)); },
                    [this](const scene::Highlight& found) { show_found(state_, found); }}),
      path_finder_(app, state_),
      curves_(app, state_),
      matcher_(app, [this](trace::SliceRef slice) { go_to(slice); }),
      labels_(matcher_),
      legend_(app, state_),
      bottom_(app) {
  const CommandGroup add(app.commands, "Tracks", id(), [this] { return available(); });
  add("tracks.filter", "Filter tracks by name", {"T"}, [this] { labels_.focus_filter(); });
  if (app.timeline != nullptr && !app.timeline->empty()) pending_ = *app.timeline;
}

bool TimelinePage::available() const { return app_.session.profile() != nullptr; }

std::span<const Gesture> TimelinePage::gestures() const { return kGestures; }

bool TimelinePage::busy() const {
  return search_.busy() || path_finder_.busy() || curves_.busy() || matcher_.busy() || bottom_.busy() ||
         (pending_ && app_.session.profile());
}

void TimelinePage::profile_changed(AppContext& app) {
  const std::string path = app.session.profile() ? app.session.path().string() : std::string();
  mouse_.stop(state_);
  if (path != path_ && state_.profile()) places_.insert_or_assign(path_, state_.place());
  std::erase_if(places_,
                [&](const auto& place) { return app.session.find(std::filesystem::path(place.first)) == nullptr; });
  state_.set_profile(app.session.profile(), path != path_);
  if (const auto place = places_.find(path); place != places_.end() && path != path_) state_.restore(place->second);
  if (path != path_ || opened_ != app.session.opened()) {
    search_.drop_requested();
    app.when_loaded.stop();
    canvas_.forget();
    bottom_.forget();
    overview_.forget();
    menu_.forget();
  }
  path_ = path;
  opened_ = app.session.opened();
  hover_ = {};
  search_.profile_changed();
  path_finder_.profile_changed();
  curves_.profile_changed();
  matcher_.profile_changed();
}

bool TimelinePage::escape(AppContext& app) {
  if (state_.range() || app.session.has_selection()) {
    clear();
    return true;
  }
  // Esc clears the query before the requested filter, because the query is shown first.
  if (!search_.query().empty() || !search_.has_requested()) return false;
  search_.drop_requested();
  return true;
}

void TimelinePage::clear() {
  mouse_.stop(state_);
  app_.when_loaded.stop();
  state_.mark(std::nullopt);
  app_.session.clear_selection();
}

void TimelinePage::select(trace::SliceRef slice) {
  app_.session.select(slice);
  const bool follows = bottom_.chosen() == "connections" || bottom_.chosen() == "collective";
  if (!app_.settings.bottom_folded && !follows) bottom_.choose("selection");
}

void TimelinePage::go_to(trace::SliceRef slice) {
  app_.session.select(slice);
  show_selection();
}

void TimelinePage::show_hit(trace::SliceRef slice) {
  select(slice);
  show_selection();
}

void TimelinePage::show_selection() {
  app_.when_loaded.start([this] { return !app_.session.selection() || centre(state_, *app_.session.selection()); });
}

void TimelinePage::take_request() {
  auto request = app_.session.take_request();
  if (!request) return;
  const auto& picked = app_.session.picked();
  const auto* slice = std::get_if<trace::SliceRef>(&*request);
  const bool of_picked =
      slice != nullptr && picked && std::ranges::find(picked->slices, *slice) != picked->slices.end();
  if (!of_picked) search_.drop_requested();
  app_.when_loaded.stop();
  if (slice != nullptr) {
    // The selection survives further loading, unlike the reference.
    show_selection();
  } else if (const auto* range = std::get_if<Interval>(&*request)) {
    fit(state_, *range);
    state_.mark(RangeMark{*range, true, {}});
  } else if (const auto* filter = std::get_if<std::string>(&*request)) {
    search_.set_requested(*filter);
  } else {
    const auto& rank = std::get<RankRequest>(*request);
    show_rank(state_, rank);
    if (rank.range && rank.marks_range) state_.mark(RangeMark{*rank.range, true, {}});
  }
}

void TimelinePage::report(const Error& error) const {
  if (pending_ && pending_->failed)
    pending_->failed(error);
  else
    app_.messages.error(error);
}

bool TimelinePage::match_pending() {
  const TimelineOptions& options = *pending_;
  if (options.select.empty()) return true;
  const std::shared_ptr<const trace::Profile>& profile = state_.profile();
  if (match_in_ != profile) {
    match_in_ = profile;
    match_.reset();
    matching_.start(
        [profile, expression = options.select](const CancelToken&) { return first_match(profile, expression); },
        app_.wake);
  }
  if (auto match = matching_.take()) match_ = std::move(*match);
  if (!match_) return false;
  if (!match_->ok() || options.from || options.to) return true;
  return trace::if_resident([&] { return connected_time(*profile, **match_); }).has_value();
}

void TimelinePage::apply_pending() {
  if (!pending_ || !state_.profile() || (!state_.profile()->complete && app_.session.loading())) return;
  if (!match_pending()) return;
  const TimelineOptions& options = *pending_;
  if (const Failure failure = show_window(state_, options)) report(*failure);
  if (match_) {
    const Result<trace::SliceRef>& slice = *match_;
    if (!slice.ok()) {
      report(slice.error());
    } else {
      app_.session.select(*slice);
      if (options.from || options.to)
        reveal(state_, *slice);
      else
        show_connected(state_, *slice);
      state_.scroll_to(state_.target_scroll(), Pace::at_once);
    }
  }
  pending_.reset();
  match_.reset();
  match_in_.reset();
}

void TimelinePage::draw(AppContext& app) {
  path_finder_.update();
  curves_.update();
  search_.update();
  matcher_.update();
  if (!state_.profile()) {
    nothing_here(app, "Shows the slices of the open trace, track by track.",
                 "Open a directory with " + app.commands.keys_text("file.open", 1) + ".");
    return;
  }
  partial_.draw(app, state_.profile());
  const bool bottom_opens = (app.session.selection() || state_.range()) && bottom_.wake(app);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  geometry_ = lay_out(app, state_.profile().get(), ImGui::GetCursorScreenPos(), room,
                      std::ceil(draw_path(nullptr, {}, room.x)), bottom_.folded(app));
  state_.resize(geometry_.canvas_size.x, static_cast<int>(geometry_.canvas_size.y), app.px.scale,
                density_of(app.settings.density));
  if (bottom_opens) {
    if (!app.session.selection()) bottom_.choose("range");
    // Keep the bottom pane from covering the new selection.
    if (app.session.selection()) keep_in_view(state_, *app.session.selection());
  }
  apply_pending();
  take_request();
  draw_edges();
  scrollbar_.interact(app, state_, geometry_.canvas, geometry_.canvas_size);
  handle_mouse();
  navigation_.update(over_ == MouseArea::canvas ? pointer_x() : std::nullopt);
  if (state_.advance(app.dt, app.now)) app.keep_drawing();
  update_hover();
  PanelContext panels = panel_context();
  panels.go_to = [this](trace::SliceRef slice) { go_to(slice); };
  panels.go_to_interval = [this](Interval interval) { fit(state_, interval); };
  panels.find = [this](std::string_view expression) { search_.add_filter(expression); };
  draw_parts(panels);
  update_hover();  // the parts may have changed the rows
  draw_hover();
  menu_.draw(
      app, state_, [this](trace::SliceRef slice) { select(slice); },
      [this](std::string_view expression) { search_.add_filter(expression); });
  app.session.set_marked(state_.selected_range() != nullptr ? std::optional(state_.selected_range()->time)
                                                            : std::nullopt);
  // Motion requested by the parts drawn next starts in the next frame.
  if (!state_.settled()) app.keep_drawing();
}

void TimelinePage::draw_parts(PanelContext& panels) {
  const TimelineGeometry& g = geometry_;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  overview_.draw(app_, state_, g.overview, g.overview_size);
  list.AddRectFilled(g.filter, {g.filter.x + g.filter_size.x, g.filter.y + g.filter_size.y}, app_.theme.panel);
  labels_.draw_filter(app_, state_, g.filter, g.filter_size);
  steps_.draw(app_, state_, g.steps, g.steps_size);
  draw_ruler(app_, state_, g.ruler, g.ruler_size, pointer_x());
  labels_.draw(app_, state_, g.labels, g.labels_size);
  list.AddRectFilled({g.filter.x, g.filter.y + g.filter_size.y - app_.px(1)},
                     {g.filter.x + g.filter_size.x, g.filter.y + g.filter_size.y}, app_.theme.line);
  const OverlayInput over = overlay_input();
  canvas_.draw(app_, state_, g.canvas, over);
  scrollbar_.draw(app_, state_, g.canvas, g.canvas_size);
  if (g.path_size.y > 0) {
    list.AddRectFilled(g.path, {g.path.x + g.path_size.x, g.path.y + g.path_size.y}, app_.theme.panel);
    list.AddRectFilled(g.path, {g.path.x + g.path_size.x, g.path.y + app_.px(1)}, app_.theme.path);
    draw_path(&list, g.path, g.path_size.x);
  }
  legend_.draw(app_, state_, over, g.legend, g.legend_size);
  draw_zoom();
  bottom_.draw(panels, g.bottom, g.bottom_size);
}

OverlayInput TimelinePage::overlay_input() const {
  OverlayInput over;
  over.selection = app_.session.selection();
  over.hover = hover_.kind == scene::HitKind::slice ? hover_.slice : std::nullopt;
  over.pointer_x = pointer_x();
  if (const auto& mark = state_.range())
    over.range = DrawnRange{mark->time, mark->all_rows,
                            [&mark, this](const scene::Row& row) { return covers(*mark, *state_.profile(), row); },
                            range_edge_hot_};
  over.steps = &steps_.boxes();
  over.path = path_finder_.shown();
  over.path_link = path_link_;
  over.ribbons = matcher_.ribbons();
  over.collective = matcher_.choice();
  over.has_launches = state_.profile() && std::ranges::any_of(state_.profile()->ranks, [](const auto& rank) {
                        return rank->counts.launches > 0;
                      });
  return over;
}

float TimelinePage::draw_path(ImDrawList* list, ImVec2 at, float width) const {
  const auto* overlay = canvas_.overlays().find<CriticalPathOverlay>();
  if (overlay == nullptr || path_finder_.shown() == nullptr) return 0;
  return draw_path_legend(app_, *state_.profile(), list, at, width, *path_finder_.shown(), overlay->in_view());
}

void TimelinePage::draw_zoom() {
  struct Button {
    const char* id;
    Icon icon;
    const char* tip;
    const char* command;
  };
  constexpr std::array<Button, kZoomButtons> kButtons{{{"##zoom-out", Icon::minus, "Zoom out", "view.zoom-out"},
                                                       {"##zoom-in", Icon::plus, "Zoom in", "view.zoom-in"},
                                                       {"##show-all", Icon::whole, "Show all", "view.show-all"}}};
  ImVec2 at = geometry_.zoom;
  for (const Button& button : kButtons) {
    ImGui::SetCursorScreenPos(at);
    if (icon_button(app_, button.id, button.icon, button.tip, button.command)) app_.commands.run(button.command);
    at.x += app_.px(kZoomButton);
  }
}

void TimelinePage::draw_edges() {
  const TimelineGeometry& g = geometry_;
  const float x = g.labels.x + g.labels_size.x;
  const float wanted = label_edge_.drag(app_, "##label-edge", {x, g.filter.y}, {x, g.path.y}, true, g.labels_size.x);
  if (wanted != g.labels_size.x)
    app_.settings.label_width = std::clamp(app_.px.units(wanted), kLeastLabels, kMostLabels);
  const float y = g.bottom.y - app_.px(1);
  if (bottom_.folded(app_)) {
    ImGui::GetWindowDrawList()->AddRectFilled({g.bottom.x, y}, {g.bottom.x + g.bottom_size.x, g.bottom.y},
                                              app_.theme.line);
    return;
  }
  const float height = bottom_edge_.drag(app_, "##bottom-edge", {g.bottom.x, y}, {g.bottom.x + g.bottom_size.x, y},
                                         false, g.bottom_size.y, true);
  if (height == g.bottom_size.y) return;
  app_.settings.bottom_folded = app_.px.units(height) < kLeastBottom / 2;
  if (!app_.settings.bottom_folded)
    app_.settings.bottom_height = std::clamp(app_.px.units(height), kLeastBottom, kMostBottom);
}

MouseInput TimelinePage::read_mouse() {
  constexpr ImGuiButtonFlags kAll =
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle;
  const TimelineGeometry& g = geometry_;
  const ImGuiIO& io = ImGui::GetIO();
  MouseInput input;
  input.x = io.MousePos.x - g.canvas.x;
  input.y = io.MousePos.y - g.canvas.y;
  input.ctrl = io.KeyCtrl;
  input.shift = io.KeyShift;
  bool hovered = false;
  const auto area = [&](const char* name, ImVec2 at, ImVec2 size, MouseArea which) {
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(name, size, kAll);
    if (!ImGui::IsItemHovered()) return;
    hovered = true;
    input.over = which;
  };
  area("##ruler", g.ruler, g.ruler_size, MouseArea::ruler);
  area("##canvas", g.canvas, g.canvas_size, MouseArea::canvas);
  if (!hovered && labels_.hovered()) input.over = MouseArea::labels;
  for (std::size_t b = 0; b < input.pressed.size(); ++b) {
    const auto button = static_cast<ImGuiMouseButton>(b);  // the same numbers
    input.pressed[b] = hovered && ImGui::IsMouseClicked(button);
    input.released[b] = ImGui::IsMouseReleased(button);
    input.press_x[b] = io.MouseClickedPos[button].x - g.canvas.x;
    input.press_y[b] = io.MouseClickedPos[button].y - g.canvas.y;
  }
  input.pressed_on = input.over;
  input.double_clicked = hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  input.wheel = io.MouseWheel;
  input.wheel_sideways = io.MouseWheelH;
  return input;
}

void TimelinePage::handle_mouse() {
  const MouseInput input = read_mouse();
  over_ = input.over;
  const MouseOutcome outcome = mouse_.update(input, state_, app_.settings.wheel_zooms);
  take_outcome(outcome);
  range_edge_hot_ = outcome.over_edge;
  hovers_ = over_ == MouseArea::canvas && !outcome.panning && !outcome.marking;
  if (outcome.over_edge) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (outcome.panning) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
}

/// Updates the hit under the pointer for the view about to be drawn, after keys and easing moved it.
void TimelinePage::update_hover() {
  hover_ = {};
  path_link_.reset();
  if (!hovers_ || !state_.layout()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImVec2 at(mouse.x - geometry_.canvas.x, mouse.y - geometry_.canvas.y);
  hover_ = scene::hit_test(state_.input(), at.x, at.y);
  const auto* path = canvas_.overlays().find<CriticalPathOverlay>();
  if (path != nullptr && path_finder_.shown() != nullptr) path_link_ = path->link_at({at.x, at.y}, app_.px.scale);
}

void TimelinePage::take_outcome(const MouseOutcome& outcome) {
  if (outcome.click && outcome.click->kind != scene::HitKind::absent) {
    if (outcome.click->slice) {
      select(*outcome.click->slice);
    } else {
      clear();
    }
  }
  if (outcome.double_click) {
    const scene::Hit& hit = *outcome.double_click;
    if (hit.kind == scene::HitKind::slice) {
      select(*hit.slice);
      navigation_.fit_selection();
    } else if (hit.kind == scene::HitKind::bucket) {
      state_.move(state_.target().zoomed(8, state_.target().to_px(hit.time)), Pace::jump);
    }
  }
  if (outcome.menu) menu_.open(state_, *outcome.menu);
  if (outcome.range_done && state_.range()) bottom_.choose("range");
}

void TimelinePage::draw_hover() {
  if (over_ != MouseArea::canvas || mouse_.active() || range_edge_hot_) return;
  if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) return;
  const ShownPath* path = path_finder_.shown();
  if (path != nullptr && path_link_ && *path_link_ < path->chain->links().size()) {
    draw_hover_card(app_, path_card(*state_.profile(), *path, *path_link_));
    return;
  }
  HoverCard card = make_hover_card(*state_.profile(), *state_.layout(), hover_);
  if (path != nullptr && hover_.kind == scene::HitKind::slice) add_path_fact(*path, *hover_.slice, card);
  if (matcher_.ranks() != nullptr && hover_.kind == scene::HitKind::slice)
    add_wait_facts(*matcher_.ranks(), *hover_.slice, card);
  draw_hover_card(app_, card);
}

std::optional<double> TimelinePage::pointer_x() const {
  if (over_ != MouseArea::canvas && over_ != MouseArea::ruler) return std::nullopt;
  return std::clamp(static_cast<double>(ImGui::GetIO().MousePos.x - geometry_.canvas.x), 0.0, state_.width());
}

PanelContext TimelinePage::panel_context() const {
  return {.app = app_,
          .profile = state_.profile(),
          .selection = app_.session.selection(),
          .range = state_.selected_range(),
          .range_revision = state_.range_revision(),
          .collective = matcher_.chosen(),
          .matching = matcher_.busy(),
          .unmatched = matcher_.ranks() != nullptr ? std::string_view(matcher_.ranks()->reason) : std::string_view()};
}

const PageSpec registered::timeline::kPage{"timeline", "Timeline", Icon::timeline, make_page<TimelinePage>};

}  // namespace warpscope::ui
