#pragma once
// Keys that the user gave to commands, over those that they come with. Kept in the settings as text, by the id of the
// command, so that bindings of pages that are not there now are not lost.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/model/key_chord.hpp"

namespace warpscope::ui {

class CommandTable;
struct Command;

/// Id of a command → its keys as keys_text() writes them; "none" for no key.
using KeyBindings = std::map<std::string, std::string>;

inline constexpr std::size_t kMostChords = 8;  ///< of one command

/// "Ctrl+K F3", chords with blanks between them; "none" for none.
[[nodiscard]] std::string keys_text(const std::vector<KeyChord>& keys);
/// Reads that; words that are no chord are left out. nullopt if nothing is left of a text that is not "none".
[[nodiscard]] std::optional<std::vector<KeyChord>> parse_keys(std::string_view text);

/// Gives all commands the keys that `bindings` have for them, and the others those that they come with.
void apply_bindings(CommandTable& commands, const KeyBindings& bindings);

/// Adds a chord to a command, or takes one away; a binding that is the same as what the command comes with is no
/// binding. Unknown ids change nothing.
void add_chord(KeyBindings& bindings, const CommandTable& commands, std::string_view id, const KeyChord& chord);
void remove_chord(KeyBindings& bindings, const CommandTable& commands, std::string_view id, const KeyChord& chord);

/// The commands but `command` itself that fire on the same press as `chord` would on it, by id.
[[nodiscard]] std::vector<std::string> claimed_by(const CommandTable& commands, const Command& command,
                                                  const KeyChord& chord);

/// The chord that was struck in this frame of the current ImGui context, if one was: a key with its modifiers, or a
/// sign as it was typed. Modifiers alone are none. `motion`: only keys will do, for signs cannot be held.
[[nodiscard]] std::optional<KeyChord> struck_chord(bool motion);

}  // namespace warpscope::ui
