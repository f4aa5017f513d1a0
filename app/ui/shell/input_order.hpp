#pragma once
// Keys typed faster than frames come, in the order in which they were meant. Where a frame takes 50 ms, on a remote
// display or without a GPU, ordinary typing puts several presses into one, and ImGui (1.90) then
//   - takes "Ctrl down, Enter down, Ctrl up" as Enter without Ctrl: what changes a modifier waits for the next frame;
//   - gives "/" and the "n" after it to the commands alike: without a text field each press has a frame of its own;
//   - drops what is typed in the frame in which a field gets the keyboard: it is held until the next.

namespace warpscope::ui {

/// ImGui::NewFrame(), with the input queue of the current context cut as said.
void new_frame_in_order();

}  // namespace warpscope::ui
