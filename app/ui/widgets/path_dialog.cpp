#include "app/ui/widgets/path_dialog.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "core/ingest/remote/remote_path.hpp"

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

constexpr float kRow = 24;

/// Data for the text field's callback.
struct FieldLink {
  const std::string& typed;
  bool& replace;
  bool& tab;
};

int field_callback(ImGuiInputTextCallbackData* data) {
  const FieldLink& link = *static_cast<FieldLink*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    link.tab = true;
  } else if (std::exchange(link.replace, false)) {
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, link.typed.c_str());
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  }
  return 0;
}

fs::path typed_path(const std::string& typed) {
  const TypedPath path = split_typed_path(typed);
  return path.beginning.empty() ? path.directory : path.directory / path.beginning;
}

}  // namespace

void PathDialog::ask(const fs::path& directory, std::string title, std::string verb, const std::string& name,
                     PathOption option) {
  std::error_code failed;
  const fs::path whole = fs::absolute(directory.empty() ? fs::path(".") : directory, failed);
  title_ = std::move(title);
  verb_ = std::move(verb);
  option_ = std::move(option);
  set_text((whole.lexically_normal() / name).string());
  directory_.clear();  // forces a new read
  tab_ = false;
  remote_ = false;
  entered_.reset();
  chosen_.reset();
  open();
}

bool PathDialog::remote() const { return remote_ && !remote_path().empty(); }

std::string PathDialog::remote_path() const {
  const std::size_t at = typed_.find(ingest::kRemoteScheme);
  return at == std::string::npos ? std::string() : typed_.substr(at);
}

void PathDialog::set_text(std::string text) {
  typed_ = std::move(text);
  replace_text_ = true;
}

std::optional<fs::path> PathDialog::draw(const AppContext& app) {
  if (!begin(app, {app.px(720), app.px(480)}, -1, true)) return std::nullopt;
  heading(app, fit_text(title_, ImGui::GetContentRegionAvail().x));
  ImGui::Dummy({0, app.px(4)});
  draw_field(app);
  update(app);
  ImGui::BeginChild("##entries", {0, std::max(app.px(kRow), ImGui::GetContentRegionAvail().y - app.px(28))});
  draw_entries(app);
  ImGui::EndChild();
  ImGui::AlignTextToFramePadding();
  if (option_.value != nullptr)
    ImGui::Checkbox(option_.label.c_str(), option_.value);
  else
    text_muted("Tab completes · Enter enters or opens · Ctrl+Enter opens a directory of the list");
  const float cancel = text_width("Cancel") + 2 * app.px(8);
  ImGui::SameLine(ImGui::GetWindowWidth() - app.px(24) - cancel - text_width(verb_) - 2 * app.px(8));
  if (primary_button(app, verb_.c_str(), !problem_)) accept(true);
  ImGui::SameLine(0, app.px(8));
  if (ImGui::Button("Cancel")) close();
  std::optional<fs::path> chosen = std::exchange(chosen_, std::nullopt);
  if (chosen) close();
  end();
  return chosen;
}

void PathDialog::draw_field(const AppContext& app) {
  if (just_opened() || std::exchange(focus_, false)) {
    focus_next_item();
    replace_text_ = replace_text_ || !just_opened();  // otherwise, focusing the field would select all text
  }
  FieldLink link{typed_, replace_text_, tab_};
  std::string text = typed_;
  const bool replacing = replace_text_;
  const float button = text_width("Up") + app.px(16);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - app.px(8));
  {
    const FieldEdge edge(app);
    if (ImGui::InputTextWithHint(
            "##path", remote_ ? "Path to a directory or file, or ssh://HOST/PATH" : "Path to a directory or file",
            &text,
            ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways |
                ImGuiInputTextFlags_EnterReturnsTrue,
            field_callback, &link))
      entered_ = ImGui::GetIO().KeyCtrl;
  }
  if (!replacing) typed_ = std::move(text);
  if (!ImGui::IsItemActive() && !ImGui::IsAnyItemActive()) focus_ = true;
  ImGui::SameLine(0, app.px(8));
  const bool up = ImGui::Button("Up", {button, 0});
  up_at_ = item_center();
  if (ImGui::IsItemHovered()) tooltip(app, "Parent directory", {}, "Alt+Up");
  if (!up && !(ImGui::GetIO().KeyAlt && ImGui::IsKeyPressed(ImGuiKey_UpArrow))) return;
  set_text((directory_ / "..").lexically_normal().string());
  focus_ = true;
}

