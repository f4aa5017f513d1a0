#include "app/ui/shell/find_field.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/shell/top_bar.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kCountWidth = 112;  // space for "1 234 of 12 345" after the field

std::string search_text(const SearchStatus& status) {
  if (!status.error.empty()) return "?";
  const std::string count = format_count(static_cast<std::int64_t>(status.count)) + (status.running ? "+" : "");
  if (status.count == 0) return status.running ? "…" : "none";
  if (status.current == 0) return count;
  return format_count(static_cast<std::int64_t>(status.current)) + " of " + count;
}

}  // namespace

void FindField::draw(AppContext& context, Searcher* searcher, float right) {
  bind(searcher);
  if (searcher != nullptr)
    draw_field(context, *searcher, right);
  else
    finding_ = focus_ = false;
}

void FindField::draw_field(AppContext& context, Searcher& searcher, float right) {
  const Metrics& px = context.px;
  const SearchStatus status = query_.empty() ? SearchStatus{} : searcher.status();
  const std::string count = query_.empty() ? std::string() : search_text(status);
  const float count_width = px(kCountWidth);
  const float tools = count_width + px(24) * 3;
  const float room = right - ImGui::GetCursorPosX();
  const float field = std::clamp(room - tools, px(80), px(400));
  const float start_x = ImGui::GetCursorPosX();
  ImGui::SetCursorPosY(TopBar::middle(context, px(kHeight)));

  if (focus_) focus_next_item();
  focus_ = false;
  const std::string before = query_;
  const std::string hint = std::string(searcher.hint()) + "  (" + context.commands.keys_text("find.focus", 1) + ")";
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(8), std::floor((px(kHeight) - ImGui::GetFontSize()) / 2)));
  if (!status.error.empty()) ImGui::PushStyleColor(ImGuiCol_Text, context.theme.error);
  ImGui::SetNextItemWidth(field);
  ImGui::InputTextWithHint("##find", hint.c_str(), &query_, ImGuiInputTextFlags_AutoSelectAll);
  if (!status.error.empty()) ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  finding_ = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Escape, false))
    query_ = before;  // Esc only leaves the field
  const bool entered =
      ImGui::IsItemDeactivated() && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
  if (!status.error.empty() && (ImGui::IsItemHovered() || finding_)) tooltip(context, status.error);
  if (query_ != before) {
    step_wanted_ = 0;
    searcher.search(query_);
  }
  if (entered) {
    focus_ = true;  // Enter again steps to the next match
    if (ImGui::GetIO().KeyCtrl && searcher.can_filter() && !query_.empty()) {
      searcher.add_filter(query_);
      clear(&searcher);
    } else if (!query_.empty() && status.current > 0 && !ImGui::GetIO().KeyShift && searcher.enter()) {
      focus_ = false;
    } else if (!query_.empty()) {
      step_wanted_ = ImGui::GetIO().KeyShift ? -1 : 1;
    }
  }
  if (step_wanted_ != 0) {
    const SearchStatus now = searcher.status();
    if (now.count > 0) searcher.step(step_wanted_);
    if (now.count > 0 || !now.running) step_wanted_ = 0;
  }
  if (!count.empty()) {
    const std::string shown = fit_text(count, count_width - px(16));
    ImGui::SetCursorPos({start_x + field + px(8), TopBar::middle(context, ImGui::GetTextLineHeight())});
    text(shown, status.error.empty() ? context.theme.muted : context.theme.error);
    if (!status.error.empty() && ImGui::IsItemHovered()) tooltip(context, status.error);
    ImGui::SetCursorPos({start_x + field + count_width, TopBar::middle(context, px(24))});
    ImGui::BeginDisabled(status.count == 0);
    if (icon_button(context, "##previous", Icon::chevron_up, "Previous", "find.previous")) searcher.step(-1);
    ImGui::SameLine(0, 0);
    if (icon_button(context, "##next", Icon::chevron_down, "Next", "find.next")) searcher.step(1);
    ImGui::EndDisabled();
    ImGui::SameLine(0, 0);
    if (icon_button(context, "##clear", Icon::close, "Clear")) clear(&searcher);
  }
  draw_chips(context, searcher, right);
}

void FindField::draw_chips(const AppContext& context, Searcher& searcher, float right) {
  if (!searcher.can_filter()) return;
  const Metrics& px = context.px;
  const std::vector<std::string> filters = searcher.filters();
  const float height = px(24);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    ImGui::SameLine(0, px(8));
    const float x = ImGui::GetCursorPosX();
    const std::string name = fit_text(filters[i], px(160));
    const float width = ImGui::CalcTextSize(name.c_str()).x + px(8) + px(24);
    ImGui::SetCursorPosY(TopBar::middle(context, height));
    if (x + width > right) {
      ImGui::SetCursorPosY(TopBar::middle(context, ImGui::GetTextLineHeight()));
      text_muted("+" + std::to_string(filters.size() - i));
      return;
    }
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::InvisibleButton("##chip", {width, height})) searcher.remove_filter(i);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) tooltip(context, filters[i], {}, "Click to remove the filter");
    list.AddRectFilled(at, {at.x + width, at.y + height}, faded(context.theme.accent, hovered ? 0.32f : 0.2f),
                       height / 2);
    list.AddText({at.x + px(10), at.y + std::floor((height - ImGui::GetFontSize()) / 2)}, context.theme.text,
                 name.c_str());
    draw_icon(list, Icon::close, {at.x + width - px(20), at.y + px(6)}, px(12), context.theme.muted);
    ImGui::PopID();
  }
}

void FindField::bind(Searcher* searcher) {
  if (searcher == nullptr || searcher == bound_) return;
  if (bound_ != nullptr) queries_[bound_] = query_;
  if (bound_ != nullptr) query_ = queries_[searcher];
  bound_ = searcher;
}

void FindField::clear(Searcher* searcher) {
  bind(searcher);
  if (query_.empty()) return;
  query_.clear();
  if (searcher != nullptr) searcher->search("");
}

}  // namespace warpscope::ui
