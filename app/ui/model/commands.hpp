#pragma once
// Everything a user can make the program do, in one table. The keyboard, the menus, the palette and the help overlay
// all read it, so that what a click can do a key can do, and no key is handled anywhere else.
//
// Motion (pan, zoom while a key is held) is `continuous`: whoever moves asks held() each frame, for a tap (which is
// seen in at least one frame) as for a hold; its action is one step, for palette and menus. Both are the same entry
// with the same keys.
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/model/key_chord.hpp"

namespace warpscope::ui {

struct Command {
  std::string id;                   ///< stable, "view.zoom-in"
  std::string name;                 ///< sentence case; "…" only where a dialog follows
  std::string category;             ///< heading in help and palette: "Navigation"
  std::vector<KeyChord> keys;       ///< any of them
  std::function<void()> action;     ///< continuous: one step, not run by keys
  std::function<bool()> enabled{};  ///< empty: always
  std::string page{};               ///< id of the page where the keys work; empty: everywhere
  bool continuous = false;          ///< motion: held() answers for it, and Shift may be held besides
  bool repeats = false;             ///< key repeat repeats the action
  bool while_typing = false;        ///< the keys work also while a text field or a dialog has the keyboard
  std::string keywords{};           ///< further words the palette finds it by
};

/// Whether a press of `chord`, were it a key of `other`, would fire `command` too.
[[nodiscard]] bool fires_on(const Command& command, const Command& other, const KeyChord& chord);

/// Answer of CommandTable::held.
struct Hold {
  bool down = false;
  float seconds = 0;  ///< since the key went down; 0 in that frame
  bool fast = false;  ///< Shift is held

  explicit operator bool() const { return down; }
};

class CommandTable {
 public:
  /// Adds a command; one with the same id is replaced. Keys by name, as parse_chord() reads them; a name that is no
  /// chord is left out and shows up in bad_keys().
  void add(Command command);
  void add(Command command, std::initializer_list<std::string_view> keys);
  void remove(std::string_view id);

  [[nodiscard]] std::span<const Command> all() const { return commands_; }
  /// In order of first appearance.
  [[nodiscard]] std::vector<std::string_view> categories() const;
  [[nodiscard]] const Command* find(std::string_view id) const;
  [[nodiscard]] bool enabled(std::string_view id) const;
  /// Runs it if it is known and enabled; says whether it ran.
  bool run(std::string_view id);

  /// The keys that it was added with, whatever it has now.
  [[nodiscard]] const std::vector<KeyChord>& default_keys(std::string_view id) const;
  void set_keys(std::string_view id, std::vector<KeyChord> keys);
  /// "W, Up": for menus and tooltips; empty if it has none. At most `limit` chords.
  [[nodiscard]] std::string keys_text(std::string_view id, std::size_t limit = 4) const;

  /// Runs what the keys of this ImGui frame ask for. `page`: id of the page shown. `dialog_open`: only commands that
  /// work `while_typing` are looked at, as when a text field has the keyboard. Call once a frame, before drawing.
  void dispatch(std::string_view page, bool dialog_open);

  /// Whether a continuous command's key is held now. False while a text field or dialog has the keyboard.
  [[nodiscard]] Hold held(std::string_view id) const;
  /// True if any continuous command is held: frames must keep coming.
  [[nodiscard]] bool any_held() const;

  struct Conflict {
    std::string first, second;  ///< ids
    KeyChord chord;
  };
  /// Chords that two commands claim in one context. Empty in a sound table.
  [[nodiscard]] std::vector<Conflict> conflicts() const;
  [[nodiscard]] std::span<const std::string> bad_keys() const { return bad_keys_; }
  /// Grows with each command that is added.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

 private:
  [[nodiscard]] bool active(const Command& command) const;

  std::vector<Command> commands_;
  std::vector<std::string> bad_keys_;
  std::string page_;
  bool keyboard_taken_ = false;
  std::uint64_t revision_ = 0;
  std::map<std::string, std::vector<KeyChord>, std::less<>> default_keys_;  // by id
};

}  // namespace warpscope::ui