void PathDialog::update(const AppContext& app) {
  const TypedPath typed = split_typed_path(typed_);
  bool other = typed_ != listed_for_;
  if (remote()) {
    directory_.clear();
    entries_.clear();
    shown_.clear();
    const auto path = ingest::parse_remote_path(remote_path());
    problem_ = path ? Failure() : path.error();
    if (const auto entered = std::exchange(entered_, std::nullopt)) accept(*entered);
    return;
  }
  if (typed.directory != directory_) {
    directory_ = typed.directory;
    entries_.clear();
    problem_.reset();
    reading_.start([directory = directory_](const CancelToken&) { return list_directory(directory); }, app.wake);
    other = true;
  }
  if (auto listing = reading_.take()) {
    if (*listing)
      entries_ = std::move(**listing);
    else
      problem_ = listing->error();
    other = true;
  }
  if (other) {
    shown_ = entries_fitting(entries_, typed.beginning);
    listed_for_ = typed_;
    cursor_.reset();
  }
  if (reading_.running()) return;
  if (std::exchange(tab_, false)) {
    if (shown_.empty()) return;
    const DirectoryEntry& entry = entries_[shown_[static_cast<std::size_t>(std::max(0, cursor_.at()))]];
    set_text((directory_ / entry.name / (entry.is_directory ? "." : "")).lexically_normal().string());
    return update(app);
  }
  if (const auto entered = std::exchange(entered_, std::nullopt)) accept(*entered);
}

void PathDialog::draw_entries(const AppContext& app) {
  if (problem_) {
    text_wrapped(sentence(problem_->what), app.theme.text);
    return text_wrapped(problem_->where, app.theme.muted);
  }
  if (remote()) return text_wrapped("Loads the profile over ssh. Warpscope must be installed there.", app.theme.muted);
  if (reading_.running()) return text_muted("Reading the directory…");
  if (shown_.empty()) return text_muted(entries_.empty() ? "This directory is empty" : "No matching entry");
  const float height = app.px(kRow);
  const float width = ImGui::GetContentRegionAvail().x;
  cursor_.update(static_cast<int>(shown_.size()));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown_.size()), height);
  if (cursor_.at() >= 0) clipper.IncludeItemByIndex(cursor_.at());
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const DirectoryEntry& entry = entries_[shown_[static_cast<std::size_t>(i)]];
      ImGui::PushID(i);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::Selectable("##entry", i == cursor_.at(), ImGuiSelectableFlags_AllowDoubleClick, {width, height})) {
        cursor_.move_to(i);
        focus_ = true;
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) entered_ = false;
      }
      draw_entry(app, entry, at, width);
      cursor_.mark(app, i);
      ImGui::PopID();
    }
  }
  ImGui::PopStyleVar();
}

void PathDialog::draw_entry(const AppContext& app, const DirectoryEntry& entry, ImVec2 at, float width) const {
  const Metrics& px = app.px;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float text_y = at.y + std::floor((px(kRow) - ImGui::GetFontSize()) / 2);
  draw_icon(list, entry.is_directory ? Icon::folder : Icon::file, {at.x + px(4), at.y + px(4)}, px(16),
            entry.is_trace ? app.theme.accent : app.theme.muted);
  draw_text(list, {at.x + px(28), text_y}, entry.is_directory || entry.is_trace ? app.theme.text : app.theme.muted,
            fit_text(entry.name, width - px(140)));
  if (entry.is_directory) return;
  const std::string size = format_bytes(static_cast<std::int64_t>(entry.bytes));
  draw_text(list, {at.x + width - px(8) - text_width(size), text_y}, app.theme.muted, size);
}

void PathDialog::accept(bool open_directory) {
  focus_ = true;
  if (remote()) {
    if (!problem_) chosen_ = remote_path();
  } else if (cursor_.at() >= 0) {
    const DirectoryEntry& entry = entries_[shown_[static_cast<std::size_t>(cursor_.at())]];
    const fs::path path = (directory_ / entry.name).lexically_normal();
    if (entry.is_directory && !open_directory) return set_text((path / "").string());
    set_text(path.string());
    chosen_ = path;
  } else if (!problem_) {
    chosen_ = typed_path(typed_);
  }
}

}  // namespace warpscope::ui
