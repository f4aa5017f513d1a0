#pragma once
// Ctrl+Enter, pressed and let go faster than frames come: ImGui (1.90) takes "Ctrl down, Enter down, Ctrl up" in one
// frame and then shows Enter as pressed without Ctrl. Where a frame takes 50 ms, on a remote display or without a GPU,
// that loses chords at ordinary typing speed. So what follows a key press in the queue waits for the next frame as soon
// as it changes a modifier.

namespace warpscope::ui {

/// ImGui::NewFrame(), with the input queue of the current context cut as said.
void new_frame_in_order();

}  // namespace warpscope::ui
