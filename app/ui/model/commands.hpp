#pragma once
// Table of all commands. The keyboard, menus, palette and help overlay all use it, so any clickable action can have a
// key and all keys are handled here.
//
// Motion (pan and zoom while a key is held) is `continuous`: the code that moves the view calls held() every frame.
// This covers both holds and taps, because a tap counts as held for at least one frame. The command's action performs a
// single step, for the palette and menus.
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/model/key_chord.hpp"

namespace warpscope::ui {

struct Command {
  std::string id;                   ///< stable: "view.zoom-in"
  std::string name;                 ///< sentence case; "…" only if a dialog follows
  std::string category;             ///< heading in help and palette: "Navigation"
  std::vector<KeyChord> keys;       ///< any of these
  std::function<void()> action;     ///< continuous: one step, not triggered by keys
  std::function<bool()> enabled{};  ///< empty: always enabled
  std::string page{};               ///< id of the page on which the keys work; empty: all pages
  bool continuous = false;          ///< motion: query with held(); Shift may also be held
  bool repeats = false;             ///< key repeat repeats the action
  bool while_typing = false;        ///< keys also work while a text field or a dialog has keyboard focus
  std::string keywords{};           ///< additional search words for the palette
};

/// Result of CommandTable::held.
struct Hold {
  bool down = false;
  bool fast = false;  ///< Shift is held

  explicit operator bool() const { return down; }
};

class CommandTable {
 public:
  /// Adds a command, or replaces the one with the same id. Keys are names that parse_chord() accepts. The returned
  /// reference is valid until the next command is added.
  Command& add(Command command);
  Command& add(Command command, std::initializer_list<std::string_view> keys);
  void remove(std::string_view id);

  [[nodiscard]] std::span<const Command> all() const { return commands_; }
  /// Returns the categories in order of first appearance.
  [[nodiscard]] std::vector<std::string_view> categories() const;
  [[nodiscard]] const Command* find(std::string_view id) const;
  [[nodiscard]] bool enabled(std::string_view id) const;
  /// Runs the command if it exists and is enabled; returns true if it ran.
  bool run(std::string_view id);

  /// Returns the keys as text for menus and tooltips ("W, Up"); empty if there are none. Lists at most `limit` chords.
  [[nodiscard]] std::string keys_text(std::string_view id, std::size_t limit = 4) const;

  /// Runs the commands whose keys were pressed in this ImGui frame. `page`: id of the current page. `dialog_open`: if
  /// true, only `while_typing` commands run, as when a text field has keyboard focus. Call once per frame, before
  /// drawing.
  void dispatch(std::string_view page, bool dialog_open);

  /// Returns whether any key of a continuous command is held. False while a text field or dialog has keyboard focus.
  [[nodiscard]] Hold held(std::string_view id) const;
  /// True if any continuous command is held, so drawing must continue.
  [[nodiscard]] bool any_held() const;

 private:
  [[nodiscard]] bool active(const Command& command) const;

  std::vector<Command> commands_;
  std::string page_;
  bool keyboard_taken_ = false;
};

/// Adds commands that share a category, a page and a condition.
class CommandGroup {
 public:
  /// Sets optional properties of the command just added.
  class Added {
   public:
    explicit Added(Command& command) : command_(command) {}
    Added& repeats() { return command_.repeats = true, *this; }
    Added& while_typing() { return command_.while_typing = true, *this; }
    Added& keywords(std::string words) { return command_.keywords = std::move(words), *this; }
    /// Replaces the group's condition for this command.
    Added& when(std::function<bool()> enabled) { return command_.enabled = std::move(enabled), *this; }
    /// Makes the command work on all pages.
    Added& everywhere() { return command_.page.clear(), *this; }

   private:
    Command& command_;
  };

  /// `page` and `enabled`: see Command.
  CommandGroup(CommandTable& table, std::string_view category, std::string_view page = {},
               std::function<bool()> enabled = {})
      : table_(table), category_(category), page_(page), enabled_(std::move(enabled)) {}

  Added operator()(std::string id, std::string name, std::initializer_list<std::string_view> keys,
                   std::function<void()> action) const {
    return Added(table_.add({std::move(id), std::move(name), category_, {}, std::move(action), enabled_, page_}, keys));
  }

 private:
  CommandTable& table_;
  std::string category_;
  std::string page_;
  std::function<bool()> enabled_;
};

}  // namespace warpscope::ui
