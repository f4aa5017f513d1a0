#include "app/ui/settings/key_bindings_view.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/fuzzy.hpp"
#include "app/ui/model/key_bindings.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/settings/settings_rows.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kLine = 28;
constexpr float kKeysAt = 0.46f;  // fraction of the width for names

/// Returns the other commands triggered by a chord of the command, with the chord.
std::vector<std::pair<KeyChord, std::string>> conflicts_of(const CommandTable& commands, const Command& command) {
  std::vector<std::pair<KeyChord, std::string>> found;
  for (const KeyChord& chord : command.keys)
    for (std::string& other : claimed_by(commands, command, chord)) found.emplace_back(chord, std::move(other));
  return found;
}

}  // namespace

void KeyBindingsView::take_key(AppContext& context) {
  if (!recording()) return;
  if (std::exchange(fresh_, false)) return;
  const Command* command = context.commands.find(recording_);
  const bool away = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (command == nullptr || away) {
    recording_.clear();
    return;
  }
  const auto chord = struck_chord(command->continuous);
  if (!chord) return;
  const bool stop = chord->key == ImGuiKey_Escape;
  if (!stop) add_chord(context.settings.keys, context.commands, command->id, *chord);
  recording_.clear();
  ImGui::GetIO().InputQueueCharacters.resize(0);
}

void KeyBindingsView::draw_filter(AppContext& context) {
  const Metrics& px = context.px;
  const char* const reset = "Reset all shortcuts";
  const float button = ImGui::CalcTextSize(reset).x + px(24);
  ImGui::SetNextItemWidth(std::min(px(280), ImGui::GetContentRegionAvail().x - button - px(8)));
  {
    const FieldEdge edge(context);
    ImGui::InputTextWithHint("##find-command", "Find a command or shortcut", &query_);
  }
  ImGui::SameLine(ImGui::GetContentRegionMax().x - button);
  ImGui::BeginDisabled(context.settings.keys.empty());
  if (ImGui::Button(reset, {button, 0})) context.commands.run("settings.reset-keys");
  ImGui::EndDisabled();
  ImGui::Dummy({0, px(4)});
}

void KeyBindingsView::draw(AppContext& context) {
  // The page was left. Count frames instead of time, because no frames are drawn without input.
  if (ImGui::GetFrameCount() > last_drawn_ + 1) recording_.clear();
  last_drawn_ = ImGui::GetFrameCount();
  take_key(context);
  conflicts_ = 0;
  conflict_words_.clear();
  draw_filter(context);
  const float width = ImGui::GetContentRegionAvail().x;
  std::vector<const Command*> shown;
  for (const std::string_view category : context.commands.categories()) {
    shown.clear();
    for (const Command& command : context.commands.all()) {
      if (command.category != category) continue;
      const std::string words = command.category + " " + command.name + " " + context.commands.keys_text(command.id, 8);
      if (has_words(query_, words)) shown.push_back(&command);
    }
    if (shown.empty()) continue;
    ImGui::Dummy({0, context.px(4)});
    text_muted(category);
    for (const Command* command : shown) {
      ImGui::PushID(command->id.c_str());
      draw_command(context, *command, std::floor(width * kKeysAt), width);
      ImGui::PopID();
    }
  }
  ImGui::Dummy({1, 0});  // the last line ends with a cursor move, which does not grow the window
}

void KeyBindingsView::draw_command(AppContext& context, const Command& command, float left, float right) {
  const Metrics& px = context.px;
  const bool narrow = settings_narrow(context);
  const ImVec2 start = ImGui::GetCursorPos();
  const float text_y = start.y + std::floor((px(kLine) - ImGui::GetFontSize()) / 2);
  ImGui::SetCursorPos({start.x, text_y});
  text_fitted(context, command.name, (narrow ? right : left) - px(16), context.theme.text);
  float x = narrow ? px(16) : left;
  float y = narrow ? start.y + px(kLine) : start.y;
  const float from = x;
  const auto place = [&](float width) {
    if (x + width > right && x > from) {
      x = from;
      y += px(kLine);
    }
    ImGui::SetCursorPos({x, y + px(4)});
    x += width + px(8);
  };

  std::optional<KeyChord> removed;
  int index = 0;
  for (const KeyChord& chord : command.keys) {
    ImGui::PushID(index++);
    const std::string words = to_string(chord);
    const float width = key_caps_width(context, words);
    place(width);
    const ImVec2 at = ImGui::GetCursorPos();
    if (ImGui::InvisibleButton("##chord", {width, px(20)})) removed = chord;
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) tooltip(context, words, {}, "Click to remove this key");
    ImGui::SetCursorPos(at);
    key_caps(context, words, false, hovered);
    ImGui::PopID();
  }
  if (recording_ == command.id) {
    const char* words = command.continuous ? "Press a key that can be held; Esc cancels" : "Press a key; Esc cancels";
    place(ImGui::CalcTextSize(words).x);
    text(words, context.theme.accent);
  } else {
    place(px(20));
    if (ImGui::Button("+", {px(20), px(20)})) {
      recording_ = command.id;
      fresh_ = true;
    }
    if (ImGui::IsItemHovered()) tooltip(context, "Add a key: click, then press it");
  }
  if (const auto& defaults = context.commands.default_keys(command.id); command.keys != defaults) {
    const char* words = "Reset";
    const float button = ImGui::CalcTextSize(words).x + px(16);
    place(button);
    if (ImGui::Button(words, {button, px(20)})) context.settings.keys.erase(command.id);
    if (ImGui::IsItemHovered())
      tooltip(context, "Reset to " + (defaults.empty() ? std::string("no key") : keys_text(defaults)));
  }
  ImGui::SetCursorPos({start.x, y + px(kLine)});
  draw_conflicts(context, command, from);
  if (removed) remove_chord(context.settings.keys, context.commands, command.id, *removed);
}

void KeyBindingsView::draw_conflicts(AppContext& context, const Command& command, float left) {
  for (const auto& [chord, other] : conflicts_of(context.commands, command)) {
    const Command* const known = context.commands.find(other);
    if (known == nullptr) continue;
    ++conflicts_;
    const std::string words = to_string(chord) + " is already used by: " + known->name;
    conflict_words_ = words;
    ImGui::SetCursorPosX(left);
    text_wrapped(words, context.theme.warning);
    ImGui::PushID(other.c_str());
    ImGui::SetCursorPosX(left);
    if (ImGui::SmallButton("Reassign")) {
      const std::vector<KeyChord> keys = known->keys;
      for (const KeyChord& theirs : keys)
        if (theirs == chord || fires_on(command, *known, theirs))
          remove_chord(context.settings.keys, context.commands, known->id, theirs);
    }
    ImGui::PopID();
  }
}

void KeyBindingsView::write_state(JsonWriter& writer) const {
  writer.member("recording", recording_);
  writer.member("conflicts", conflicts_);
  writer.member("conflict", conflict_words_);
}

}  // namespace warpscope::ui
