#include "app/ui/shell/state_dump.hpp"

#include "core/base/files/new_file.hpp"
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
  // Readers keep the last complete state; after a failure, the next frame retries.
  problem_ = replace_file(path_, state);
  if (!problem_) written_ = std::move(state);
}

}  // namespace warpscope::ui
