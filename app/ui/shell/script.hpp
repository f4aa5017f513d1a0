#pragma once
// Input scripts for tests and screenshots: "key:w*10;drag:1000,600,800,600;click:140,55;type:Stream;wait:5". Scripts
// are fed into ImGui's event queue frame by frame, so they take the same path as real input.
//
//   move:X,Y              the pointer, in output px           click:X,Y[,BUTTON]    also double:X,Y
//   drag:X,Y,X,Y[,BUTTON] press, move in steps, release       wheel:N or wheel:X,Y  notches, up and left positive
//   key:CHORD[*N]         taps: key:Ctrl+Shift+P, key:w*10    hold:CHORD,FRAMES     holds a key down
//   press:MOD release:MOD Ctrl, Shift or Alt for other steps  type:TEXT             into the focused field
//   wait:FRAMES           draws frames                        settle                until nothing moves or loads
//   run:COMMAND           a command by its id                 open:PATH             opens a path
//   drop:PATH             as if dropped on the window
//
// Steps are separated by ";"; "\;" is a semicolon. BUTTON is left, right or middle.
#include <imgui.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope::ui {

enum class InputKind : std::uint8_t { move, button, wheel, key, character, settle, run, open, drop };

/// An event for the input queue; the kind determines which fields apply.
struct InputEvent {
  InputKind kind = InputKind::move;
  float x = 0;  ///< move: px; wheel: notches
  float y = 0;
  int button = 0;
  bool down = false;             ///< button, key
  ImGuiKey key = ImGuiKey_None;  ///< also ImGuiMod_*
  unsigned character = 0;
  std::string text{};  ///< run: command id; open, drop: path
};

/// The events to feed before each frame, in order.
struct Script {
  std::vector<std::vector<InputEvent>> frames;
};

/// Parses a script. The Error contains the invalid step as written.
[[nodiscard]] Result<Script> parse_script(std::string_view text);

/// Adds an event to the queue. Ignores settle, run, open and drop, which the player handles.
void feed(ImGuiIO& io, const InputEvent& event);

}  // namespace warpscope::ui
