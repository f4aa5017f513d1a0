// Draws the Query page.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/query/query_page.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kPad = 16;
constexpr float kListWidth = 232;
constexpr float kNarrow = 520;  // room beside the list
constexpr float kLeastEditor = 64;
constexpr float kLeastResult = 160;
constexpr double kShowsTime = 0.2;  // seconds
constexpr float kHistoryWidth = 560;

/// Returns a query on one line.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == '\n' || c == '\t' || c == ' ';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  return line;
}

}  // namespace

void QueryPage::draw(AppContext& app) {
  if (!app.session.profile()) {
    nothing_here(app, "Runs SQL on the open trace and its analyses.",
                 "Open a directory with " + app.commands.keys_text("file.open", 1) + ".");
    return;
  }
  update();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float margin = app.px(kPad);
  float left = margin;
  const bool narrow = room.x < app.px(kListWidth + kNarrow);
  if (!narrow) {
    ImGui::SetCursorPos({app.px(8), margin});
    draw_list({app.px(kListWidth), room.y - margin});
    left += app.px(8 + kListWidth);
  }
  const ImVec2 size{room.x - left - margin, room.y - margin - app.px(8)};
  ImGui::SetCursorPos({left, margin});
  ImGui::BeginChild("##query", size, 0, ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
  const float most = std::max(app.px(kLeastEditor), size.y - app.px(kLeastResult));
  const float height = std::clamp(app.px(app.settings.query_height), app.px(kLeastEditor), most);
  if (editor_.draw(app, {size.x, height}, runner_.schema()) && runner_.running()) stop();
  const ImVec2 origin = ImGui::GetWindowPos();
  const float wanted = edge_.drag(app, "##query-edge", {origin.x, origin.y + height + app.px(4)},
                                  {origin.x + size.x, origin.y + height + app.px(4)}, false, height);
  if (wanted != height) app.settings.query_height = app.px.units(std::clamp(wanted, app.px(kLeastEditor), most));
  ImGui::SetCursorPos({0, height + app.px(10)});
  draw_tools(narrow);
  if (failure_) draw_error(size.x);
  ImGui::Dummy({0, app.px(2)});
  draw_result(ImGui::GetContentRegionAvail());
  ImGui::EndChild();
}

void QueryPage::draw_list(ImVec2 size) {
  ImGui::BeginChild("##list", size, 0, ImGuiWindowFlags_NoBackground);
  list_.draw(app_, files_, runner_, editor_.text());
  ImGui::EndChild();
}

void QueryPage::draw_tools(bool narrow) {
  const auto button = [&](const char* word, const char* tip, const char* command, const char* popup = nullptr) {
    const bool clicked = small_switch(app_, word, word, popup == nullptr);
    if (ImGui::IsItemHovered()) tooltip(app_, tip, {}, app_.commands.keys_text(command, 1));
    if (popup != nullptr && (std::exchange(opening_, opening_ == popup ? "" : opening_) == popup || clicked)) {
      ImGui::OpenPopup(popup);
      popup_at_ = {ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + app_.px(4)};
    }
    ImGui::SameLine(0, app_.px(8));
    return clicked;
  };
  if (runner_.running()) {
    if (button("Stop", "Stops the query", "app.escape")) stop();
  } else if (button("Run", "Runs the text above", "query.run")) {
    run();
  }
  button("History", "Lists earlier queries", "query.history", kHistoryPopup);
  button("Save…", "Saves the query under a name", "query.save", kSavePopup);
  if (narrow) button("Tables and queries", "Lists tables, columns and named queries", "", kListPopup);
  const double seconds = runner_.seconds();
  if (runner_.running() && seconds > kShowsTime)
    small_label(app_, "Running… " + format_duration(static_cast<Ns>(seconds * 10) * 100'000'000));
  else if (stopped_)
    small_label(app_, "Stopped");
  else if (!failure_ && result_.rows() != nullptr)
    result_.draw_head();
  else
    ImGui::NewLine();
  if (runner_.running()) app_.keep_drawing();
  draw_save();
  draw_history();
  ImGui::SetNextWindowPos(popup_at_);
  if (!ImGui::BeginPopup(kListPopup)) return;
  draw_list({app_.px(kListWidth), app_.px(360)});
  ImGui::EndPopup();
}

void QueryPage::draw_error(float width) {
  const float pad = app_.px(8);
  const std::string what = sentence(fmt::format("{}: {}", failure_->where, failure_->what));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float icon = app_.px(16);
  const float inner = width - 3 * pad - icon;
  const float height =
      ImGui::CalcTextSize(what.c_str(), nullptr, false, inner).y +
      (failure_->advice.empty() ? 0
                                : app_.px(2) + ImGui::CalcTextSize(failure_->advice.c_str(), nullptr, false, inner).y);
  list.AddRectFilled(at, {at.x + width, at.y + height + 2 * pad}, faded(app_.theme.error, 0.12F), app_.px(4));
  draw_icon(list, Icon::error, {at.x + pad, at.y + pad}, icon, app_.theme.error);
  const float x = ImGui::GetCursorPosX() + 2 * pad + icon;
  const float y = ImGui::GetCursorPosY();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, app_.px(2)));
  ImGui::SetCursorPos({x, y + pad});
  text_wrapped(what, app_.theme.text, x + inner);
  ImGui::SetCursorPosX(x);
  if (!failure_->advice.empty()) text_wrapped(sentence(failure_->advice), app_.theme.muted, x + inner);
  ImGui::PopStyleVar();
  ImGui::SetCursorPos({0, y + height + 2 * pad});
  ImGui::Dummy({width, app_.px(4)});
}

