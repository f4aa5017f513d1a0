#include "app/ui/save_dialog.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <system_error>

#include "app/ui/directory_listing.hpp"
#include "app/ui/widgets.hpp"
#include "core/base/ascii.hpp"

namespace warpscope::ui {

void SaveDialog::ask(std::string file, std::string title) {
  std::error_code failed;
  if (folder_.empty()) folder_ = home_directory();
  if (folder_.empty()) folder_ = std::filesystem::current_path(failed);
  path_ = (folder_ / std::move(file)).string();
  title_ = std::move(title);
  open();
}

std::optional<std::filesystem::path> SaveDialog::draw(const AppContext& app) {
  std::optional<std::filesystem::path> chosen;
  if (!begin(app, {app.px(560), app.px(156)}, -1, true)) return chosen;
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
  const std::filesystem::path path(path_);
  std::error_code failed;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const bool folder_there = std::filesystem::is_directory(folder, failed);
  const bool is_folder = std::filesystem::is_directory(path, failed);
  const bool named = path.has_filename() && folder_there && !is_folder;
  const bool replaces = named && std::filesystem::exists(path, failed);
  const bool foreign = replaces && lower(path.extension().string()) != kind_.extension;
  const bool good = named && !foreign;
  text_muted(is_folder       ? "That is a folder; add a file name"
             : !folder_there ? "There is no such folder"
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
