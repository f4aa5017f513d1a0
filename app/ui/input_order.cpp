#include "app/ui/input_order.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace warpscope::ui {
namespace {

bool is_modifier(ImGuiKey key) {
  return (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) || key == ImGuiMod_Ctrl || key == ImGuiMod_Shift ||
         key == ImGuiMod_Alt || key == ImGuiMod_Super;
}

/// How many events may go into one frame.
int count_for_frame(const ImVector<ImGuiInputEvent>& queue) {
  bool pressed = false;
  for (int i = 0; i < queue.Size; ++i) {
    if (queue[i].Type != ImGuiInputEventType_Key) continue;
    if (is_modifier(queue[i].Key.Key)) {
      if (pressed) return i;
    } else if (queue[i].Key.Down) {
      pressed = true;
    }
  }
  return queue.Size;
}

}  // namespace

void new_frame_in_order() {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  ImVector<ImGuiInputEvent> later;
  const int now = count_for_frame(queue);
  for (int i = now; i < queue.Size; ++i) later.push_back(queue[i]);
  queue.resize(now);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : later) queue.push_back(event);  // behind what ImGui itself left for later
}

}  // namespace warpscope::ui
