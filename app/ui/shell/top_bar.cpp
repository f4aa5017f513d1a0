#include "app/ui/shell/top_bar.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/load_words.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/progress_text.hpp"

namespace warpscope::ui {
namespace {

constexpr const char* kMainMenu = "##main-menu-items";
constexpr float kFieldHeight = FindField::kHeight;
constexpr float kLeastForNotes = 800;  // narrower bars have no space for notes

void divider(const AppContext& context) {
  const float height = context.px(20);
  ImGui::SameLine(0, context.px(12));
  ImGui::SetCursorPosY(TopBar::middle(context, height));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + context.px(1), at.y + height}, context.theme.line);
  ImGui::Dummy({context.px(1), height});
  ImGui::SameLine(0, context.px(12));
}

/// Returns what the right of the bar shows: background activity, if there is room, and the number of diagnostics.
std::vector<StatusNote> notes_of(const AppContext& context) {
  std::vector<StatusNote> notes;
  if (ImGui::GetWindowWidth() >= context.px(kLeastForNotes)) notes = context.session.status_notes();
  const auto& profile = context.session.profile();
  if (!profile) return notes;
  const auto count = std::ranges::count_if(profile->diagnostics.all(),
                                           [](const Diagnostic& one) { return one.severity != Severity::info; });
  const std::string number = format_count(count);
  if (count > 0)
    notes.push_back({number,
                     count == 1 ? "1 kind of diagnostic" : number + " kinds of diagnostics",
                     "Click to show them",
                     "information.diagnostics",
                     {},
                     true});
  return notes;
}

float width_of(const AppContext& context, const StatusNote& note) {
  return context.px(note.warning ? 36 : 16) + text_width(note.text);
}

}  // namespace

float TopBar::middle(const AppContext& context, float height) { return std::floor((context.px(kHeight) - height) / 2); }

void TopBar::draw(AppContext& context, Searcher* searcher, std::string_view page) {
  const Metrics& px = context.px;
  const float right = ImGui::GetWindowWidth() - px(12);
  const float status = status_width(context);
  const float middle_right = right - status - (status > 0 ? px(16) : 0.0f);
  draw_menu(context, page);
  draw_profile(context);
  draw_facts(context, middle_right - (searcher != nullptr ? px(FindField::kLeastWidth) : 0.0f));
  if (searcher != nullptr) divider(context);
  find_.draw(context, searcher, middle_right);
  if (status > 0) draw_status(context, right);
}

void TopBar::draw_menu(AppContext& context, std::string_view page) {
  const Metrics& px = context.px;
  ImGui::SetCursorPos({px(8), middle(context, px(24))});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (icon_button(context, "##main-menu", Icon::menu, "All commands", "", ImGui::IsPopupOpen(kMainMenu)))
    ImGui::OpenPopup(kMainMenu);
  ImGui::SetNextWindowPos({at.x, at.y + px(24) + px(6)});
  if (!begin_menu_popup(context, kMainMenu)) return;
  draw_main_menu(context, page);
  end_menu_popup();
}

