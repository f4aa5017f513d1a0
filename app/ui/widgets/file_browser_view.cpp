// Draws the file browser.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/file_browser.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

constexpr float kRow = 24;

std::string day(std::int64_t unix_seconds) {
  if (unix_seconds == 0) return {};
  const auto time = static_cast<std::time_t>(unix_seconds);
  std::tm local{};
  localtime_r(&time, &local);
  char buffer[32];
  return {buffer, std::strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M", &local)};
}

/// Data for the text field's callback, which replaces and completes the text.
struct FieldLink {
  std::string* typed;
  bool* replace;
  bool* keep_selection;  ///< if all text is selected when it is replaced, it stays selected
  const std::vector<DirectoryEntry>* entries;
  bool reading = false;  ///< the entries have not arrived yet
  bool* waits;           ///< set if Tab is pressed before they arrive
};

void set_buffer(ImGuiInputTextCallbackData& data, const std::string& text, bool keep_selection = false) {
  const auto [first, last] = std::minmax(data.SelectionStart, data.SelectionEnd);
  const bool selected = keep_selection && first == 0 && last > 0 && last == data.BufTextLen;
  data.DeleteChars(0, data.BufTextLen);
  data.InsertChars(0, text.c_str());
  data.CursorPos = data.SelectionStart = data.SelectionEnd = data.BufTextLen;
  if (selected) data.SelectionStart = 0;
}

int field_callback(ImGuiInputTextCallbackData* data) {
  FieldLink& link = *static_cast<FieldLink*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    if (link.reading) {
      *link.waits = true;
      return 0;
    }
    set_buffer(*data, completed({data->Buf, static_cast<std::size_t>(data->BufTextLen)}, *link.entries));
  } else if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && *link.replace) {
    set_buffer(*data, *link.typed, *link.keep_selection);
    *link.replace = *link.keep_selection = false;
  }
  return 0;
}

void place_title(const AppContext& context, const char* words) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText({at.x + context.px(4), at.y + context.px(4)}, context.theme.muted, words);
  ImGui::Dummy({1, context.px(kRow)});
}

}  // namespace

void FileBrowser::draw_path_field(const AppContext& context) {
  if (just_opened() || focus_field_) {
    focus_next_item();
    replace_text_ = true;  // places the cursor at the end and selects nothing
    keep_selection_ = false;
  }
  focus_field_ = false;
  FieldLink link{&typed_, &replace_text_, &keep_selection_, &entries_, reading_.running(), &tab_waits_};
  std::string text = typed_;
  const bool at_root = directory_ == directory_.root_path();
  const float button = context.px(16) + ImGui::CalcTextSize("Up").x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - context.px(8));
  {
    const FieldEdge edge(context);
    ImGui::InputTextWithHint("##path", "Path to a directory or file", &text,
                             ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways,
                             field_callback, &link);
  }
  const bool active = ImGui::IsItemActive();
  const bool was_replaced = !replace_text_;
  const bool up = active && ImGui::GetIO().KeyAlt && ImGui::IsKeyPressed(ImGuiKey_UpArrow);
  const bool entered = (active || ImGui::IsItemDeactivated()) &&
                       (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
  ImGui::SameLine(0, context.px(8));
  ImGui::BeginDisabled(at_root);
  const bool up_clicked = ImGui::Button("Up", {button, 0});
  ImGui::EndDisabled();
  up_at_ = item_center();
  if (ImGui::IsItemHovered()) tooltip(context, "Parent directory", {}, "Alt+Up");
  if (was_replaced && text != typed_) {
    typed_ = text;
    text_changed();
  }
  if (!active && !ImGui::IsAnyItemActive()) focus_field_ = true;
  if (up || up_clicked) {
    go_up();
    focus_field_ = true;
  } else if (active && !shown_.empty() && !ImGui::GetIO().KeyAlt) {
    const int rows = 16;
    int moved = std::max(cursor_, 0);
    const bool from_nothing = cursor_ < 0 && ImGui::IsKeyPressed(ImGuiKey_DownArrow);
    if (from_nothing) {
      cursor_ = 0;
      scroll_to_cursor_ = true;
    } else if (move_cursor(moved, static_cast<int>(shown_.size()), rows)) {
      cursor_ = moved;
      scroll_to_cursor_ = true;
    }
  }
  if (!entered) return;
  focus_field_ = true;
  enter(ImGui::GetIO().KeyCtrl);
}

