#include "app/ui/shell/state_dump.hpp"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/base/json_writer.hpp"

namespace warpscope::ui {

StateDump::StateDump(std::filesystem::path path) : path_(std::move(path)) {}

std::string StateDump::text() const {
  std::string out;
  JsonWriter writer(out);
  writer.begin_object();
  writer.member("warpscope_state", 1);
  for (const StateWriter& write : writers_) write(writer);
  writer.end_object();
  return out;
}

void StateDump::update() {
  if (path_.empty()) return;
  std::string state = text();
  if (state == written_) return;
  std::error_code failed;
  if (std::filesystem::is_other(path_, failed)) {
    problem_ = Error{path_.string(), "is a device, pipe or socket, not a file", "choose another file"};
    return;
  }
  std::filesystem::path fresh = path_;
  fresh += ".tmp-" + std::to_string(::getpid());
  failed.clear();
  {
    errno = 0;
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << state;
    file.close();
    if (!file) failed.assign(errno != 0 ? errno : EIO, std::generic_category());
  }
  if (!failed) std::filesystem::rename(fresh, path_, failed);
  if (!failed) {
    written_ = std::move(state);
    problem_.reset();
    return;
  }
  // Readers keep the last complete state; the next frame retries.
  problem_ = Error{path_.string(), "cannot write the state: " + failed.message(), "choose another file"};
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
}

}  // namespace warpscope::ui
