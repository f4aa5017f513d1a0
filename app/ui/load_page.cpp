#include "app/ui/load_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/commands.hpp"
#include "app/ui/load_words.hpp"
#include "app/ui/messages.hpp"
#include "app/ui/session.hpp"
#include "app/ui/settings.hpp"
#include "app/ui/top_bar.hpp"
#include "app/ui/widgets.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kContentWidth = 760;

constexpr const char* kRecording =
    "from torch.profiler import profile, tensorboard_trace_handler\n"
    "with profile(on_trace_ready=tensorboard_trace_handler(\"traces\")):\n"
    "    train_some_steps()";

void section_title(const AppContext& context, std::string_view words) {
  ImGui::Dummy({0, context.px(16)});
  text_muted(words);
  ImGui::Dummy({0, context.px(2)});
}

constexpr float kFileRow = 26;

/// Text in the middle of a row of a table, at the left or right of its cell.
void cell(const AppContext& context, const std::string& words, scene::Color color, bool right = false) {
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string shown = fit_text(words, width);
  const float x = right ? std::max(0.0f, width - ImGui::CalcTextSize(shown.c_str()).x) : 0.0f;
  const float y = std::floor((context.px(kFileRow) - ImGui::GetFontSize()) / 2) - ImGui::GetStyle().CellPadding.y;
  ImGui::SetCursorPos({ImGui::GetCursorPosX() + x, ImGui::GetCursorPosY() + y});
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  text(shown);
  ImGui::PopStyleColor();
  if (shown != words && ImGui::IsItemHovered()) tooltip(context, words);
}

}  // namespace

Icon LoadPage::icon() const { return Icon::load; }

std::span<const Gesture> LoadPage::gestures() const {
  static constexpr std::array<Gesture, 1> kGestures = {{{"Open a directory or a file", "drop it on the window"}}};
  return kGestures;
}

void LoadPage::draw(AppContext& context) {
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::min(px(kContentWidth), room.x - px(48));
  const float left = std::max(px(24), std::floor((room.x - width) / 2));
  files_ = files_done_ = 0;
  states_.clear();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  ImGui::BeginChild("##load", {width, room.y}, 0, ImGuiWindowFlags_NoBackground);
  ImGui::Dummy({0, px(24)});
  if (context.session.is_open() || !context.session.making().empty()) {
    draw_current(context);
  } else {
    ImGui::PushFont(context.fonts.heading);
    text("Open a trace");
    ImGui::PopFont();
    ImGui::PushTextWrapPos(0);
    text_muted(
        "A directory with the traces of one job, one file for each rank (.json, .json.gz, .json.zst). "
        "Folders in it are searched too.");
    ImGui::PopTextWrapPos();
    ImGui::Dummy({0, px(8)});
    draw_open(context);
    draw_recents(context);
    draw_recording(context);
  }
  ImGui::EndChild();
}

void LoadPage::draw_open(AppContext& context) const {
  const Metrics& px = context.px;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(16), px(6)));
  if (primary_button(context, "Open directory…")) context.commands.run("file.open");
  if (ImGui::IsItemHovered())
    tooltip(context, "Choose a directory or a file", {}, context.commands.keys_text("file.open", 1));
  if (context.commands.find("file.open-demo") != nullptr) {
    ImGui::SameLine();
    if (ImGui::Button("Open the demo trace")) context.commands.run("file.open-demo");
    if (ImGui::IsItemHovered()) tooltip(context, "A small made-up job, to look around in");
  }
  ImGui::PopStyleVar();
  ImGui::SameLine(0, px(16));
  text_muted("or drop it here");
}

