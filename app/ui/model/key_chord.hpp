#pragma once
// A chord is one key press with its modifiers, as it is written in help and settings: "Ctrl+Shift+P", "Shift+Left",
// "?".
//
// Two kinds. Letters, digits, function and cursor keys are *keys*: they carry modifiers and can be held. A lone sign of
// punctuation ("?", "/", "[") is a *character*: where it stands differs between keyboards (on a German one "[" is
// AltGr+8 and "?" Shift+ß), so it is matched by what was typed, not by which key was struck.
#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>

namespace warpscope::ui {

struct KeyChord {
  ImGuiKey key = ImGuiKey_None;  ///< None for a character
  ImWchar character = 0;         ///< 0 for a key
  bool ctrl = false;             ///< characters take no modifiers but what it needs to type them
  bool shift = false;
  bool alt = false;

  [[nodiscard]] bool is_character() const { return character != 0; }
  friend bool operator==(const KeyChord&, const KeyChord&) = default;
};

/// Reads "Ctrl+Shift+P", "shift+left", "PageUp", "F11", "0", "?"; nullopt if it is no chord. Case does not matter.
[[nodiscard]] std::optional<KeyChord> parse_chord(std::string_view text);

/// The chord as parse_chord() reads it, modifiers in the order Ctrl, Shift, Alt.
[[nodiscard]] std::string to_string(const KeyChord& chord);

/// The names of keys that parse_chord() knows, for error messages and tests: "A", "Left", "PageUp" …
[[nodiscard]] ImGuiKey key_by_name(std::string_view name);

/// True if the chord went down in this frame of the current ImGui context (with key repeat if `repeat`).
[[nodiscard]] bool chord_pressed(const KeyChord& chord, bool repeat);

/// True while the chord is held down; always false for characters. Shift may be held besides: it makes motion faster.
[[nodiscard]] bool chord_down(const KeyChord& chord);

}  // namespace warpscope::ui
