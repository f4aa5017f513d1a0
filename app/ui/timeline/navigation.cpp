#include "app/ui/timeline/navigation.hpp"

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/connection_rows.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {
namespace {

constexpr const char* kPage = "timeline";

}  // namespace

Navigation::Navigation(AppContext& app, TimelineState& state, NavigationHooks hooks)
    : app_(app), state_(state), hooks_(std::move(hooks)) {
  add_motion();
  add_views();
  add_steps();
  add_selection();
  add_tracks();
}

std::function<bool()> Navigation::when_open() const {
  return [this] { return state_.profile() != nullptr; };
}

std::function<bool()> Navigation::when_selected() const {
  return [this] { return state_.profile() && app_.session.selection(); };
}

void Navigation::add_motion() {
  const auto add = [this](const char* id, const char* name, scene::HeldKeys keys, const char* words,
                          std::initializer_list<std::string_view> chords) {
    Command made{id, name, "Navigation", {}, [this, keys] { tap(keys); }, when_open(), kPage};
    made.continuous = true;
    made.keywords = words;
    app_.commands.add(std::move(made), chords);
  };
  add("view.zoom-in", "Zoom in", {.in = true}, "closer magnify", {"W", "Up"});
  add("view.pan-left", "Pan left", {.left = true}, "earlier back", {"A", "Left"});
  add("view.zoom-out", "Zoom out", {.out = true}, "farther", {"S", "Down"});
  add("view.pan-right", "Pan right", {.right = true}, "later forward", {"D", "Right"});
}

void Navigation::add_views() {
  const CommandGroup add(app_.commands, "Navigation", kPage, when_open());
  const auto page = [this](double share) {
    return [this, share] { state_.scroll_by(share * state_.height(), Pace::eased); };
  };
  add("view.page-up", "Scroll tracks up", {"PageUp"}, page(-0.8)).repeats();
  add("view.page-down", "Scroll tracks down", {"PageDown"}, page(0.8)).repeats();
  add("view.first-track", "Scroll to the first track", {"Home"}, [this] { state_.scroll_to(0, Pace::jump); });
  add("view.last-track", "Scroll to the last track", {"End"},
      [this] { state_.scroll_to(state_.max_scroll(), Pace::jump); });
  add("view.fit-selection", "Zoom to the selection; press again for its surroundings", {"F"}, [this] {
    fit_marked();
  }).when([this] {
      return state_.profile() && (app_.session.selection() || state_.range());
    }).keywords("fit focus");
  add("view.show-all", "Show all", {"0"}, [this] { state_.show_all(); }).keywords("reset whole zoom out fit");
  add("view.undo", "Undo the last view change", {"Backspace", "Ctrl+Z", "Alt+Left"}, [this] { state_.undo(); })
      .when([this] { return state_.can_undo(); })
      .keywords("back history")
      .repeats();
  add("view.redo", "Redo the view change", {"Shift+Backspace", "Ctrl+Shift+Z", "Alt+Right"}, [this] { state_.redo(); })
      .when([this] { return state_.can_redo(); })
      .keywords("forward history")
      .repeats();
}

void Navigation::add_steps() {
  const CommandGroup step(app_.commands, "Steps and connections", kPage,
                          [this] { return state_.profile() && !state_.profile()->steps.empty(); });
  step("step.next", "Next training step", {"N"}, [this] { step_steps(state_, 1); }).repeats();
  step("step.previous", "Previous training step", {"P"}, [this] { step_steps(state_, -1); }).repeats();
  const CommandGroup connection(app_.commands, "Steps and connections", kPage, when_selected());
  connection("connection.next", "Next connection of the selection", {"]"}, [this] { follow_connection(1); })
      .keywords("launch follow")
      .repeats();
  connection("connection.previous", "Previous connection of the selection", {"["}, [this] { follow_connection(-1); })
      .keywords("launch follow")
      .repeats();
}

void Navigation::add_selection() {
  const CommandGroup add(app_.commands, "Selection", kPage, when_selected());
  add("slice.next", "Next slice on the track", {"."}, [this] { select_neighbour(1); }).repeats();
  add("slice.previous", "Previous slice on the track", {","}, [this] { select_neighbour(-1); }).repeats();
  add("range.of-selection", "Mark the selection as a range", {"R"}, [this] {
    with_selection([this](const trace::Profile& profile, trace::SliceRef slice) {
      const auto time = trace::if_resident([&] { return interval_of(profile, slice); });
      if (time) state_.mark(RangeMark{*time, true, {}});
      return time.has_value();
    });
  }).keywords("interval time");
  add("range.of-view", "Mark the visible time range", {"Shift+R"}, [this] {
    state_.mark(RangeMark{state_.target().visible(), true, {}});
  }).when(when_open());
  add("selection.clear", "Clear selection and range", {}, [this] { hooks_.clear(); }).when([this] {
    return app_.session.has_selection() || state_.range();
  });
  add("selection.copy-name", "Copy the selection's name", {"Ctrl+C"}, [this] {
    with_selection([this](const trace::Profile& profile, trace::SliceRef slice) {
      const auto name = trace::if_resident([&] { return profile.name(slice); });
      if (name) copy_text(app_, *name);
      return name.has_value();
    });
  });
}

void Navigation::add_tracks() {
  const CommandGroup add(app_.commands, "Tracks", kPage, when_open());
  add("tracks.unfold-all", "Expand all tracks", {"Ctrl+Down"}, [this] { unfold_all(true); }).keywords("open");
  add("tracks.fold-all", "Collapse all tracks", {"Ctrl+Up"}, [this] { unfold_all(false); }).keywords("close");
  add("tracks.show-hidden", "Show hidden tracks", {}, [this] {
    state_.edit_tracks([](scene::TrackState& tracks) { tracks.hidden.clear(); });
  }).when([this] {
      return state_.layout() && state_.layout()->any_hidden();
    }).keywords("unhide");
  add("tracks.unpin-all", "Unpin all tracks", {}, [this] {
    state_.edit_tracks([](scene::TrackState& tracks) { tracks.pinned.clear(); });
  }).when([this] { return !state_.tracks().pinned.empty(); });
}

bool Navigation::update(std::optional<double> anchor_px) {
  anchor_ = anchor_px.value_or(-1);
  if (seen_selection_ != app_.session.selection_generation()) {
    seen_selection_ = app_.session.selection_generation();
    range_is_latest_ = false;
  }
  if (seen_range_ != state_.range_revision()) {
    seen_range_ = state_.range_revision();
    range_is_latest_ = state_.range().has_value();
  }
  if (!state_.profile()) return false;
  const Hold in = app_.commands.held("view.zoom-in");
  const Hold out = app_.commands.held("view.zoom-out");
  const Hold left = app_.commands.held("view.pan-left");
  const Hold right = app_.commands.held("view.pan-right");
  const scene::HeldKeys keys{.left = left.down,
                             .right = right.down,
                             .in = in.down,
                             .out = out.down,
                             .fast = in.fast || out.fast || left.fast || right.fast};
  const scene::KeyMotion motion = driver_.advance(keys, state_.width(), app_.dt);
  const double anchor = anchor_ < 0 ? state_.width() / 2 : anchor_;
  if (motion.any()) {
    const scene::TimeView& base = motion.step ? state_.target() : state_.view();
    state_.move(motion.apply(base, anchor), motion.step ? Pace::eased : Pace::at_once);
  }
  return in || out || left || right;
}

void Navigation::tap(const scene::HeldKeys& keys) {
  scene::KeyDriver once;
  const scene::KeyMotion motion = once.advance(keys, state_.width(), 0);
  state_.move(motion.apply(state_.target(), state_.width() / 2), Pace::eased);
}

void Navigation::fit_marked() {
  if (!state_.profile()) return;
  const auto& selection = app_.session.selection();
  if (state_.range() && (range_is_latest_ || !selection))
    fit(state_, state_.range()->time);
  else if (selection)
    fit_selection();
}

void Navigation::fit_selection() {
  with_selection([this](const trace::Profile&, trace::SliceRef slice) { return fit(state_, slice); });
}

void Navigation::unfold_all(bool open) {
  const trace::TrackTree& tree = state_.profile()->tree;
  state_.edit_tracks([&](scene::TrackState& tracks) {
    for (std::uint32_t i = 0; i < tree.entries.size(); ++i)
      if (open || tree.entries[i].level > 0) tracks.set_open(tree, i, open);
  });
}

void Navigation::with_selection(std::function<bool(const trace::Profile&, trace::SliceRef)> attempt) {
  app_.when_loaded.start([this, attempt = std::move(attempt)] {
    const auto& selection = app_.session.selection();
    return !state_.profile() || !selection || attempt(*state_.profile(), *selection);
  });
}

void Navigation::select_neighbour(int direction) {
  if (const auto next = neighbour(*state_.profile(), *app_.session.selection(), direction)) hooks_.go_to(*next);
}

void Navigation::follow_connection(int direction) {
  with_selection([this, direction](const trace::Profile& profile, trace::SliceRef slice) {
    const auto next = trace::if_resident([&] { return step_connection(profile, slice, direction); });
    if (next && *next)
      hooks_.go_to(**next);
    else if (next)
      app_.messages.info("The selected slice has no connections", app_.now);
    return next.has_value();
  });
}

}  // namespace warpscope::ui
