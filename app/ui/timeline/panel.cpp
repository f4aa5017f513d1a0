#include "app/ui/timeline/panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/messages.hpp"
#include "app/ui/timeline/connections_panel.hpp"
#include "app/ui/timeline/diagnostics_panel.hpp"
#include "app/ui/timeline/range_panel.hpp"
#include "app/ui/timeline/selection_panel.hpp"
#include "app/ui/widgets.hpp"
#include "core/analysis/slice_details.hpp"

namespace warpscope::ui {

std::vector<std::unique_ptr<Panel>> make_panels(AppContext& /*app*/) {
  std::vector<std::unique_ptr<Panel>> panels;
  panels.push_back(std::make_unique<SelectionPanel>());
  panels.push_back(std::make_unique<ConnectionsPanel>());
  panels.push_back(std::make_unique<RangePanel>());
  panels.push_back(std::make_unique<DiagnosticsPanel>());
  return panels;
}

void panel_empty(const AppContext& app, std::string_view what, std::string_view how) {
  ImGui::Dummy({0, app.px(8)});
  ImGui::Indent(app.px(8));
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::min(app.px(640), ImGui::GetContentRegionAvail().x - app.px(8)));
  text(what);
  text_muted(how);
  ImGui::PopTextWrapPos();
  ImGui::Unindent(app.px(8));
}

void selectable_text(const AppContext& app, const char* id, std::string_view words, float width, bool mono) {
  // A read-only field without a frame. ImGui takes a buffer to write to, though it never does here.
  std::string buffer(words);
  if (mono) ImGui::PushFont(app.fonts.mono);
  // As high as a line of the interface's face, and a pixel more at either side: descenders are not cut.
  const float slack = app.fonts.ui != nullptr ? std::max(0.0f, app.fonts.ui->FontSize - ImGui::GetFontSize()) : 0.0f;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, app.px(1) + std::floor(slack / 2 + 0.5f)));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, IM_COL32_BLACK_TRANS);
  ImGui::SetNextItemWidth(width);
  ImGui::PushID(id);
  ImGui::InputText("##words", buffer.data(), buffer.size() + 1, ImGuiInputTextFlags_ReadOnly);
  ImGui::PopID();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  if (mono) ImGui::PopFont();
}

void copy_text(const AppContext& app, std::string_view words) {
  ImGui::SetClipboardText(std::string(words).c_str());
  app.messages.info("Copied", app.now);
}

std::string track_path(const trace::Profile& profile, trace::SliceRef slice) {
  std::string path = analysis::track_name(profile, slice);
  if (profile.ranks.size() > 1) path = "rank " + std::to_string(profile.ranks[slice.rank]->number) + " · " + path;
  return path;
}

}  // namespace warpscope::ui