void LoadPage::draw_recents(AppContext& context) const {
  std::vector<std::string>& recents = context.settings.recents;
  if (recents.empty()) return;
  const Metrics& px = context.px;
  section_title(context, "Recent");
  std::size_t removed = recents.size();
  const float height = px(28);
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (std::size_t i = 0; i < recents.size(); ++i) {
    const std::filesystem::path path = std::filesystem::path(recents[i]).lexically_normal();
    const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorPos();
    const ImVec2 screen = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##recent", false, ImGuiSelectableFlags_AllowOverlap, {width, height})) {
      context.commands.run("file.open-recent-" + std::to_string(i + 1));
    }
    const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenOverlapped);
    const float text_y = screen.y + std::floor((height - ImGui::GetFontSize()) / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_icon(list, Icon::folder, {screen.x + px(4), screen.y + px(6)}, px(16), context.theme.muted);
    const std::string shown = fit_text(name, px(240));
    list.AddText({screen.x + px(28), text_y}, context.theme.text, shown.c_str());
    const std::string where = fit_text_end(path.parent_path().string(), width - px(300) - px(36));
    list.AddText({screen.x + px(300), text_y}, context.theme.muted, where.c_str());
    if (hovered) {
      ImGui::SetCursorPos({at.x + width - px(28), at.y + px(2)});
      if (icon_button(context, "##remove", Icon::close, "Remove from the list")) removed = i;
    }
    ImGui::SetCursorPos({at.x, at.y + height});
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({0, 0});
  if (removed < recents.size()) recents.erase(recents.begin() + static_cast<std::ptrdiff_t>(removed));
}

void LoadPage::draw_recording(AppContext& context) const {
  const Metrics& px = context.px;
  section_title(context, "Record one with PyTorch");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(context.fonts.mono);
  const float height = ImGui::CalcTextSize(kRecording).y + px(24);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, context.theme.panel, px(4));
  list.AddRect(at, {at.x + width, at.y + height}, context.theme.line, px(4), 0, px(1));
  list.PushClipRect(at, {at.x + width, at.y + height}, true);
  list.AddText({at.x + px(12), at.y + px(12)}, context.theme.text, kRecording);
  list.PopClipRect();
  ImGui::PopFont();
  const ImVec2 start = ImGui::GetCursorPos();
  const float button = ImGui::CalcTextSize("Copy").x + px(16);
  ImGui::SetCursorPos({start.x + width - button - px(8), start.y + px(8)});
  if (ImGui::Button("Copy")) {
    ImGui::SetClipboardText(kRecording);
    context.messages.info("Copied", context.now);
  }
  ImGui::SetCursorPos(start);
  ImGui::Dummy({width, height});
}

void LoadPage::draw_current(AppContext& context) {
  const Metrics& px = context.px;
  const Session& session = context.session;
  const LoadProgress& progress = session.progress();
  ImGui::PushFont(context.fonts.heading);
  text(session.making().empty() ? session.name() : session.making());
  ImGui::PopFont();
  if (!session.making().empty()) {
    text_muted("This takes a moment");
    ImGui::Dummy({0, px(8)});
    progress_bar(context, -1, ImGui::GetContentRegionAvail().x, px(6));
    return;
  }
  text_fitted(context, session.path().string(), ImGui::GetContentRegionAvail().x, context.theme.muted);
  ImGui::Dummy({0, px(8)});
  if (progress.error) {
    ImGui::PushTextWrapPos(0);
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.error);
    text(sentence(progress.error->what));
    ImGui::PopStyleColor();
    if (!progress.error->where.empty()) text_muted(progress.error->where);
    if (!progress.error->advice.empty()) text(sentence(progress.error->advice));
    ImGui::PopTextWrapPos();
  } else if (progress.awaiting) {
    draw_awaiting(context);
  } else {
    const bool known = progress.total > 0;
    std::string state = load_state_text(progress);
    if (const std::string facts = profile_facts(context); !facts.empty()) state += " · " + facts;
    text(state);
    if (progress.running) {
      ImGui::Dummy({0, px(4)});
      progress_bar(context, known ? progress.fraction() : -1, ImGui::GetContentRegionAvail().x, px(6));
      if (progress.expected)
        text_fitted(context, describe(*progress.expected), ImGui::GetContentRegionAvail().x, context.theme.muted);
    } else if (progress.keeping) {
      text_muted("Being kept, so that it opens at once next time");
    }
    if (const std::string memory = memory_text(progress, session.profile() ? session.profile()->resident_bytes() : 0);
        !memory.empty())
      text_fitted(context, memory, ImGui::GetContentRegionAvail().x, context.theme.muted);
  }
  ImGui::Dummy({0, px(8)});
  if (session.profile()) {
    if (primary_button(context, "Show the timeline")) context.show_page("timeline");
    ImGui::SameLine();
  }
  if (progress.running) {
    if (ImGui::Button("Stop loading")) context.commands.run("file.cancel");
  } else {
    if (ImGui::Button(progress.watching ? "Stop watching" : "Watch")) context.commands.run("file.watch");
    if (ImGui::IsItemHovered())
      tooltip(context, progress.watching ? "Take in no more files" : "Take in files that appear and grow", {},
              context.commands.keys_text("file.watch", 1));
    ImGui::SameLine();
    if (ImGui::Button("Reload")) context.commands.run("file.reload");
  }
  ImGui::SameLine();
  if (ImGui::Button("Close")) context.commands.run("file.close");
  ImGui::SameLine();
  if (ImGui::Button("Open another…")) context.commands.run("file.open");
  draw_files(context);
}

