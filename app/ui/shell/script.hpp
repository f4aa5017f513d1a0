#pragma once
// A user's hands as text, for tests and pictures: "key:w*10;drag:1000,600,800,600;click:140,55;type:Stream;wait:5".
// A script is played into ImGui's event queue frame by frame, so what it does takes the same way as real input.
//
//   move:X,Y              the pointer, in output px           click:X,Y[,BUTTON]    also double:X,Y
//   drag:X,Y,X,Y[,BUTTON] press, move in steps, release       wheel:N or wheel:X,Y  notches, up and left positive
//   key:CHORD[*N]         taps: key:Ctrl+Shift+P, key:w*10    hold:CHORD,FRAMES     a key held down
//   press:MOD release:MOD Ctrl, Shift or Alt over other steps type:TEXT             into what has the keyboard
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

/// One event of the input queue; which fields count depends on the kind.
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

/// The events that happen before each frame, in order.
struct Script {
  std::vector<std::vector<InputEvent>> frames;
};

/// Where the error is: the step, as written.
[[nodiscard]] Result<Script> parse_script(std::string_view text);

/// Puts an event into the queue. settle, run, open and drop are the player's own business and ignored here.
void feed(ImGuiIO& io, const InputEvent& event);

}  // namespace warpscope::ui
