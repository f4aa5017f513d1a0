#include "app/ui/query/query_files.hpp"

#include <algorithm>
#include <functional>
#include <system_error>

#include "app/settings/settings_text.hpp"
#include "core/base/ascii.hpp"
#include "core/base/files/new_file.hpp"
#include "core/base/parse_number.hpp"
#include "core/sql/recipes.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kMostSaved = 500;
constexpr std::size_t kLongestName = 60;
constexpr std::string_view kEnding = ".sql";

std::filesystem::path queries_in(const std::filesystem::path& folder) { return folder / "queries"; }
std::filesystem::path history_in(const std::filesystem::path& folder) { return folder / "query-history"; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(settings::unescape(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<NamedQuery> read_saved(const std::filesystem::path& folder, const CancelToken& cancel) {
  std::vector<NamedQuery> saved;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(queries_in(folder), failed)) {
    if (cancel.cancelled() || saved.size() == kMostSaved) break;
    if (entry.path().extension() != kEnding || !entry.is_regular_file(failed)) continue;
    auto text = settings::read_text(entry.path());
    if (!text) continue;
    std::string title = title_in(*text);
    if (title.empty()) title = entry.path().stem().string();
    saved.push_back({std::move(title), "", std::move(*text), entry.path()});
  }
  return saved;
}

/// Returns "kernels-by-gap" for "Kernels by gap".
std::string file_name(std::string_view title) {
  std::string name;
  for (const char each : title) {
    const char c = lower(each);
    if (is_digit(c) || (c >= 'a' && c <= 'z'))
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  name.resize(std::min(name.size(), kLongestName));
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "query" : name;
}

}  // namespace

std::string title_in(std::string_view text) {
  if (!text.starts_with("--")) return {};
  return std::string(trimmed(text.substr(2, text.find('\n') - 2)));
}

std::string with_title(std::string_view text, std::string_view title) {
  if (text.starts_with("--")) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return "-- " + std::string(title) + '\n' + std::string(text);
}

QueryFiles::QueryFiles(std::filesystem::path folder, std::function<void()> wake)
    : folder_(std::move(folder)), wake_(std::move(wake)) {
  list({});
  read();
}

void QueryFiles::read() {
  if (folder_.empty()) return;
  reading_.start(
      [folder = folder_](const CancelToken& cancel) {
        Contents contents{read_saved(folder, cancel), {}};
        if (const auto text = settings::read_text(history_in(folder))) contents.history = lines_of(*text);
        return contents;
      },
      wake_);
}

bool QueryFiles::update() {
  auto read = reading_.take();
  if (!read) return false;
  list(std::move(read->saved));
  // What was asked before the file had been read comes first.
  for (std::string& text : read->history)
    if (std::ranges::find(history_, text) == history_.end()) history_.push_back(std::move(text));
  return true;
}

void QueryFiles::list(std::vector<NamedQuery> saved) {
  all_ = std::move(saved);
  std::ranges::sort(all_, {}, [](const NamedQuery& query) { return lower(query.title); });
  for (const sql::Recipe& recipe : sql::recipes())
    all_.push_back({std::string(recipe.title), std::string(recipe.about), std::string(recipe.query), {}});
}

const NamedQuery* QueryFiles::find_saved(std::string_view title) const {
  const auto found =
      std::ranges::find_if(all_, [&](const NamedQuery& query) { return !query.file.empty() && query.title == title; });
  return found == all_.end() ? nullptr : &*found;
}

Failure QueryFiles::save(const std::string& text) {
  const std::string title = title_in(text);
  if (folder_.empty()) return Error{title, "cannot be saved: there is no settings folder", "set $HOME"};
  const std::filesystem::path folder = queries_in(folder_);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::filesystem::path file;
  if (const NamedQuery* saved = find_saved(title)) {
    file = saved->file;
  } else {
    const auto taken = [&](const std::filesystem::path& path) {
      return std::ranges::find(all_, path, &NamedQuery::file) != all_.end() || std::filesystem::exists(path, failed);
    };
    file = folder / (file_name(title) + std::string(kEnding));
    for (int i = 2; taken(file); ++i)
      file = folder / (file_name(title) + '-' + std::to_string(i) + std::string(kEnding));
  }
  if (Failure failure = replace_file(file, text)) return failure;
  std::vector<NamedQuery> saved;
  for (NamedQuery& query : all_)
    if (!query.file.empty() && query.file != file) saved.push_back(std::move(query));
  saved.push_back({title, "", text, file});
  list(std::move(saved));
  return {};
}

Failure QueryFiles::remove(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::remove(file, failed) && failed)
    return Error{file.string(), "cannot be deleted: " + failed.message(), ""};
  std::erase_if(all_, [&](const NamedQuery& query) { return query.file == file; });
  return {};
}

Failure QueryFiles::remember(const std::string& text) {
  if (text.find_first_not_of(" \t\n") == std::string::npos) return {};
  std::erase(history_, text);
  history_.insert(history_.begin(), text);
  if (history_.size() > kMostRemembered) history_.resize(kMostRemembered);
  if (folder_.empty() || busy()) return {};
  std::string lines;
  for (const std::string& each : history_) lines += settings::escape(each) + '\n';
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  return replace_file(history_in(folder_), lines);
}

}  // namespace warpscope::ui
