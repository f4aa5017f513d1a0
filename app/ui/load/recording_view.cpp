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

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

struct RecordingWay {
  const char* command;
  const char* command_name;
  const char* title;
  std::string (*lines)();
};

fs::path this_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

constexpr std::array kRecordingWays{
    RecordingWay{"record.copy-pytorch", "Copy code to record with PyTorch", "Record a trace with PyTorch",
                 [] {
                   return std::string(
                       "from torch.profiler import profile, tensorboard_trace_handler\n"
                       "with profile(on_trace_ready=tensorboard_trace_handler(\"traces\")):\n"
                       "    train_some_steps()");
                 }},
    RecordingWay{
        "record.copy-smprof", "Copy the command to record a SageMaker Profiler script",
        "Record a script that uses SageMaker Profiler",
        [] { return "PYTHONPATH=" + python_folder(this_program()) + " WARPSCOPE_OUT=traces python3 train.py"; }},
    RecordingWay{"record.copy-host", "Copy the command to also record host load", "Also record host load",
                 [] { return std::string("warpscope record --out traces -- python3 train.py"); }},
    RecordingWay{"record.copy-annotations", "Copy code to annotate a C or C++ program", "Annotate a C or C++ program",
                 [] {
                   return std::string(
                       "#include <warpscope_annotations.h>\n"
                       "warpscope_annotations_start(\"traces\");\n"
                       "warpscope_annotation_begin(\"step_0\");\n"
                       "warpscope_annotation_end();\n"
                       "warpscope_annotations_stop();\n"
                       "/* cc train.c -lwarpscope_annotations */");
                 }},
};

void draw_recording(AppContext& context, const RecordingWay& way) {
  const Metrics& px = context.px;
  section_title(context, way.title);
  const std::string lines = way.lines();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(context.fonts.mono);
  const float height = ImGui::CalcTextSize(lines.c_str()).y + px(24);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, context.theme.panel, px(4));
  list.AddRect(at, {at.x + width, at.y + height}, context.theme.line, px(4), 0, px(1));
  list.PushClipRect(at, {at.x + width, at.y + height}, true);
  list.AddText({at.x + px(12), at.y + px(12)}, context.theme.text, lines.c_str());
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

std::string python_folder(const fs::path& program) {
  const fs::path above = program.parent_path().parent_path();
  for (const char* const folder : {"share/warpscope/python", "assets/python"})
    if (is_there(above / folder / "smprof")) return (above / folder).string();
  return "/usr/local/share/warpscope/python";
}

void add_recording_commands(AppContext& context) {
  const CommandGroup add(context.commands, "Load", {}, {});
  for (const RecordingWay& way : kRecordingWays)
    add(way.command, way.command_name, {}, [&context, &way] { copy_text(context, way.lines()); });
}

void draw_recordings(AppContext& context) {
  for (const RecordingWay& way : kRecordingWays) draw_recording(context, way);
}

}  // namespace warpscope::ui
