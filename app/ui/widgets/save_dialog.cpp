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
  found_.reset();
  save_wanted_ = false;
  open();
}

void SaveDialog::choose_format(const AppContext& app) {
  std::vector<std::string_view> words;
  for (const SavedFormat& format : kind_.formats) words.push_back(format.word);
  if (const auto chosen = small_choice(app, "##format", words, format_)) {
    format_ = *chosen;
    path_ = std::filesystem::path(path_).replace_extension(kind_.formats[format_].extension).string();
  }
  last_format_at_ = item_center();
  // A typed extension also selects the format.
  const std::string typed = lower(std::filesystem::path(path_).extension().string());
  if (typed == kind_.formats[format_].extension) return;
  const auto known = std::ranges::find(kind_.formats, typed, &SavedFormat::extension);
  if (known != kind_.formats.end()) format_ = static_cast<std::size_t>(known - kind_.formats.begin());
}

void SaveDialog::look(const AppContext& app) {
  if (auto found = looking_.take()) found_ = std::move(*found);
  if (known() || (looking_.running() && looked_at_ == path_)) return;
  looked_at_ = path_;
  looking_.start(
      [path = std::filesystem::path(path_)](const CancelToken&) {
        std::error_code failed;
        const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
        return Found{path.string(), std::filesystem::is_directory(folder, failed),
                     std::filesystem::is_directory(path, failed), std::filesystem::exists(path, failed)};
      },
      app.wake);
}

bool SaveDialog::foreign() const {
  const std::string_view extension = kind_.formats.empty() ? kind_.extension : kind_.formats[format_].extension;
  return found_->exists && lower(std::filesystem::path(path_).extension().string()) != extension;
}

std::string_view SaveDialog::note() const {
  if (!known()) return "Checking the folder…";
  if (found_->is_folder) return "This is a folder; add a file name";
  if (!found_->folder_exists) return "No such folder";
  if (foreign()) return kind_.foreign;
  return found_->exists ? kind_.replaces : kind_.fresh;
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
    if (ImGui::IsItemEdited()) save_wanted_ = false;
  }
  if (!kind_.formats.empty()) choose_format(app);
  look(app);
  if (known()) save = save || save_wanted_;
  const std::filesystem::path path(path_);
  const bool good = known() && found_->folder_exists && !found_->is_folder && path.has_filename() && !foreign();
  text_muted(note());
  const float width = app.px(88);
  ImGui::SetCursorPosX(ImGui::GetWindowWidth() - app.px(16) - 2 * width - app.px(8));
  if (ImGui::Button("Cancel", {width, 0})) close();
  ImGui::SameLine(0, app.px(8));
  ImGui::BeginDisabled(!good);
  save = ImGui::Button("Save", {width, 0}) || save;
  ImGui::EndDisabled();
  save_wanted_ = (save || save_wanted_) && !known();
  if (save && good) {
    folder_ = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    chosen = path;
    close();
  }
  end();
  return chosen;
}

}  // namespace warpscope::ui
