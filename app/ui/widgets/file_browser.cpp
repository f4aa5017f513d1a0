#include "app/ui/widgets/file_browser.hpp"

#include <algorithm>
#include <system_error>

#include "app/ui/model/file_browser_entries.hpp"

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

std::string as_directory_text(const fs::path& path) {
  std::string text = path.string();
  if (!text.ends_with('/')) text += '/';
  return text;
}

}  // namespace

FileBrowser::FileBrowser(std::function<void()> wake) : Dialog("##browser"), counter_(std::move(wake)) {}

void FileBrowser::open_at(const fs::path& directory, std::string verb) {
  verb_ = std::move(verb);
  std::error_code failed;
  fs::path whole = fs::absolute(directory.empty() ? fs::path(".") : directory, failed).lexically_normal();
  if (!fs::is_directory(whole, failed)) whole = whole.parent_path();
  show_directory(whole);
  result_.reset();
  open();
}

void FileBrowser::show_directory(const fs::path& directory) {
  set_text(as_directory_text(directory));
  text_changed();
}

void FileBrowser::set_text(std::string text) {
  typed_ = std::move(text);
  replace_text_ = true;
}

void FileBrowser::text_changed() {
  const TypedPath typed = split_typed_path(typed_);
  if (typed.directory != directory_) {
    directory_ = typed.directory;
    counter_.forget_requests();
    auto listed = list_directory(directory_);
    problem_.reset();
    entries_.clear();
    if (listed) {
      entries_ = std::move(*listed);
    } else {
      problem_ = listed.error();
    }
  }
  refilter();
}

void FileBrowser::refilter() {
  const std::string beginning = split_typed_path(typed_).beginning;
  shown_ = entries_fitting(entries_, beginning);
  cursor_ = beginning.empty() || shown_.empty() ? -1 : 0;
  scroll_to_cursor_ = true;
}

void FileBrowser::go_up() {
  const fs::path here = fs::path(directory_).lexically_normal();
  const fs::path clean = here.has_filename() ? here : here.parent_path();
  if (!clean.has_parent_path() || clean.parent_path() == clean) return;
  const std::string from = clean.filename().string();
  show_directory(clean.parent_path());
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    if (entries_[shown_[i]].name == from) cursor_ = static_cast<int>(i);
  }
}

void FileBrowser::activate(std::size_t shown_index, bool open_directory) {
  const DirectoryEntry& entry = entries_[shown_[shown_index]];
  if (entry.is_directory && !open_directory) {
    show_directory(fs::path(directory_) / entry.name);
  } else {
    result_ = directory_ / entry.name;
  }
  focus_field_ = true;
}

fs::path FileBrowser::target() const {
  if (cursor_ >= 0 && cursor_ < static_cast<int>(shown_.size())) {
    return directory_ / entries_[shown_[static_cast<std::size_t>(cursor_)]].name;
  }
  return directory_;
}

std::optional<fs::path> FileBrowser::draw(AppContext& context) {
  const Metrics& px = context.px;
  if (!begin(context, {px(920), px(600)}, -1, true)) return std::nullopt;
  draw_path_field(context);
  ImGui::Dummy({0, px(4)});
  const float footer = px(44);
  const float body = std::max(px(80), ImGui::GetContentRegionAvail().y - footer);
  ImGui::BeginChild("##places", {px(176), body});
  draw_places(context);
  ImGui::EndChild();
  ImGui::SameLine(0, px(12));
  ImGui::BeginChild("##entries", {0, body});
  draw_entries(context);
  ImGui::EndChild();
  draw_footer(context);
  std::optional<fs::path> chosen;
  std::swap(chosen, result_);
  if (chosen) close();
  end();
  return chosen;
}

}  // namespace warpscope::ui