void FileBrowser::place(const AppContext& context, const char* label, const fs::path& path) {
  const Metrics& px = context.px;
  ImGui::PushID(path.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const bool clicked = ImGui::Selectable("##place", false, 0, {width, px(kRow)});
  if (ImGui::IsItemHovered()) tooltip(context, path.string());
  ImGui::GetWindowDrawList()->AddText({at.x + px(4), at.y + std::floor((px(kRow) - ImGui::GetFontSize()) / 2)},
                                      context.theme.text, fit_text_end(label, width - px(8)).c_str());
  ImGui::PopID();
  if (!clicked) return;
  show_directory(path, IfFile::is_chosen);
  focus_field_ = true;
}

void FileBrowser::draw_places(AppContext& context) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  place_title(context, "Places");
  if (const fs::path home = home_directory(); !home.empty()) place(context, "Home", home);
  std::error_code failed;
  if (const fs::path here = fs::current_path(failed); !failed) place(context, "Working directory", here);
  place(context, "File system", "/");
  if (!context.settings.recents.empty()) {
    ImGui::Dummy({0, context.px(8)});
    place_title(context, "Recent");
  }
  for (const std::string& recent : context.settings.recents) {
    const fs::path path = fs::path(recent).lexically_normal();
    const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
    place(context, name.empty() ? recent.c_str() : name.c_str(), path);
  }
  ImGui::PopStyleVar();
}

void FileBrowser::draw_entries(AppContext& context) {
  if (problem_) {
    text_wrapped(sentence(problem_->what), context.theme.text);
    return text_wrapped(problem_->where, context.theme.muted);
  }
  if (reading_.running()) {
    text_muted("Reading the directory…");
    return;
  }
  if (shown_.empty()) {
    text_muted(entries_.empty() ? "This directory is empty" : "No matching entry");
    return;
  }
  const float height = context.px(kRow);
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown_.size()), height);
  if (scroll_to_cursor_ && cursor_ >= 0) clipper.IncludeItemByIndex(cursor_);
  std::optional<std::size_t> entered;
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImGui::PushID(i);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::Selectable("##entry", i == cursor_, ImGuiSelectableFlags_AllowDoubleClick, {width, height})) {
        cursor_ = i;
        focus_field_ = true;
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) entered = static_cast<std::size_t>(i);
      }
      if (i == cursor_ && scroll_to_cursor_) ImGui::SetScrollHereY(0.5f);
      draw_entry(context, entries_[shown_[static_cast<std::size_t>(i)]], at, width);
      ImGui::PopID();
    }
  }
  scroll_to_cursor_ = false;
  ImGui::PopStyleVar();
  if (entered) activate(*entered, false);
}

void FileBrowser::draw_entry(const AppContext& context, const DirectoryEntry& entry, ImVec2 at, float width) {
  const Metrics& px = context.px;
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float text_y = at.y + std::floor((px(kRow) - ImGui::GetFontSize()) / 2);
  const bool bright = entry.is_directory || entry.is_trace;
  draw_icon(list, entry.is_directory ? Icon::folder : Icon::file, {at.x + px(4), at.y + px(4)}, px(16),
            entry.is_trace ? theme.accent : theme.muted);
  const float date_x = at.x + width - px(136);
  const float facts_right = date_x - px(16);
  const float name_x = at.x + px(28);
  const std::string name = fit_text(entry.name, facts_right - px(96) - name_x);
  list.AddText({name_x, text_y}, bright ? theme.text : theme.muted, name.c_str());
  if (!entry.is_directory) {
    const std::string size = format_bytes(static_cast<std::int64_t>(entry.bytes));
    list.AddText({facts_right - ImGui::CalcTextSize(size.c_str()).x, text_y}, theme.muted, size.c_str());
  }
  const std::string date = day(entry.modified);
  list.AddText({date_x, text_y}, theme.muted, date.c_str());
}

void FileBrowser::draw_footer(AppContext& context) {
  const Metrics& px = context.px;
  ImGui::Dummy({0, px(4)});
  ImGui::AlignTextToFramePadding();
  text_muted("Tab completes, Enter enters a directory or opens a file, Ctrl+Enter opens a directory, Alt+Up goes up");
  const fs::path target_path = target();
  std::string label = verb_ + " " +
                      fit_text(target_path.has_filename() ? target_path.filename().string()
                                                          : target_path.parent_path().filename().string(),
                               px(160));
  const float cancel = ImGui::CalcTextSize("Cancel").x + 2 * px(8);
  const float open_width = ImGui::CalcTextSize(label.c_str()).x + 2 * px(8);
  ImGui::SameLine(ImGui::GetWindowWidth() - px(16) - cancel - open_width - px(8));
  if (primary_button(context, (label + "##open").c_str(), !problem_)) result_ = target_path;
  ImGui::SameLine(0, px(8));
  if (ImGui::Button("Cancel")) close();
}

}  // namespace warpscope::ui
