#include "app/ui/model/file_browser_entries.hpp"

#include <algorithm>

#include "core/base/ascii.hpp"

namespace warpscope::ui {

std::vector<std::size_t> entries_fitting(const std::vector<DirectoryEntry>& entries, std::string_view typed) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  std::vector<std::size_t> beginning;
  std::vector<std::size_t> containing;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto found = std::ranges::search(entries[i].name, typed, same);
    if (found.begin() == entries[i].name.begin()) {
      beginning.push_back(i);
    } else if (!found.empty()) {
      containing.push_back(i);
    }
  }
  beginning.insert(beginning.end(), containing.begin(), containing.end());
  return beginning;
}

}  // namespace warpscope::ui
