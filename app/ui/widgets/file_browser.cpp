#include "app/ui/widgets/file_browser.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

std::string as_directory_text(const fs::path& path) {
  std::string text = path.string();
  if (!text.ends_with('/')) text += '/';
  return text;
}

}  // namespace

FileBrowser::FileBrowser(std::function<void()> wake) : Dialog("##browser"), wake_(std::move(wake)) {}

void FileBrowser::open_at(const fs::path& directory, std::string verb) {
  verb_ = std::move(verb);
  std::error_code failed;
  directory_.clear();  // forces a new read of the directory
  show_directory(fs::absolute(directory.empty() ? fs::path(".") : directory, failed).lexically_normal(),
                 IfFile::shows_parent);
  result_.reset();
  open();
}

void FileBrowser::show_directory(const fs::path& directory, IfFile if_file) {
  set_text(as_directory_text(directory));
  directory_ = split_typed_path(typed_).directory;
  start_reading(directory, if_file);
  refilter();
}

FileBrowser::Listing FileBrowser::read(const fs::path& path, IfFile if_file) {
  std::error_code failed;
  const bool file = if_file != IfFile::fails && !fs::is_directory(path, failed);
  if (file && if_file == IfFile::is_chosen) return {path, true, std::vector<DirectoryEntry>()};
  const fs::path directory = file ? (path.has_filename() ? path : path.parent_path()).parent_path() : path;
  return {directory, file, list_directory(directory)};
}

void FileBrowser::start_reading(const fs::path& path, IfFile if_file) {
  problem_.reset();
  entries_.clear();
  enter_waits_.reset();
  tab_waits_ = false;
  comes_from_.clear();
  if_file_ = if_file;
  reading_.start([path, if_file](const CancelToken&) { return std::optional(read(path, if_file)); }, wake_);
}

void FileBrowser::take_listing() {
  auto taken = reading_.take();
  if (!taken) return;
  if (!*taken) {  // an exception, most likely out of memory
    problem_ = Error{directory_.string(), "cannot read the directory", "choose another one"};
    return;
  }
  Listing& listing = **taken;
  if (listing.file && if_file_ == IfFile::is_chosen) {
    result_ = std::move(listing.directory);
    return;
  }
  if (listing.file) {
    set_text(as_directory_text(listing.directory));
    keep_selection_ = true;
    directory_ = split_typed_path(typed_).directory;
  }
  if (listing.entries)
    entries_ = std::move(*listing.entries);
  else
    problem_ = listing.entries.error();
  refilter();
  for (std::size_t i = 0; i < shown_.size() && !comes_from_.empty(); ++i)
    if (entries_[shown_[i]].name == comes_from_) cursor_ = static_cast<int>(i);
  comes_from_.clear();
  const auto waits = std::exchange(enter_waits_, std::nullopt);
  if (std::exchange(tab_waits_, false)) {
    set_text(completed(typed_, entries_));
    text_changed();
  }
  if (waits) enter(*waits);
}

void FileBrowser::enter(bool open_directory) {
  if (reading_.running()) {
    enter_waits_ = open_directory;
  } else if (cursor_ >= 0 && cursor_ < static_cast<int>(shown_.size())) {
    activate(static_cast<std::size_t>(cursor_), open_directory);
  } else if (!problem_) {
    const fs::path typed = fs::path(typed_);
    result_ = split_typed_path(typed_).beginning.empty() ? directory_ : typed;
  }
}

void FileBrowser::set_text(std::string text) {
  typed_ = std::move(text);
  replace_text_ = true;
}

void FileBrowser::text_changed() {
  const TypedPath typed = split_typed_path(typed_);
  enter_waits_.reset();
  if (typed.directory != directory_) {
    directory_ = typed.directory;
    start_reading(directory_, IfFile::fails);
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
  comes_from_ = from;
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
  take_listing();
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
