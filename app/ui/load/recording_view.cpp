#include "app/ui/load/recording_view.hpp"

#include <imgui.h>

#include <array>
#include <filesystem>
#include <string>
#include <system_error>

#include "app/ui/load/start_view.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/widgets/small_controls.hpp"

namespace warpscope::ui {
namespace {

struct RecordingWay {
  const char* command;
  const char* command_name;
  const char* title;
  const char* lines;
};

constexpr std::array kRecordingWays{
    RecordingWay{"record.copy-pytorch", "Copy code to record with PyTorch", "Record a trace with PyTorch",
                 "from torch.profiler import profile, tensorboard_trace_handler\n"
                 "with profile(on_trace_ready=tensorboard_trace_handler(\"traces\")):\n"
                 "    train_some_steps()"},
    RecordingWay{"record.copy-host", "Copy the command to also record host load", "Also record host load",
                 "warpscope record --out traces -- python3 train.py"},
};

void draw_recording(AppContext& context, const RecordingWay& way) {
  const Metrics& px = context.px;
  section_title(context, way.title);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(context.fonts.mono);
  const float height = ImGui::CalcTextSize(way.lines).y + px(24);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, context.theme.panel, px(4));
  list.AddRect(at, {at.x + width, at.y + height}, context.theme.line, px(4), 0, px(1));
  list.PushClipRect(at, {at.x + width, at.y + height}, true);
  list.AddText({at.x + px(12), at.y + px(12)}, context.theme.text, way.lines);
  list.PopClipRect();
  ImGui::PopFont();
  const ImVec2 start = ImGui::GetCursorPos();
  const float button = ImGui::CalcTextSize("Copy").x + px(16);
  ImGui::SetCursorPos({start.x + width - button - px(8), start.y + px(8)});
  ImGui::PushID(way.command);
  if (ImGui::Button("Copy")) context.commands.run(way.command);
  ImGui::PopID();
  ImGui::SetCursorPos(start);
  ImGui::Dummy({width, height});
}

}  // namespace

void add_recording_commands(AppContext& context) {
  const CommandGroup add(context.commands, "Load", {}, {});
  for (const RecordingWay& way : kRecordingWays)
    add(way.command, way.command_name, {}, [&context, &way] { copy_text(context, way.lines); });
}

void draw_recordings(AppContext& context) {
  for (const RecordingWay& way : kRecordingWays) draw_recording(context, way);
}

}  // namespace warpscope::ui
