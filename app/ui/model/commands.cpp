#include "app/ui/model/commands.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace warpscope::ui {

Command& CommandTable::add(Command command) {
  const auto same = std::ranges::find(commands_, command.id, &Command::id);
  if (same == commands_.end()) {
    return commands_.emplace_back(std::move(command));
  }
  return *same = std::move(command);
}

Command& CommandTable::add(Command command, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) command.keys.push_back(parse_chord(key).value());
  return add(std::move(command));
}

void CommandTable::remove(std::string_view id) {
  std::erase_if(commands_, [id](const Command& command) { return command.id == id; });
}

std::vector<std::string_view> CommandTable::categories() const {
  std::vector<std::string_view> found;
  for (const Command& command : commands_) {
    if (std::ranges::find(found, command.category) == found.end()) found.push_back(command.category);
  }
  return found;
}

const Command* CommandTable::find(std::string_view id) const {
  const auto found = std::ranges::find(commands_, id, &Command::id);
  return found == commands_.end() ? nullptr : &*found;
}

bool CommandTable::enabled(std::string_view id) const {
  const Command* command = find(id);
  return command != nullptr && (!command->enabled || command->enabled());
}

bool CommandTable::run(std::string_view id) {
  if (!enabled(id)) return false;
  const std::function<void()> action = find(id)->action;  // copied, because the action may add commands
  if (!action) return false;
  action();
  return true;
}

std::string CommandTable::keys_text(std::string_view id, std::size_t limit) const {
  const Command* command = find(id);
  if (command == nullptr) return {};
  std::string text;
  for (std::size_t i = 0; i < command->keys.size() && i < limit; ++i) {
    if (i > 0) text += ", ";
    text += to_string(command->keys[i]);
  }
  return text;
}

void CommandTable::dispatch(std::string_view page, bool dialog_open) {
  page_ = page;
  keyboard_taken_ = dialog_open || ImGui::GetIO().WantTextInput;
  std::vector<std::string> asked;
  for (const Command& command : commands_) {
    if (command.continuous || !active(command)) continue;
    const bool pressed =
        std::ranges::any_of(command.keys, [&](const KeyChord& chord) { return chord_pressed(chord, command.repeats); });
    if (pressed) asked.push_back(command.id);
  }
  for (const std::string& id : asked) run(id);
  // The key press that ran a command must not be typed into a field that the command opens.
  if (!asked.empty() && !keyboard_taken_) ImGui::GetIO().InputQueueCharacters.resize(0);
}

Hold CommandTable::held(std::string_view id) const {
  const Command* command = find(id);
  if (command == nullptr || !command->continuous || !active(*command)) return {};
  if (command->enabled && !command->enabled()) return {};
  Hold hold;
  for (const KeyChord& chord : command->keys) {
    if (!chord_down(chord)) continue;
    hold.down = true;
    hold.fast = ImGui::GetIO().KeyShift && !chord.shift;
  }
  return hold;
}

bool CommandTable::any_held() const {
  return std::ranges::any_of(commands_,
                             [this](const Command& command) { return command.continuous && held(command.id).down; });
}

bool CommandTable::active(const Command& command) const {
  if (!command.page.empty() && command.page != page_) return false;
  return !keyboard_taken_ || command.while_typing;
}

}  // namespace warpscope::ui
