#include "app/ui/model/loading.hpp"

#include <algorithm>

namespace warpscope::ui {

std::size_t LoadProgress::growing() const {
  return static_cast<std::size_t>(std::ranges::count(files, true, &FileProgress::growing));
}

std::size_t LoadProgress::unfinished() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(files, [](const FileProgress& file) { return file.unfinished && !file.growing; }));
}

Catching catching_up(const LoadProgress& progress) {
  Catching catching;
  if (progress.running) return catching;
  for (const FileProgress& file : progress.files) {
    if (file.state != FileState::reading) continue;
    ++catching.files;
    catching.done += file.bytes_done;
    catching.total += std::max<std::uint64_t>(file.bytes_total, 1);
  }
  return catching;
}

}  // namespace warpscope::ui
