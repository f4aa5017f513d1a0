#include "app/ui/shell/script.hpp"

#include <cctype>
#include <optional>

#include "app/ui/model/key_chord.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/utf8.hpp"

namespace warpscope::ui {
namespace {

constexpr int kDragSteps = 6;
constexpr long kMostFrames = 100000;

using Frames = std::vector<std::vector<InputEvent>>;

std::vector<std::string> split(std::string_view text, char divider, bool escapes) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (escapes && text[i] == '\\' && i + 1 < text.size() && text[i + 1] == divider) {
      parts.back() += text[++i];
    } else if (text[i] == divider) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::optional<long> read_count(const std::string& text) {
  const auto number = parse_number<long>(text);
  return number && *number >= 0 && *number <= kMostFrames ? number : std::nullopt;
}

InputEvent key_event(ImGuiKey key, bool down) { return {.kind = InputKind::key, .down = down, .key = key}; }
InputEvent move_event(float x, float y) { return {.kind = InputKind::move, .x = x, .y = y}; }
InputEvent character_event(unsigned character) { return {.kind = InputKind::character, .character = character}; }
InputEvent text_event(InputKind kind, std::string text) { return {.kind = kind, .text = std::move(text)}; }

void add_modifiers(std::vector<InputEvent>& frame, const KeyChord& chord, bool down) {
  if (chord.ctrl) frame.push_back(key_event(ImGuiMod_Ctrl, down));
  if (chord.shift) frame.push_back(key_event(ImGuiMod_Shift, down));
  if (chord.alt) frame.push_back(key_event(ImGuiMod_Alt, down));
}

/// Returns the character that a keyboard would send for the key; 0 if none.
unsigned typed_by(const KeyChord& chord) {
  if (chord.ctrl || chord.alt) return 0;
  if (chord.key == ImGuiKey_Space) return ' ';
  if (chord.key >= ImGuiKey_0 && chord.key <= ImGuiKey_9) return static_cast<unsigned>('0' + (chord.key - ImGuiKey_0));
  if (chord.key >= ImGuiKey_A && chord.key <= ImGuiKey_Z) {
    return static_cast<unsigned>((chord.shift ? 'A' : 'a') + (chord.key - ImGuiKey_A));
  }
  return 0;
}

void add_key(Frames& frames, const KeyChord& chord, long held_frames) {
  if (chord.is_character()) {
    frames.push_back({character_event(chord.character)});
    return;
  }
  std::vector<InputEvent> down;
  add_modifiers(down, chord, true);
  down.push_back(key_event(chord.key, true));
  if (const unsigned typed = typed_by(chord)) down.push_back(character_event(typed));
  frames.push_back(std::move(down));
  for (long i = 1; i < held_frames; ++i) frames.emplace_back();
  std::vector<InputEvent> up{key_event(chord.key, false)};
  add_modifiers(up, chord, false);
  frames.push_back(std::move(up));
}

std::optional<int> read_button(const std::string& word) {
  if (word == "left") return 0;
  if (word == "right") return 1;
  if (word == "middle") return 2;
  return std::nullopt;
}

/// Arguments of a pointer step: numbers and an optional button name.
struct Pointer {
  std::vector<float> numbers;
  int button = 0;
};

std::optional<Pointer> read_pointer(const std::string& argument, std::size_t count) {
  std::vector<std::string> words = split(argument, ',', false);
  Pointer pointer;
  if (words.size() == count + 1) {
    const auto button = read_button(words.back());
    if (!button) return std::nullopt;
    pointer.button = *button;
    words.pop_back();
  }
  if (words.size() != count) return std::nullopt;
  for (const std::string& word : words) {
    const auto number = parse_number<float>(word);
    if (!number) return std::nullopt;
    pointer.numbers.push_back(*number);
  }
  return pointer;
}

bool add_pointer_step(Frames& frames, const std::string& verb, const std::string& argument) {
  const auto pointer = read_pointer(argument, verb == "drag" ? 4 : 2);
  if (!pointer) return false;
  const std::vector<float>& at = pointer->numbers;
  frames.push_back({move_event(at[0], at[1])});
  if (verb == "move") return true;
  const auto press = [&](bool down) {
    frames.push_back({InputEvent{.kind = InputKind::button, .button = pointer->button, .down = down}});
  };
  press(true);
  for (int i = 1; verb == "drag" && i <= kDragSteps; ++i) {
    const float share = static_cast<float>(i) / kDragSteps;
    frames.push_back({move_event(at[0] + (at[2] - at[0]) * share, at[1] + (at[3] - at[1]) * share)});
  }
  press(false);
  if (verb == "double") {
    press(true);
    press(false);
  }
  return true;
}

bool add_wheel(Frames& frames, const std::string& argument) {
  const auto both = read_pointer(argument, 2);
  const auto one = parse_number<float>(argument);
  if (!both && !one) return false;
  float x = both ? both->numbers[0] : 0;
  float y = both ? both->numbers[1] : *one;
  // One notch per frame, like a wheel.
  while (x != 0 || y != 0) {
    const auto notch = [](float& rest) {
      const float now = rest > 1 ? 1 : rest < -1 ? -1 : rest;
      rest -= now;
      return now;
    };
    const float dx = notch(x);
    const float dy = notch(y);
    frames.push_back({InputEvent{.kind = InputKind::wheel, .x = dx, .y = dy}});
  }
  return true;
}

bool add_key_step(Frames& frames, const std::string& verb, std::string argument) {
  long times = 1;
  const char divider = verb == "key" ? '*' : ',';
  if (const std::size_t at = argument.rfind(divider); at != std::string::npos && at > 0 && at + 1 < argument.size()) {
    const auto count = read_count(argument.substr(at + 1));
    if (!count) return false;
    times = *count;
    argument.resize(at);
  }
  const auto chord = parse_chord(argument);
  if (!chord) return false;
  if (verb == "hold") {
    add_key(frames, *chord, times);
  } else {
    for (long i = 0; i < times; ++i) add_key(frames, *chord, 1);
  }
  return true;
}

bool add_modifier_step(Frames& frames, const std::string& verb, const std::string& argument) {
  const ImGuiKey key = argument == "Ctrl"    ? ImGuiMod_Ctrl
                       : argument == "Shift" ? ImGuiMod_Shift
                       : argument == "Alt"   ? ImGuiMod_Alt
                                             : ImGuiKey_None;
  if (key == ImGuiKey_None) return false;
  frames.push_back({key_event(key, verb == "press")});
  return true;
}

void add_text(Frames& frames, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    frames.push_back({character_event(next_code_point(text, at))});
  }
}

bool add_step(Frames& frames, const std::string& step) {
  const std::size_t colon = step.find(':');
  const std::string verb = step.substr(0, colon);
  const std::string argument = colon == std::string::npos ? std::string() : step.substr(colon + 1);
  if (verb == "settle") {
    frames.push_back({InputEvent{.kind = InputKind::settle}});
    return argument.empty();
  }
  if (argument.empty()) return false;
  if (verb == "move" || verb == "click" || verb == "double" || verb == "drag") {
    return add_pointer_step(frames, verb, argument);
  }
  if (verb == "wheel") return add_wheel(frames, argument);
  if (verb == "key" || verb == "hold") return add_key_step(frames, verb, argument);
  if (verb == "press" || verb == "release") return add_modifier_step(frames, verb, argument);
  if (verb == "type") return add_text(frames, argument), true;
  if (verb == "run") return frames.push_back({text_event(InputKind::run, argument)}), true;
  if (verb == "drop") return frames.push_back({text_event(InputKind::drop, argument)}), true;
  if (verb == "open") return frames.push_back({text_event(InputKind::open, argument)}), true;
  if (verb == "wait") {
    const auto count = read_count(argument);
    if (count) frames.resize(frames.size() + static_cast<std::size_t>(*count));
    return count.has_value();
  }
  return false;
}

}  // namespace

Result<Script> parse_script(std::string_view text) {
  Script script;
  for (std::string step : split(text, ';', true)) {
    while (!step.empty() && std::isspace(static_cast<unsigned char>(step.front()))) step.erase(0, 1);
    if (step.empty()) continue;
    if (!add_step(script.frames, step)) {
      return Error{
          step, "unknown script step",
          "use move, click, double, drag, wheel, key, hold, press, release, type, wait, settle, run, open or drop"};
    }
  }
  return script;
}

void feed(ImGuiIO& io, const InputEvent& event) {
  switch (event.kind) {
    case InputKind::move:
      io.AddMousePosEvent(event.x, event.y);
      break;
    case InputKind::button:
      io.AddMouseButtonEvent(event.button, event.down);
      break;
    case InputKind::wheel:
      io.AddMouseWheelEvent(event.x, event.y);
      break;
    case InputKind::key:
      io.AddKeyEvent(event.key, event.down);
      break;
    case InputKind::character:
      io.AddInputCharacter(event.character);
      break;
    case InputKind::settle:
    case InputKind::run:
    case InputKind::open:
    case InputKind::drop:
      break;
  }
}

}  // namespace warpscope::ui
