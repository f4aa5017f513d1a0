#include "app/ui/model/key_chord.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/ascii.hpp"

namespace warpscope::ui {
namespace {

struct NamedKey {
  std::string_view name;
  ImGuiKey key;
};

// The first name of a key is used for output.
constexpr std::array kNamedKeys = {
    NamedKey{"Left", ImGuiKey_LeftArrow}, NamedKey{"Right", ImGuiKey_RightArrow},
    NamedKey{"Up", ImGuiKey_UpArrow},     NamedKey{"Down", ImGuiKey_DownArrow},
    NamedKey{"PageUp", ImGuiKey_PageUp},  NamedKey{"PageDown", ImGuiKey_PageDown},
    NamedKey{"Home", ImGuiKey_Home},      NamedKey{"End", ImGuiKey_End},
    NamedKey{"Insert", ImGuiKey_Insert},  NamedKey{"Delete", ImGuiKey_Delete},
    NamedKey{"Space", ImGuiKey_Space},    NamedKey{"Backspace", ImGuiKey_Backspace},
    NamedKey{"Enter", ImGuiKey_Enter},    NamedKey{"Return", ImGuiKey_Enter},
    NamedKey{"Esc", ImGuiKey_Escape},     NamedKey{"Escape", ImGuiKey_Escape},
    NamedKey{"Tab", ImGuiKey_Tab},        NamedKey{"'", ImGuiKey_Apostrophe},
    NamedKey{",", ImGuiKey_Comma},        NamedKey{"-", ImGuiKey_Minus},
    NamedKey{".", ImGuiKey_Period},       NamedKey{"/", ImGuiKey_Slash},
    NamedKey{";", ImGuiKey_Semicolon},    NamedKey{"=", ImGuiKey_Equal},
    NamedKey{"[", ImGuiKey_LeftBracket},  NamedKey{"\\", ImGuiKey_Backslash},
    NamedKey{"]", ImGuiKey_RightBracket}, NamedKey{"`", ImGuiKey_GraveAccent},
};

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

ImGuiKey offset_key(ImGuiKey first, int offset) { return static_cast<ImGuiKey>(static_cast<int>(first) + offset); }

std::string name_of_key(ImGuiKey key) {
  if (key >= ImGuiKey_A && key <= ImGuiKey_Z) return std::string(1, static_cast<char>('A' + (key - ImGuiKey_A)));
  if (key >= ImGuiKey_0 && key <= ImGuiKey_9) return std::string(1, static_cast<char>('0' + (key - ImGuiKey_0)));
  if (key >= ImGuiKey_F1 && key <= ImGuiKey_F12) return "F" + std::to_string(1 + (key - ImGuiKey_F1));
  for (const NamedKey& named : kNamedKeys) {
    if (named.key == key) return std::string(named.name);
  }
  return {};
}

/// Returns the equivalent keypad key, or None.
ImGuiKey keypad_twin(ImGuiKey key) {
  if (key >= ImGuiKey_0 && key <= ImGuiKey_9) return offset_key(ImGuiKey_Keypad0, key - ImGuiKey_0);
  if (key == ImGuiKey_Enter) return ImGuiKey_KeypadEnter;
  return ImGuiKey_None;
}

bool modifiers_match(const KeyChord& chord, bool any_shift) {
  const ImGuiIO& io = ImGui::GetIO();
  return chord.ctrl == (io.KeyCtrl || io.KeySuper) && chord.alt == io.KeyAlt &&
         (any_shift || chord.shift == io.KeyShift);
}

bool is_sign(char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; }

}  // namespace

ImGuiKey key_by_name(std::string_view name) {
  if (name.size() == 1) {
    const char c = lower(name[0]);
    if (c >= 'a' && c <= 'z') return offset_key(ImGuiKey_A, c - 'a');
    if (c >= '0' && c <= '9') return offset_key(ImGuiKey_0, c - '0');
  }
  if (name.size() >= 2 && name.size() <= 3 && lower(name[0]) == 'f' &&
      std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; })) {
    const int number = std::stoi(std::string(name.substr(1)));
    if (number >= 1 && number <= 12) return offset_key(ImGuiKey_F1, number - 1);
  }
  for (const NamedKey& named : kNamedKeys) {
    if (same_word(named.name, name)) return named.key;
  }
  return ImGuiKey_None;
}

std::optional<KeyChord> parse_chord(std::string_view text) {
  KeyChord chord;
  // A "+" is a separator only if text follows: "Ctrl++" is Ctrl and "+".
  for (std::size_t plus = text.find('+', 1); plus != std::string_view::npos && plus + 1 < text.size();
       plus = text.find('+', 1)) {
    const std::string_view modifier = text.substr(0, plus);
    bool* flag = same_word(modifier, "ctrl")    ? &chord.ctrl
                 : same_word(modifier, "shift") ? &chord.shift
                 : same_word(modifier, "alt")   ? &chord.alt
                                                : nullptr;
    if (flag == nullptr || *flag) return std::nullopt;
    *flag = true;
    text.remove_prefix(plus + 1);
  }
  const bool has_modifier = chord.ctrl || chord.shift || chord.alt;
  if (text.size() == 1 && is_sign(text[0]) && !has_modifier) {
    chord.character = static_cast<ImWchar>(text[0]);
    return chord;
  }
  if (text.size() == 1 && is_sign(text[0]) && chord.shift && !chord.ctrl && !chord.alt) return std::nullopt;
  chord.key = key_by_name(text == "+" ? "=" : text);
  if (chord.key == ImGuiKey_None) return std::nullopt;
  return chord;
}

std::string to_string(const KeyChord& chord) {
  std::string text;
  if (chord.ctrl) text += "Ctrl+";
  if (chord.shift) text += "Shift+";
  if (chord.alt) text += "Alt+";
  return chord.is_character() ? text + static_cast<char>(chord.character) : text + name_of_key(chord.key);
}

bool chord_pressed(const KeyChord& chord, bool repeat) {
  const ImGuiIO& io = ImGui::GetIO();
  if (chord.is_character()) return !io.KeyCtrl && io.InputQueueCharacters.contains(chord.character);
  if (chord.key == ImGuiKey_None || !modifiers_match(chord, false)) return false;
  const ImGuiKey twin = keypad_twin(chord.key);
  return ImGui::IsKeyPressed(chord.key, repeat) || (twin != ImGuiKey_None && ImGui::IsKeyPressed(twin, repeat));
}

bool chord_down(const KeyChord& chord) {
  if (chord.is_character() || chord.key == ImGuiKey_None) return false;
  return modifiers_match(chord, true) && ImGui::IsKeyDown(chord.key);
}

}  // namespace warpscope::ui
