#include "app/ui/widgets/small_controls.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/table_writers.hpp"
#include "core/base/utf8.hpp"

namespace warpscope::ui {
namespace {

/// Draws a cell with a label at the cursor; true when clicked.
bool cell(const AppContext& app, const char* id, std::string_view word, float width, bool on) {
  const float height = app.px(kControlHeight);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {width, height});
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 end(at.x + width, at.y + height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (on) {
    list.AddRectFilled(at, end, faded(app.theme.accent, 0.22f), app.px(4));
    list.AddRect(at, end, app.theme.accent, app.px(4), 0, app.px(1));
  } else {
    list.AddRectFilled(at, end, hovered ? app.theme.line : app.theme.raised, app.px(4));
    list.AddRect(at, end, ImGui::GetColorU32(control_edge(app.theme)), app.px(4), 0, app.px(1));
  }
  const scene::Color color = ImGui::GetColorU32(on || hovered ? app.theme.text : app.theme.muted);
  draw_text(list,
            {std::floor(at.x + (width - text_width(word)) / 2), std::floor(at.y + (height - ImGui::GetFontSize()) / 2)},
            color, word);
  return clicked;
}

class SmallFace {
 public:
  explicit SmallFace(const AppContext& app) { ImGui::PushFont(app.fonts.caption); }
  SmallFace(const SmallFace&) = delete;
  SmallFace& operator=(const SmallFace&) = delete;
  ~SmallFace() { ImGui::PopFont(); }
};

/// While in scope, the next item is a field of `width` px as tall as the other controls.
class SmallField {
 public:
  SmallField(const AppContext& app, float width) : face_(app), edge_(app) {
    const float inside = std::floor((app.px(kControlHeight) - ImGui::GetFontSize()) / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(app.px(6), inside));
    ImGui::SetNextItemWidth(width);
  }
  SmallField(const SmallField&) = delete;
  SmallField& operator=(const SmallField&) = delete;
  ~SmallField() { ImGui::PopStyleVar(); }

 private:
  SmallFace face_;
  FieldEdge edge_;
};

}  // namespace

scene::Color control_edge(const Theme& theme) { return faded(theme.muted, 0.75f); }

float small_width(const AppContext& app, std::string_view word) {
  const SmallFace face(app);
  return std::ceil(text_width(word)) + app.px(16);
}

std::optional<std::size_t> small_choice(const AppContext& app, const char* id, std::span<const std::string_view> words,
                                        std::size_t chosen) {
  std::optional<std::size_t> clicked;
  const SmallFace face(app);
  ImGui::PushID(id);
  const float left = ImGui::GetCursorPosX();
  const float right = ImGui::GetContentRegionMax().x;
  ImVec2 at = ImGui::GetCursorPos();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const float width = std::ceil(text_width(words[i])) + app.px(16);
    if (i > 0 && at.x + width > right + 1) at = {left, at.y + app.px(kControlHeight + 4)};
    ImGui::SetCursorPos(at);
    at.x += width;
    ImGui::PushID(static_cast<int>(i));
    if (cell(app, "##cell", words[i], width, i == chosen) && i != chosen) clicked = i;
    ImGui::PopID();
  }
  ImGui::PopID();
  return clicked;
}

bool small_switch(const AppContext& app, const char* id, std::string_view word, bool on, std::string_view tip) {
  bool clicked = false;
  {
    const SmallFace face(app);
    clicked = cell(app, id, word, std::ceil(text_width(word)) + app.px(16), on);
  }
  if (!tip.empty() && ImGui::IsItemHovered()) tooltip(app, tip);
  return clicked;
}

bool small_button(const AppContext& app, const char* id, std::string_view word, bool enabled, std::string_view tip) {
  ImGui::BeginDisabled(!enabled);
  const bool clicked = small_switch(app, id, word, false, tip);
  ImGui::EndDisabled();
  return clicked && enabled;
}