void QueryPage::draw_result(ImVec2 size) {
  if (failure_) return;
  if (result_.rows() != nullptr) return result_.draw();
  if (runner_.running())
    panel_words(app_, size, runner_.seconds() > kShowsTime ? "Computing…" : "", "");
  else
    panel_words(app_, size, "Rows and a chart appear here.",
                "Press " + app_.commands.keys_text("query.run", 1) + " to run the query, or click a recipe.");
}

void QueryPage::draw_save() {
  ImGui::SetNextWindowPos(popup_at_);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(app_.px(12), app_.px(12)));
  const bool open = ImGui::BeginPopup(kSavePopup);
  ImGui::PopStyleVar();
  if (!open) return;
  if (ImGui::IsWindowAppearing()) {
    title_ = title_in(editor_.text());
    focus_next_item();
  }
  ImGui::SetNextItemWidth(app_.px(320));
  bool entered = false;
  {
    const FieldEdge edge(app_);
    entered = ImGui::InputTextWithHint("##title", "Name", &title_,
                                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  }
  std::erase(title_, '\n');
  const bool named = title_.find_first_not_of(' ') != std::string::npos;
  ImGui::SameLine(0, app_.px(8));
  const bool clicked = primary_button(app_, files_.find_saved(title_) != nullptr ? "Replace" : "Save", named);
  if ((entered && named) || clicked) {
    save(with_title(editor_.text(), title_));
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void QueryPage::draw_history() {
  ImGui::SetNextWindowPos(
      {std::min(popup_at_.x, ImGui::GetIO().DisplaySize.x - app_.px(kHistoryWidth + 24)), popup_at_.y});
  if (!ImGui::BeginPopup(kHistoryPopup)) return;
  if (ImGui::IsWindowAppearing()) cursor_.move_to(0);
  const std::vector<std::string>& texts = files_.history();
  cursor_.update(static_cast<int>(texts.size()));
  if (texts.empty()) text_muted("Queries that you run are listed here.");
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = std::min(line * static_cast<float>(texts.size()), app_.px(320));
  std::optional<std::size_t> wanted;
  if (!texts.empty() && ImGui::BeginChild("##texts", {app_.px(kHistoryWidth), height + app_.px(4)})) {
    ImGui::PushFont(app_.fonts.mono);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string shown = fit_text(one_line(texts[i]), ImGui::GetContentRegionAvail().x);
      ImGui::PushID(static_cast<int>(i));
      if (ImGui::Selectable(shown.c_str()) || cursor_.entered(static_cast<int>(i))) wanted = i;
      if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort)) tooltip(app_, texts[i]);
      cursor_.mark(app_, static_cast<int>(i));
      ImGui::PopID();
    }
    ImGui::PopFont();
  }
  if (!texts.empty()) ImGui::EndChild();
  if (wanted) {
    replace_text(std::string(texts[*wanted]));
    editor_.focus();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace warpscope::ui
