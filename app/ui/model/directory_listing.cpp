#include "app/ui/model/directory_listing.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

#include "core/base/ascii.hpp"
#include "core/base/natural_order.hpp"

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

bool same_letter(char a, char b) { return lower(a) == lower(b); }

/// Hidden entries are offered only if the typed text starts with a dot.
bool hidden(const DirectoryEntry& entry, std::string_view typed) {
  return entry.name.starts_with('.') && !typed.starts_with('.');
}

DirectoryEntry describe(const fs::directory_entry& entry) {
  DirectoryEntry described;
  std::error_code failed;
  described.name = entry.path().filename().string();
  described.is_directory = entry.is_directory(failed);
  if (!described.is_directory) {
    described.is_trace = looks_like_trace(described.name);
    const auto bytes = entry.file_size(failed);
    described.bytes = failed ? 0 : bytes;
  }
  return described;
}

}  // namespace

bool looks_like_trace(std::string_view file_name) {
  constexpr std::array<std::string_view, 8> kEndings = {".json",     ".json.gz",   ".json.zst", ".json.zstd",
                                                        ".trace.gz", ".trace.zst", ".pt.trace", ".wscope"};
  const std::string name = lower(file_name);
  return std::ranges::any_of(
      kEndings, [&](std::string_view ending) { return name.size() > ending.size() && name.ends_with(ending); });
}

Result<std::vector<DirectoryEntry>> list_directory(const fs::path& directory, std::size_t limit) {
  std::error_code failed;
  fs::directory_iterator entries(directory, fs::directory_options::skip_permission_denied, failed);
  if (failed) {
    return Error{directory.string(), "cannot read the directory: " + failed.message(), "choose another one"};
  }
  std::vector<DirectoryEntry> found;
  for (const fs::directory_iterator end; entries != end && found.size() < limit; entries.increment(failed)) {
    if (failed) break;
    found.push_back(describe(*entries));
  }
  std::ranges::sort(found, [](const DirectoryEntry& a, const DirectoryEntry& b) {
    if (a.is_directory != b.is_directory) return a.is_directory;
    return natural_less(a.name, b.name);
  });
  return found;
}

std::vector<std::size_t> entries_fitting(const std::vector<DirectoryEntry>& entries, std::string_view typed) {
  std::vector<std::size_t> beginning;
  std::vector<std::size_t> containing;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (hidden(entries[i], typed)) continue;
    const auto found = std::ranges::search(entries[i].name, typed, same_letter);
    if (found.begin() == entries[i].name.begin()) {
      beginning.push_back(i);
    } else if (!found.empty()) {
      containing.push_back(i);
    }
  }
  beginning.insert(beginning.end(), containing.begin(), containing.end());
  return beginning;
}

fs::path home_directory() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? fs::path() : fs::path(home);
}

TypedPath split_typed_path(std::string_view typed) {
  std::string text(typed);
  if (const fs::path home = home_directory(); !home.empty() && (text == "~" || text.starts_with("~/"))) {
    text = home.string() + (text.size() > 1 ? text.substr(1) : "/");
  }
  const std::size_t slash = text.rfind('/');
  if (slash == std::string::npos) return {fs::path("."), text};
  return {fs::path(text.substr(0, slash + 1)), text.substr(slash + 1)};
}

}  // namespace warpscope::ui