void LoadPage::draw_awaiting(const AppContext& context) const {
  const Session& session = context.session;
  text_fitted(context, "Waiting for traces in " + session.path().string() + "…", ImGui::GetContentRegionAvail().x,
              context.theme.text);
  ImGui::PushTextWrapPos(0);
  text_muted(session.progress().away
                 ? "It is not there yet, or cannot be read. It is looked for until it is there; check the path if it "
                   "should be there already."
                 : "PyTorch profiler traces (.json, .json.gz, .json.zst) are looked for, in its folders too, and shown "
                   "when they come.");
  ImGui::PopTextWrapPos();
}

void LoadPage::draw_files(AppContext& context) {
  const std::vector<FileProgress>& files = context.session.progress().files;
  files_ = files.size();
  files_done_ = static_cast<std::size_t>(
      std::ranges::count_if(files, [](const FileProgress& file) { return file.state == FileState::done; }));
  if (files.empty()) return;
  const Metrics& px = context.px;
  section_title(context,
                format_count(static_cast<std::int64_t>(files.size())) + (files.size() == 1 ? " file" : " files"));
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH;
  if (!ImGui::BeginTable("##files", 3, kFlags, {0, ImGui::GetContentRegionAvail().y - px(16)})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("File", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, px(88));
  ImGui::TableSetupColumn("State", ImGuiTableColumnFlags_WidthFixed, px(248));
  const Theme& theme = context.theme;
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers, px(kFileRow));
  for (int column = 0; column < 3; ++column) {
    ImGui::TableNextColumn();
    cell(context, ImGui::TableGetColumnName(column), theme.muted, column == 1);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(files.size()), px(kFileRow));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FileProgress& file = files[static_cast<std::size_t>(i)];
      ImGui::TableNextRow(0, px(kFileRow));
      ImGui::TableNextColumn();
      cell(context, file.name, theme.text);
      ImGui::TableNextColumn();
      ImGui::PushFont(context.fonts.mono);
      cell(context, format_bytes(static_cast<std::int64_t>(file.total)), theme.text, true);
      ImGui::PopFont();
      ImGui::TableNextColumn();
      if (file.state == FileState::reading && file.total > 0) {
        const ImVec2 at = ImGui::GetCursorPos();
        ImGui::SetCursorPos({at.x + px(104), at.y + px(8)});
        progress_bar(context, static_cast<double>(file.done) / static_cast<double>(file.total),
                     ImGui::GetContentRegionAvail().x, px(6));
        ImGui::SetCursorPos(at);
      }
      const bool nothing = file.state == FileState::passed_over && !file.growing;
      states_.push_back(file_state_text(file));
      cell(context, states_.back(), nothing ? theme.error : theme.muted);
    }
  }
  ImGui::EndTable();
}

void LoadPage::write_state(JsonWriter& writer) const {
  writer.member("files", files_);
  writer.member("files_done", files_done_);
  writer.key("states");  // of those in view
  writer.begin_array();
  for (const std::string& state : states_) writer.value(state);
  writer.end_array();
}

}  // namespace warpscope::ui
