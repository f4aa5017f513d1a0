#pragma once
// User-defined command keys that replace the defaults. Saved in the settings as text, keyed by command id, so bindings
// are kept even if their page is missing.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/model/key_chord.hpp"

namespace warpscope::ui {

class CommandTable;
struct Command;

/// Keys as formatted by keys_text(), indexed by command id; "none" for no key.
using KeyBindings = std::map<std::string, std::string>;

inline constexpr std::size_t kMostChords = 8;  ///< per command

/// Formats chords separated by spaces, such as "Ctrl+K F3"; "none" if there are none.
[[nodiscard]] std::string keys_text(const std::vector<KeyChord>& keys);
/// Parses text from keys_text(), skipping invalid chords. Returns nullopt if no chord remains and the text is not
/// "none".
[[nodiscard]] std::optional<std::vector<KeyChord>> parse_keys(std::string_view text);

/// Applies `bindings` to their commands, and the default keys to all others.
void apply_bindings(CommandTable& commands, const KeyBindings& bindings);

/// Adds a chord to a command; remove_chord() removes one. Both drop bindings that match the defaults. No-op for an
/// unknown id.
void add_chord(KeyBindings& bindings, const CommandTable& commands, std::string_view id, const KeyChord& chord);
void remove_chord(KeyBindings& bindings, const CommandTable& commands, std::string_view id, const KeyChord& chord);

/// Returns the ids of the other commands that `chord` would also run if assigned to `command`.
[[nodiscard]] std::vector<std::string> claimed_by(const CommandTable& commands, const Command& command,
                                                  const KeyChord& chord);

/// Returns the chord pressed in the current ImGui frame: a key with its modifiers, or a typed character. Modifiers
/// alone are ignored. `motion`: accepts only keys, because characters cannot be held.
[[nodiscard]] std::optional<KeyChord> struck_chord(bool motion);

}  // namespace warpscope::ui
