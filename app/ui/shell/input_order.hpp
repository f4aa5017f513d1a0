#pragma once
// Handles keys that are typed faster than the frame rate. At 50 ms per frame (remote display, no GPU), normal typing
// produces several key presses per frame. ImGui (1.90) then has three problems:
// - It handles "Ctrl down, Enter down, Ctrl up" as Enter without Ctrl. Fix: modifier changes wait for the next frame.
// - It passes both "/" and a following "n" to the commands. Fix: without a text field, each press gets its own frame.
// - It drops text typed in the frame in which a field gains focus. Fix: the text waits for the next frame.

namespace warpscope::ui {

/// Defers events in the current context's input queue as described above, then calls ImGui::NewFrame().
void new_frame_in_order();

}  // namespace warpscope::ui
