#include "core/ingest/load/load_status.hpp"

#include <algorithm>

namespace warpscope::ingest {

std::size_t LoadStatus::growing() const {
  return static_cast<std::size_t>(std::ranges::count(files, true, &FileStatus::growing));
}

std::size_t LoadStatus::unfinished() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(files, [](const FileStatus& file) { return file.unfinished && !file.growing; }));
}

Catching catching_up(const LoadStatus& status) {
  Catching catching;
  if (status.running) return catching;
  for (const FileStatus& file : status.files) {
    if (file.state != FileState::reading) continue;
    ++catching.files;
    catching.done += file.bytes_done;
    catching.total += std::max<std::uint64_t>(file.bytes_total, 1);
  }
  return catching;
}

}  // namespace warpscope::ingest
