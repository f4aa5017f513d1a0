#include "app/ui/widgets/save_dialog.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "app/ui/model/directory_listing.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/ascii.hpp"

namespace warpscope::ui {

void SaveDialog::ask(std::string file, std::string title) {
  std::error_code failed;
  if (folder_.empty()) folder_ = home_directory();
  if (folder_.empty()) folder_ = std::filesystem::current_path(failed);
  std::filesystem::path path = folder_ / std::move(file);
  if (!kind_.formats.empty()) path.replace_extension(kind_.formats[format_].extension);
  path_ = path.string();
  title_ = std::move(title);
  open();
}

void SaveDialog::choose_format(const AppContext& app) {
  std::vector<std::string_view> words;
  for (const SavedFormat& format : kind_.formats) words.push_back(format.word);
  if (const auto chosen = small_choice(app, "##format", words, format_)) {
    format_ = *chosen;
    path_ = std::filesystem::path(path_).replace_extension(kind_.formats[format_].extension).string();
  }
  last_format_at_ = {(ImGui::GetItemRectMin().x + ImGui::GetItemRectMax().x) / 2,
                     (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2};
  // A typed extension also selects the format.
  const std::string typed = lower(std::filesystem::path(path_).extension().string());
  if (typed == kind_.formats[format_].extension) return;
  const auto known = std::ranges::find(kind_.formats, typed, &SavedFormat::extension);
  if (known != kind_.formats.end()) format_ = static_cast<std::size_t>(known - kind_.formats.begin());
}

std::optional<std::filesystem::path> SaveDialog::draw(const AppContext& app) {
  std::optional<std::filesystem::path> chosen;
  if (!begin(app, {app.px(560), app.px(kind_.formats.empty() ? 156.0f : 168.0f)}, -1, true)) return chosen;
  ImGui::PushFont(app.fonts.heading);
  text(fit_text(title_, ImGui::GetContentRegionAvail().x));
  ImGui::PopFont();
  ImGui::Dummy({0, app.px(4)});
  if (just_opened()) focus_next_item();
  ImGui::SetNextItemWidth(-1);
  bool save = false;
  {
    const FieldEdge edge(app);
    save = ImGui::InputText("##path", &path_, ImGuiInputTextFlags_EnterReturnsTrue);
  }
  if (!kind_.formats.empty()) choose_format(app);
  const std::filesystem::path path(path_);
  const std::string_view extension = kind_.formats.empty() ? kind_.extension : kind_.formats[format_].extension;
  std::error_code failed;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const bool folder_there = std::filesystem::is_directory(folder, failed);
  const bool is_folder = std::filesystem::is_directory(path, failed);
  const bool named = path.has_filename() && folder_there && !is_folder;
  const bool replaces = named && std::filesystem::exists(path, failed);
  const bool foreign = replaces && lower(path.extension().string()) != extension;
  const bool good = named && !foreign;
  text_muted(is_folder       ? "This is a folder; add a file name"
             : !folder_there ? "No such folder"
             : foreign       ? kind_.foreign
             : replaces      ? kind_.replaces
                             : kind_.fresh);
  const float width = app.px(88);
  ImGui::SetCursorPosX(ImGui::GetWindowWidth() - app.px(16) - 2 * width - app.px(8));
  if (ImGui::Button("Cancel", {width, 0})) close();
  ImGui::SameLine(0, app.px(8));
  ImGui::BeginDisabled(!good);
  save = ImGui::Button("Save", {width, 0}) || save;
  ImGui::EndDisabled();
  if (save && good) {
    folder_ = folder;
    chosen = path;
    close();
  }
  end();
  return chosen;
}

}  // namespace warpscope::ui
