#include "app/ui/timeline/navigation.hpp"

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/connection_rows.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/small_controls.hpp"

namespace warpscope::ui {
namespace {

constexpr const char* kPage = "timeline";

Command command(std::string id, std::string name, std::string category, std::function<void()> action,
                std::function<bool()> enabled, std::string keywords = {}) {
  Command made;
  made.id = std::move(id);
  made.name = std::move(name);
  made.category = std::move(category);
  made.action = std::move(action);
  made.enabled = std::move(enabled);
  made.page = kPage;
  made.keywords = std::move(keywords);
  return made;
}

Command repeating(Command made) {
  made.repeats = true;
  return made;
}

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
    Command made = command(
        id, name, "Navigation", [this, keys] { tap(keys); }, when_open(), words);
    made.continuous = true;
    app_.commands.add(std::move(made), chords);
  };
  add("view.zoom-in", "Zoom in", {.in = true}, "closer magnify", {"W", "Up"});
  add("view.pan-left", "Pan left", {.left = true}, "earlier back", {"A", "Left"});
  add("view.zoom-out", "Zoom out", {.out = true}, "farther", {"S", "Down"});
  add("view.pan-right", "Pan right", {.right = true}, "later forward", {"D", "Right"});
}

void Navigation::add_views() {
  CommandTable& table = app_.commands;
  const auto page = [this](double share) {
    return [this, share] { state_.scroll_by(share * state_.height(), Pace::eased); };
  };
  table.add(repeating(command("view.page-up", "Scroll tracks up", "Navigation", page(-0.8), when_open())), {"PageUp"});
  table.add(repeating(command("view.page-down", "Scroll tracks down", "Navigation", page(0.8), when_open())),
            {"PageDown"});
  table.add(command(
                "view.first-track", "Scroll to the first track", "Navigation",
                [this] { state_.scroll_to(0, Pace::jump); }, when_open()),
            {"Home"});
  table.add(command(
                "view.last-track", "Scroll to the last track", "Navigation",
                [this] { state_.scroll_to(state_.max_scroll(), Pace::jump); }, when_open()),
            {"End"});
  table.add(command(
                "view.fit-selection", "Zoom to the selection; press again for its surroundings", "Navigation",
                [this] { fit_marked(); },
                [this] { return state_.profile() && (app_.session.selection() || state_.range()); }, "fit focus"),
            {"F"});
  table.add(command(
                "view.show-all", "Show all", "Navigation", [this] { state_.show_all(); }, when_open(),
                "reset whole zoom out fit"),
            {"0"});
  table.add(repeating(command(
                "view.undo", "Undo the last view change", "Navigation", [this] { state_.undo(); },
                [this] { return state_.can_undo(); }, "back history")),
            {"Backspace", "Ctrl+Z", "Alt+Left"});
  table.add(repeating(command(
                "view.redo", "Redo the view change", "Navigation", [this] { state_.redo(); },
                [this] { return state_.can_redo(); }, "forward history")),
            {"Shift+Backspace", "Ctrl+Shift+Z", "Alt+Right"});
}

void Navigation::add_steps() {
  const auto has_steps = [this] { return state_.profile() && !state_.profile()->steps.empty(); };
  app_.commands.add(
      repeating(command(
          "step.next", "Next training step", "Steps and connections", [this] { step_steps(state_, 1); }, has_steps)),
      {"N"});
  app_.commands.add(repeating(command(
                        "step.previous", "Previous training step", "Steps and connections",
                        [this] { step_steps(state_, -1); }, has_steps)),
                    {"P"});
  app_.commands.add(repeating(command(
                        "connection.next", "Next connection of the selection", "Steps and connections",
                        [this] { follow_connection(1); }, when_selected(), "launch run follow")),
                    {"]"});
  app_.commands.add(repeating(command(
                        "connection.previous", "Previous connection of the selection", "Steps and connections",
                        [this] { follow_connection(-1); }, when_selected(), "launch run follow")),
                    {"["});
}

void Navigation::add_selection() {
  CommandTable& table = app_.commands;
  table.add(
      repeating(command(
          "slice.next", "Next slice on the track", "Selection", [this] { select_neighbour(1); }, when_selected())),
      {"."});
  table.add(repeating(command(
                "slice.previous", "Previous slice on the track", "Selection", [this] { select_neighbour(-1); },
                when_selected())),
            {","});
  table.add(command(
                "range.of-selection", "Mark the selection as a range", "Selection",
                [this] {
                  state_.mark(RangeMark{interval_of(*state_.profile(), *app_.session.selection()), true, {}});
                },
                when_selected(), "interval time"),
            {"R"});
  table.add(command(
                "range.of-view", "Mark the visible time as a range", "Selection",
                [this] {
                  state_.mark(RangeMark{state_.target().visible(), true, {}});
                },
                when_open()),
            {"Shift+R"});
  table.add(command(
      "selection.clear", "Clear selection and range", "Selection", [this] { hooks_.clear(); },
      [this] { return app_.session.selected_identity() || state_.range(); }));
  table.add(command(
                "selection.copy-name", "Copy the selection's name", "Selection",
                [this] { copy_text(app_, state_.profile()->name(*app_.session.selection())); }, when_selected()),
            {"Ctrl+C"});
}

void Navigation::add_tracks() {
  CommandTable& table = app_.commands;
  table.add(
      command(
          "tracks.unfold-all", "Expand all tracks", "Tracks", [this] { unfold_all(true); }, when_open(), "expand open"),
      {"Ctrl+Down"});
  table.add(command(
                "tracks.fold-all", "Collapse all tracks", "Tracks", [this] { unfold_all(false); }, when_open(),
                "collapse close"),
            {"Ctrl+Up"});
  table.add(command(
      "tracks.show-hidden", "Show hidden tracks", "Tracks",
      [this] { state_.edit_tracks([](scene::TrackState& tracks) { tracks.hidden.clear(); }); },
      [this] { return state_.layout() && state_.layout()->any_hidden(); }, "unhide"));
  table.add(command(
      "tracks.unpin-all", "Unpin all tracks", "Tracks",
      [this] { state_.edit_tracks([](scene::TrackState& tracks) { tracks.pinned.clear(); }); },
      [this] { return !state_.tracks().pinned.empty(); }));
  table.add(command(
      "tracks.hide-unmatched", "Toggle tracks without matches", "Tracks",
      [this] { state_.set_hide_unmatched(!state_.hide_unmatched()); }, when_open(), "filter search"));
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
    fit(state_, *selection);
}

void Navigation::unfold_all(bool open) {
  const trace::TrackTree& tree = state_.profile()->tree;
  state_.edit_tracks([&](scene::TrackState& tracks) {
    for (std::uint32_t i = 0; i < tree.entries.size(); ++i)
      if (open || tree.entries[i].level > 0) tracks.set_open(tree, i, open);
  });
}

void Navigation::select_neighbour(int direction) {
  if (const auto next = neighbour(*state_.profile(), *app_.session.selection(), direction)) hooks_.go_to(*next);
}

void Navigation::follow_connection(int direction) {
  if (const auto next = step_connection(*state_.profile(), *app_.session.selection(), direction)) hooks_.go_to(*next);
}

}  // namespace warpscope::ui