std::optional<std::string> small_text(const AppContext& app, const char* id, std::string& text, std::string_view hint,
                                      float width) {
  const SmallField field(app, width);
  const bool entered = ImGui::InputTextWithHint(
      id, std::string(hint).c_str(), &text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (entered || ImGui::IsItemDeactivatedAfterEdit()) return text;
  return std::nullopt;
}

bool small_search(const AppContext& app, const char* id, std::string& text, std::string_view hint, float width) {
  const SmallField field(app, width);
  return ImGui::InputTextWithHint(id, std::string(hint).c_str(), &text, ImGuiInputTextFlags_AutoSelectAll);
}

void small_label(const AppContext& app, std::string_view words) {
  const SmallFace face(app);
  const float height = app.px(kControlHeight);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(*ImGui::GetWindowDrawList(), {at.x, std::floor(at.y + (height - ImGui::GetFontSize()) / 2)},
            app.theme.muted, words);
  ImGui::Dummy({std::ceil(text_width(words)), height});
}

int caption_lines(const AppContext& app, std::string_view words, float width, int most) {
  const SmallFace face(app);
  const float height = ImGui::CalcTextSize(words.data(), words.data() + words.size(), false, width).y;
  return std::clamp(static_cast<int>(std::lround(height / ImGui::GetTextLineHeight())), 1, most);
}

void caption(const AppContext& app, std::string_view words, float width, scene::Color color, int most) {
  bool cut = false;
  width = std::ceil(width);  // measured widths are rounded up
  ImGui::BeginGroup();
  {
    const SmallFace face(app);
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    std::string_view rest = words;
    for (int line = 1; line < most && text_width(rest) > width; ++line) {
      const char* const end =
          ImGui::GetFont()->CalcWordWrapPositionA(1.0f, rest.data(), rest.data() + rest.size(), width);
      const auto taken = static_cast<std::size_t>(end - rest.data());
      if (taken == 0 || taken >= rest.size()) break;
      text(rest.substr(0, taken));
      rest.remove_prefix(taken);
      while (rest.starts_with(' ')) rest.remove_prefix(1);
    }
    const std::string shown = fit_text(rest, width);
    cut = shown != rest;
    text(shown);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  ImGui::EndGroup();
  if (cut && ImGui::IsItemHovered()) tooltip(app, words);
}

void panel_words(const AppContext& app, ImVec2 size, std::string_view words, std::string_view further) {
  const float wrap = std::min(size.x - app.px(16), app.px(420));
  const auto height = [wrap](std::string_view part) {
    return part.empty() ? 0.0f : ImGui::CalcTextSize(part.data(), part.data() + part.size(), false, wrap).y;
  };
  const float gap = words.empty() || further.empty() ? 0.0f : app.px(6);
  const float total = height(words) + gap + height(further);
  const ImVec2 corner = ImGui::GetCursorPos();
  const float x = corner.x + std::floor((size.x - wrap) / 2);
  float y = corner.y + std::max(0.0f, std::floor((size.y - total) / 2));
  for (const auto& [part, muted] : {std::pair(words, false), std::pair(further, true)}) {
    if (part.empty()) continue;
    const float shift = std::max(0.0f, std::floor((wrap - text_width(part)) / 2));
    ImGui::SetCursorPos({x + shift, y});
    ImGui::PushTextWrapPos(x + wrap);
    muted ? text_muted(part) : text(part);
    ImGui::PopTextWrapPos();
    y += height(part) + gap;
  }
  ImGui::SetCursorPos(corner);
  ImGui::Dummy(size);
}

void nothing_here(const AppContext& app, std::string_view what, std::string_view how) {
  ImGui::Dummy({0, app.px(8)});
  ImGui::Indent(app.px(8));
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::min(app.px(640), ImGui::GetContentRegionAvail().x - app.px(8)));
  text(what);
  text_muted(how);
  ImGui::PopTextWrapPos();
  ImGui::Unindent(app.px(8));
}

void selectable_text(const AppContext& app, const char* id, std::string_view words, float width, bool mono) {
  // A read-only field without a frame. ImGui requires a writable buffer but does not write to it here.
  std::string buffer = without_controls(words);
  if (mono) ImGui::PushFont(app.fonts.mono);
  // Line height of the interface font plus a pixel above and below, so descenders are not clipped.
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

void copy_text(const AppContext& app, std::string_view words, std::string message) {
  ImGui::SetClipboardText(without_controls(words).c_str());  // it may be pasted into a terminal
  app.messages.info(std::move(message), app.now);
}

void copy_csv(const AppContext& app, const Table& table, std::string message) {
  std::string csv;
  write_csv(csv, table);
  copy_text(app, csv, std::move(message));
}

}  // namespace warpscope::ui
