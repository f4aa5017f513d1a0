#include "app/ui/query/sql_editor.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/query/sql_text.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr const char* kField = "##sql";
constexpr std::string_view kHint = "SELECT … FROM …   (Ctrl+Space lists tables, columns and functions)";
constexpr float kGutter = 36;
constexpr float kCompletionWidth = 420;
constexpr std::size_t kListLines = 8;
constexpr std::size_t kMostColored = 100'000;  // bytes

scene::Color color_of(const AppContext& app, SqlKind kind) {
  switch (kind) {
    case SqlKind::keyword:
      return app.theme.accent;
    case SqlKind::string:
    case SqlKind::number:
      return scene::family_color(scene::Family::python, app.theme.kind);
    case SqlKind::comment:
      return app.theme.muted;
    case SqlKind::name:
    case SqlKind::other:
      break;
  }
  return app.theme.text;
}

/// The horizontal scroll position; its name differs between versions of ImGui.
template <class State>
float scroll_x(const State& state) {
  if constexpr (requires { state.ScrollX; })
    return state.ScrollX;
  else
    return state.Scroll.x;
}

}  // namespace

void SqlEditor::set_text(std::string text) {
  offered_ = {};
  marked_ = 0;
  if (active_) {
    edit_ = {0, text_.size(), std::move(text)};
    return;
  }
  text_ = std::move(text);
  cursor_ = text_.size();
  edit_.reset();
}

void SqlEditor::insert(std::string words) {
  const std::size_t at = std::min(cursor_, text_.size());
  if (at > 0 && is_sql_word(text_[at - 1])) words.insert(0, 1, ' ');
  if (at < text_.size() && is_sql_word(text_[at])) words += ' ';
  edit_ = {at, at, std::move(words)};
  focus_ = true;
}

void SqlEditor::leave() {
  if (active_) ImGui::ClearActiveID();
  active_ = focus_ = false;
  edit_.reset();
}

int SqlEditor::changed(ImGuiInputTextCallbackData* data) {
  static_cast<SqlEditor*>(data->UserData)->apply(*data);
  return 0;
}

void SqlEditor::apply(ImGuiInputTextCallbackData& data) {
  if (data.EventFlag == ImGuiInputTextFlags_CallbackCompletion && !edit_) {  // Tab
    if (listing()) accept(chosen_);
    if (!edit_) edit_ = Edit{cursor_, cursor_, "  "};
  }
  if (edit_) {
    const auto begin = static_cast<int>(std::min<std::size_t>(edit_->begin, static_cast<std::size_t>(data.BufTextLen)));
    const auto end = static_cast<int>(std::min<std::size_t>(edit_->end, static_cast<std::size_t>(data.BufTextLen)));
    data.DeleteChars(begin, end - begin);
    data.InsertChars(begin, edit_->words.data(), edit_->words.data() + edit_->words.size());
    data.CursorPos = begin + static_cast<int>(edit_->words.size());
    data.SelectionStart = data.SelectionEnd = data.CursorPos;
    edit_.reset();
    own_edit_ = true;
  }
  cursor_ = static_cast<std::size_t>(data.CursorPos);
}

bool SqlEditor::take_keys() {
  const auto take = [](ImGuiKey key) {
    const bool pressed = ImGui::IsKeyPressed(key);
    // Only a reader that gives this name sees the key for the rest of the frame.
    ImGui::SetKeyOwner(key, ImGui::GetID("##editor-keys"), ImGuiInputFlags_LockThisFrame);
    return pressed;
  };
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl || io.KeyAlt) {  // commands: run, history
    take(ImGuiKey_Enter);
    take(ImGuiKey_KeypadEnter);
    if (io.KeyAlt) take(ImGuiKey_UpArrow);
    if (io.KeyAlt) take(ImGuiKey_DownArrow);
  } else if (listing()) {
    const std::size_t count = offered_.items.size();
    if (take(ImGuiKey_DownArrow)) chosen_ = (chosen_ + 1) % count;
    if (take(ImGuiKey_UpArrow)) chosen_ = (chosen_ + count - 1) % count;
    if (take(ImGuiKey_PageDown)) chosen_ = std::min(count - 1, chosen_ + kListLines);
    if (take(ImGuiKey_PageUp)) chosen_ -= std::min(chosen_, kListLines);
    const bool entered = take(ImGuiKey_Enter);
    if (take(ImGuiKey_KeypadEnter) || entered) accept(chosen_);
  }
  if (!take(ImGuiKey_Escape)) return false;
  if (!listing()) return true;
  offered_ = {};
  return false;
}