void TopBar::draw_profile(AppContext& context) {
  const Metrics& px = context.px;
  const Theme& theme = context.theme;
  const Session& session = context.session;
  const std::string whole = session.is_open() ? session.name() : std::string("No trace open");
  const std::string name = fit_text(whole, px(220));
  const float height = px(kFieldHeight);
  const float width = px(24) + text_width(name) + px(28);
  ImGui::SetCursorPos({px(40), middle(context, height)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("##profile", {width, height})) ImGui::OpenPopup("##profile-menu");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool hovered = ImGui::IsItemHovered();
  if (hovered || ImGui::IsPopupOpen("##profile-menu")) {
    list.AddRectFilled(at, {at.x + width, at.y + height}, theme.raised, px(4));
  }
  if (hovered) tooltip(context, session.is_open() ? session.path().string() : "Open, reload, close");
  const float text_y = at.y + std::floor((height - ImGui::GetFontSize()) / 2);
  const ImVec2 dot{at.x + px(12), at.y + std::floor(height / 2)};
  const scene::Color dot_color = session.progress().error ? theme.error : session.is_open() ? theme.accent : theme.line;
  if (session.loading() || session.progress().awaiting) {
    list.AddCircle(dot, px(4), dot_color, 0, px(1.5f));
  } else {
    list.AddCircleFilled(dot, px(4), dot_color);
  }
  list.AddText({at.x + px(24), text_y}, session.is_open() ? theme.text : theme.muted, name.c_str());
  draw_icon(list, Icon::chevron_down, {at.x + width - px(22), at.y + std::floor((height - px(16)) / 2)}, px(16),
            theme.muted);
  ImGui::SetNextWindowPos({at.x, at.y + height + px(4)});
  if (begin_menu_popup(context, "##profile-menu")) {
    draw_profile_menu(context);
    end_menu_popup();
  }
}

void TopBar::draw_facts(const AppContext& context, float right) {
  const auto& profile = context.session.profile();
  const std::string facts = profile ? profile_facts(*profile, context.session.progress()) : std::string();
  if (facts.empty()) return;
  divider(context);
  ImGui::SetCursorPosY(middle(context, ImGui::GetTextLineHeight()));
  const float room = right - ImGui::GetCursorPosX() - context.px(24);
  if (room > context.px(40)) text_fitted(context, facts, room, context.theme.muted);
}

float TopBar::status_width(const AppContext& context) {
  float width = 0;
  for (const StatusNote& note : notes_of(context)) width += (width > 0 ? context.px(4) : 0) + width_of(context, note);
  if (context.session.loading()) width += (width > 0 ? context.px(12) : 0.0f) + context.px(96 + 8 + 48 + 24);
  return width;
}

void TopBar::draw_status(AppContext& context, float right) {
  const Metrics& px = context.px;
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = px(kFieldHeight);
  float x = right - status_width(context);
  for (const StatusNote& note : notes_of(context)) {
    const float width = width_of(context, note);
    ImGui::SetCursorPos({x, middle(context, height)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(note.command.c_str());
    if (ImGui::InvisibleButton("##note", {width, height})) context.commands.run(note.command);
    ImGui::PopID();
    if (ImGui::IsItemHovered()) {
      list.AddRectFilled(at, {at.x + width, at.y + height}, theme.raised, px(4));
      tooltip(context, note.title, note.facts);
    }
    if (note.warning)
      draw_icon(list, Icon::warning, {at.x + px(8), at.y + std::floor((height - px(16)) / 2)}, px(16), theme.warning);
    draw_text(list, {at.x + px(note.warning ? 28 : 8), at.y + std::floor((height - ImGui::GetFontSize()) / 2)},
              note.warning ? theme.text : theme.muted, note.text);
    if (note.fraction) {
      const ImVec2 line{at.x + px(8), at.y + height - px(3)};
      const float whole = width - px(16);
      list.AddRectFilled(line, {line.x + whole, line.y + px(2)}, theme.line);
      list.AddRectFilled(line, {line.x + whole * static_cast<float>(*note.fraction), line.y + px(2)}, theme.accent);
    }
    x += width + px(4);
  }
  if (!context.session.loading()) return;
  x = right - px(96 + 8 + 48 + 24);
  const LoadStatus& progress = context.session.progress();
  const bool known = progress.total > 0;
  ImGui::SetCursorPos({x, middle(context, px(6))});
  progress_bar(context, known ? progress.fraction() : -1, px(96), px(6));
  if (ImGui::IsItemHovered()) {
    tooltip(context, context.session.making().empty() ? "Loading" : context.session.making(),
            known ? progress_text(progress.done, progress.total, progress.bytes_per_second, progress.seconds_left)
                  : std::string(),
            progress.running ? context.commands.keys_text("app.escape", 1) + " stops it" : std::string());
  }
  if (known) {
    const std::string percent = std::to_string(static_cast<int>(progress.fraction() * 100)) + " %";
    const ImVec2 origin = ImGui::GetWindowPos();
    list.AddText(
        {origin.x + x + px(96 + 8 + 44) - text_width(percent), origin.y + middle(context, ImGui::GetTextLineHeight())},
        theme.muted, percent.c_str());
  }
  ImGui::SetCursorPos({right - px(24), middle(context, px(24))});
  ImGui::BeginDisabled(!context.session.progress().running);
  if (icon_button(context, "##cancel", Icon::close, "Stop loading", "app.escape")) context.session.cancel();
  ImGui::EndDisabled();
}

}  // namespace warpscope::ui
