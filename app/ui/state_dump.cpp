#include "app/ui/state_dump.hpp"

#include <fstream>
#include <system_error>

#include "core/base/json_writer.hpp"

namespace warpscope::ui {

StateDump::StateDump(std::filesystem::path path) : path_(std::move(path)) {}

std::string StateDump::text() const {
  std::string out;
  JsonWriter writer(out);
  writer.begin_object();
  for (const StateWriter& write : writers_) write(writer);
  writer.end_object();
  return out;
}

void StateDump::update() {
  if (path_.empty()) return;
  std::string state = text();
  if (state == written_) return;
  std::filesystem::path fresh = path_;
  fresh += ".new";
  {
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << state;
    file.close();
    if (!file) return;  // a reader keeps the last whole state; the next frame tries again
  }
  std::error_code failed;
  std::filesystem::rename(fresh, path_, failed);
  if (!failed) written_ = std::move(state);
}

}  // namespace warpscope::ui
