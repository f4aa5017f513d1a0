#include "app/ui/model/key_bindings.hpp"

#include <imgui.h>

#include <algorithm>

#include "app/ui/model/commands.hpp"

namespace warpscope::ui {
namespace {

void keep(KeyBindings& bindings, const CommandTable& commands, std::string_view id, const std::vector<KeyChord>& keys) {
  if (keys == commands.default_keys(id))
    bindings.erase(std::string(id));
  else
    bindings[std::string(id)] = keys_text(keys);
}

/// Returns the current keys, including bindings not applied yet, because two may be added in one frame.
std::vector<KeyChord> keys_of(const KeyBindings& bindings, const CommandTable& commands, std::string_view id) {
  const auto bound = bindings.find(std::string(id));
  const auto keys = bound == bindings.end() ? std::nullopt : parse_keys(bound->second);
  return keys ? *keys : commands.default_keys(id);
}

bool is_sign(ImWchar c) {
  return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z');
}

}  // namespace

std::string keys_text(const std::vector<KeyChord>& keys) {
  std::string text;
  for (const KeyChord& chord : keys) text += (text.empty() ? "" : " ") + to_string(chord);
  return text.empty() ? "none" : text;
}

std::optional<std::vector<KeyChord>> parse_keys(std::string_view text) {
  std::vector<KeyChord> keys;
  if (text == "none") return keys;
  while (!text.empty() && keys.size() < kMostChords) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (const auto chord = parse_chord(text.substr(0, end)); chord && std::ranges::count(keys, *chord) == 0)
      keys.push_back(*chord);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return keys.empty() ? std::nullopt : std::optional(std::move(keys));
}

void apply_bindings(CommandTable& commands, const KeyBindings& bindings) {
  std::vector<std::pair<std::string, std::vector<KeyChord>>> wanted;
  for (const Command& command : commands.all()) {
    const auto bound = bindings.find(command.id);
    auto keys = bound == bindings.end() ? std::nullopt : parse_keys(bound->second);
    if (!keys) keys = commands.default_keys(command.id);
    if (*keys != command.keys) wanted.emplace_back(command.id, std::move(*keys));
  }
  for (auto& [id, keys] : wanted) commands.set_keys(id, std::move(keys));
}

void add_chord(KeyBindings& bindings, const CommandTable& commands, std::string_view id, const KeyChord& chord) {
  if (commands.find(id) == nullptr) return;
  std::vector<KeyChord> keys = keys_of(bindings, commands, id);
  if (keys.size() >= kMostChords || std::ranges::count(keys, chord) > 0) return;
  keys.push_back(chord);
  keep(bindings, commands, id, keys);
}

void remove_chord(KeyBindings& bindings, const CommandTable& commands, std::string_view id, const KeyChord& chord) {
  if (commands.find(id) == nullptr) return;
  std::vector<KeyChord> keys = keys_of(bindings, commands, id);
  std::erase(keys, chord);
  keep(bindings, commands, id, keys);
}

std::vector<std::string> claimed_by(const CommandTable& commands, const Command& command, const KeyChord& chord) {
  std::vector<std::string> found;
  for (const Command& other : commands.all())
    if (other.id != command.id && fires_on(other, command, chord)) found.push_back(other.id);
  return found;
}

std::optional<KeyChord> struck_chord(bool motion) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!motion && !io.KeyCtrl && !io.KeyAlt && !io.KeySuper) {
    for (const ImWchar c : io.InputQueueCharacters)
      if (is_sign(c)) return KeyChord{ImGuiKey_None, c};
  }
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key) {
    KeyChord chord{static_cast<ImGuiKey>(key)};
    // Punctuation is handled as a typed character, unless a modifier prevents typing.
    const std::string name = to_string(chord);
    const bool sign = name.size() == 1 && is_sign(static_cast<ImWchar>(name[0]));
    if (name.empty() || (sign && !motion && !io.KeyCtrl && !io.KeyAlt && !io.KeySuper)) continue;
    if (!ImGui::IsKeyPressed(chord.key, false)) continue;
    chord.ctrl = io.KeyCtrl || io.KeySuper;
    chord.shift = io.KeyShift;
    chord.alt = io.KeyAlt;
    // Reject chords that cannot be written to the settings.
    if (const auto read_back = parse_chord(to_string(chord)); read_back) return read_back;
  }
  return std::nullopt;
}

}  // namespace warpscope::ui
