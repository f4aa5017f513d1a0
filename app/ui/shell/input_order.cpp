#include "app/ui/shell/input_order.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace warpscope::ui {
namespace {

bool is_modifier(ImGuiKey key) {
  return (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) || key == ImGuiMod_Ctrl || key == ImGuiMod_Shift ||
         key == ImGuiMod_Alt || key == ImGuiMod_Super;
}

bool is_typing(const ImGuiInputEvent& event) {
  return event.Type == ImGuiInputEventType_Key || event.Type == ImGuiInputEventType_Text;
}

/// Returns the number of events for the next frame. `typing`: a text field has focus and accepts any number of presses.
/// Otherwise each press gets its own frame, because a command may focus a field meant to receive the next press.
int count_for_frame(const ImVector<ImGuiInputEvent>& queue, bool typing) {
  bool pressed = false;
  for (int i = 0; i < queue.Size; ++i) {
    if (queue[i].Type == ImGuiInputEventType_MouseWheel) pressed = true;  // Ctrl+wheel is also a chord
    if (queue[i].Type != ImGuiInputEventType_Key) continue;
    if (is_modifier(queue[i].Key.Key)) {
      if (pressed) return i;
    } else if (queue[i].Key.Down) {
      if (pressed && !typing) return i;
      pressed = true;
    }
  }
  return queue.Size;
}

/// True if SetKeyboardFocusHere() was called in the last frame. The field then activates in this frame and drops typed
/// text.
bool field_wakes_up(const ImGuiContext& context) {
  return context.NavMoveSubmitted && (context.NavMoveFlags & ImGuiNavMoveFlags_FocusApi) != 0;
}

}  // namespace

void new_frame_in_order() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  const int count = count_for_frame(queue, context.IO.WantTextInput);
  const bool hold_typing = field_wakes_up(context);
  ImVector<ImGuiInputEvent> now;
  ImVector<ImGuiInputEvent> later;
  for (int i = 0; i < queue.Size; ++i)
    (i < count && !(hold_typing && is_typing(queue[i])) ? now : later).push_back(queue[i]);
  queue.swap(now);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : later) queue.push_back(event);  // after events that ImGui itself deferred
}

}  // namespace warpscope::ui