void SqlEditor::accept(std::size_t item) {
  if (item >= offered_.items.size()) return;
  edit_ = Edit{offered_.begin, cursor_, offered_.items[item].text};
  focus_ = !active_;
  offered_ = {};
}

bool SqlEditor::draw(const AppContext& app, ImVec2 size, std::span<const SchemaTable> schema) {
  const float gutter = app.px(kGutter);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gutter);
  const ImGuiID id = ImGui::GetID(kField);
  active_ = ImGui::GetActiveID() == id;
  const bool escaped = active_ && take_keys();
  if (std::exchange(focus_, false)) focus_next_item();
  const std::size_t length = text_.size();
  ImGui::PushFont(app.fonts.mono);
  ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);  // drawn in colors below
  const bool edited = ImGui::InputTextMultiline(
      kField, &text_, {size.x - gutter, size.y},
      ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCompletion, changed, this);
  ImGui::PopStyleColor();
  active_ = ImGui::IsItemActive();
  if (escaped) ImGui::ClearActiveID();
  if (edited) marked_ = 0;
  offer(schema, edited, edited && text_.size() > length);
  const std::string child = fmt::format("{}/{}_{:08X}", ImGui::GetCurrentWindow()->Name, kField, id);
  const ImGuiWindow* field = ImGui::FindWindowByName(child.c_str());
  const ImVec2 caret = field != nullptr ? draw_text(app, *field) : ImVec2{};
  ImGui::PopFont();
  if (listing()) draw_list(app, caret);
  if (!active_ && !focus_) offered_ = {};
  return escaped;
}

/// Typing a word lists what fits; moving the cursor away closes the list.
void SqlEditor::offer(std::span<const SchemaTable> schema, bool edited, bool longer) {
  const bool own = std::exchange(own_edit_, false);
  const bool asked = std::exchange(asked_, false);
  const bool lists = edited && !own && (longer || listing());
  if (asked || lists) {
    offered_ = completions_at(text_, std::min(cursor_, text_.size()), schema, asked);
    chosen_ = 0;
    listed_for_ = cursor_;
  } else if (cursor_ != listed_for_) {
    offered_ = {};
  }
}

