#pragma once
// A chord is one key press with its modifiers, as written in help and settings: "Ctrl+Shift+P", "Shift+Left", "?".
//
// There are two kinds. Letters, digits, function and cursor keys are *keys*: they can be combined with modifiers and
// held down. A single punctuation mark ("?", "/", "[") is a *character*: its key differs between keyboard layouts (on a
// German layout, "[" is AltGr+8 and "?" is Shift+ß), so it is matched by the character typed, not the key pressed.
#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>

namespace warpscope::ui {

struct KeyChord {
  ImGuiKey key = ImGuiKey_None;  ///< None for a character
  ImWchar character = 0;         ///< 0 for a key
  bool ctrl = false;             ///< modifiers of a key; never set for characters
  bool shift = false;
  bool alt = false;

  [[nodiscard]] bool is_character() const { return character != 0; }
  friend bool operator==(const KeyChord&, const KeyChord&) = default;
};

/// Parses "Ctrl+Shift+P", "shift+left", "PageUp", "F11", "0", "?", ignoring case; nullopt if invalid.
[[nodiscard]] std::optional<KeyChord> parse_chord(std::string_view text);

/// Formats the chord for parse_chord(), with modifiers in the order Ctrl, Shift, Alt.
[[nodiscard]] std::string to_string(const KeyChord& chord);

/// Returns the key with this parse_chord() name, such as "A", "Left" or "PageUp"; ImGuiKey_None if there is none.
[[nodiscard]] ImGuiKey key_by_name(std::string_view name);

/// True if the chord was pressed in the current ImGui frame (with key repeat if `repeat`).
[[nodiscard]] bool chord_pressed(const KeyChord& chord, bool repeat);

/// True while the chord is held; always false for characters. Allows Shift to be held as well, because it speeds up
/// motion.
[[nodiscard]] bool chord_down(const KeyChord& chord);

}  // namespace warpscope::ui