ImVec2 SqlEditor::draw_text(const AppContext& app, const ImGuiWindow& field) const {
  const ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetID(kField));
  const float line = ImGui::GetFontSize();
  const ImVec2 pad = ImGui::GetStyle().FramePadding;
  const ImVec2 at{field.Pos.x + pad.x - (active_ && state != nullptr ? scroll_x(*state) : 0),
                  field.Pos.y + pad.y - field.Scroll.y};
  ImDrawList& list = *field.DrawList;
  const auto line_y = [&](std::size_t number) { return at.y + line * static_cast<float>(number); };
  list.PushClipRect(field.InnerRect.Min, field.InnerRect.Max);
  if (marked_ > 0)
    list.AddRectFilled({field.InnerRect.Min.x, line_y(marked_ - 1)}, {field.InnerRect.Max.x, line_y(marked_)},
                       faded(app.theme.error, 0.16f));
  if (text_.empty()) ui::draw_text(list, at, app.theme.muted, kHint);
  const std::string_view text = std::string_view(text_).substr(0, kMostColored);
  auto place = [&, row = std::size_t{0}, begin = std::size_t{0}](std::size_t offset) mutable -> ImVec2 {
    for (std::size_t i = begin; i < offset; ++i)
      if (text[i] == '\n') {
        ++row;
        begin = i + 1;
      }
    return {at.x + text_width(text.substr(begin, offset - begin)), line_y(row)};
  };
  auto next = place;  // each call goes on where the last one was
  for (const SqlToken& token : sql_tokens(text)) {
    std::size_t begin = token.begin;
    while (begin < token.end) {  // a line of a comment or string
      const std::size_t end = std::min(text.find('\n', begin), token.end);
      if (end > begin) ui::draw_text(list, next(begin), color_of(app, token.kind), text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  const ImVec2 caret = place(std::min(cursor_, text.size()));
  if (active_) list.AddRectFilled(caret, {caret.x + app.px(1), caret.y + line}, app.theme.text);
  list.PopClipRect();

  ImDrawList& around = *ImGui::GetWindowDrawList();
  around.PushClipRect({field.Pos.x - app.px(kGutter), field.InnerRect.Min.y}, field.InnerRect.Max);
  const auto lines = static_cast<std::size_t>(1 + std::ranges::count(text_, '\n'));
  const auto first = static_cast<std::size_t>(std::max(0.0f, field.Scroll.y / line));
  for (std::size_t i = first; i < lines && line_y(i) < field.InnerRect.Max.y; ++i) {
    const std::string number = std::to_string(i + 1);
    ui::draw_text(around, {field.Pos.x - app.px(8) - text_width(number), line_y(i)},
                  i + 1 == marked_ ? app.theme.error : app.theme.muted, number);
  }
  around.PopClipRect();
  return caret;
}

void SqlEditor::draw_list(const AppContext& app, ImVec2 caret) {
  const std::size_t count = std::min(offered_.items.size(), kListLines);
  const float line = app.px(24);
  const float pad = app.px(4);
  const ImVec2 size{app.px(kCompletionWidth), line * static_cast<float>(count + 1) + 2 * pad};
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float below = caret.y + app.fonts.mono->FontSize + app.px(4);
  ImGui::SetNextWindowPos({std::max(0.0f, std::min(caret.x - app.px(8), display.x - size.x)),
                           below + size.y <= display.y ? below : caret.y - app.px(4) - size.y});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, app.theme.raised);
  ImGui::Begin("##completions", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0 && ImGui::IsWindowHovered())
    chosen_ =
        wheel < 0 ? std::min(chosen_ + 1, offered_.items.size() - 1) : chosen_ - std::min<std::size_t>(chosen_, 1);
  const std::size_t first = chosen_ < count ? 0 : chosen_ - count + 1;
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list_at_ = ImGui::GetCursorScreenPos();
  std::optional<std::size_t> clicked;
  for (std::size_t i = first; i < first + count; ++i) {
    const Completion& item = offered_.items[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    ImGui::InvisibleButton("##item", {width, line});
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) clicked = i;
    if (i == chosen_ || hovered)
      list.AddRectFilled(at, {at.x + width, at.y + line},
                         i == chosen_ ? faded(app.theme.accent, 0.22f) : app.theme.line, app.px(4));
    const float text_y = at.y + std::floor((line - app.fonts.mono->FontSize) / 2);
    const std::string what = fit_text(item.what, width / 2);
    const float right = text_width(*app.fonts.caption, what);
    ImGui::PushFont(app.fonts.mono);
    ui::draw_text(list, {at.x + app.px(6), text_y}, app.theme.text, fit_text(item.text, width - right - app.px(24)));
    ImGui::PopFont();
    ui::draw_text(list, *app.fonts.caption, {at.x + width - right - app.px(6), text_y}, app.theme.muted, what);
  }
  ImGui::Dummy({0, app.px(2)});
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + app.px(6));
  caption(app, offered_.items[chosen_].about, width - app.px(12), app.theme.muted);
  ImGui::End();
  ImGui::PopStyleVar();
  if (clicked) accept(*clicked);
}

}  // namespace warpscope::ui
