#include "app/ui/model/load_words.hpp"

#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::ui;

namespace {

FileStatus file(FileState state, std::uint64_t done = 0, std::uint64_t total = 100) {
  FileStatus made;
  made.name = "rank0.json";
  made.state = state;
  made.bytes_done = done;
  made.bytes_total = total;
  return made;
}

}  // namespace

TEST_CASE("the load state includes other work in progress") {
  LoadStatus progress;
  progress.running = true;
  CHECK(load_state_text(progress) == "Looking for traces");
  progress.total = 200;
  progress.done = 100;
  CHECK(load_state_text(progress).starts_with("Loading · 100 B of 200 B"));
  CHECK(catching_up(progress).files == 0);
  progress.running = false;
  CHECK(load_state_text(progress) == "Loaded");
  LoadStatus cut = progress;
  cut.files.emplace_back().unfinished = true;
  CHECK(load_state_text(cut) == "Partial · 1 file ends early");
  CHECK(status_notes(progress).empty());
  CHECK(memory_text(progress, 5).empty());
  progress.cancelled = true;
  CHECK(load_state_text(progress) == "Stopped · 100 B of 200 B");
  progress.cancelled = false;

  progress.watching = true;
  CHECK(load_state_text(progress) == "Loaded, watching for new and growing files");
  REQUIRE(status_notes(progress).size() == 1);
  CHECK(status_notes(progress)[0].text == "watching");
  CHECK_FALSE(status_notes(progress)[0].fraction);

  progress.files = {file(FileState::reading, 25), file(FileState::reading, 75), file(FileState::done, 100)};
  progress.files[0].growing = progress.files[2].growing = true;
  CHECK(load_state_text(progress) ==
        "Loaded, watching for new and growing files · 2 files are still being written · reading 2 files, 50 %");
  const StatusNote note = status_notes(progress)[0];
  CHECK(note.text == "watching · 2 growing");
  REQUIRE(note.fraction);
  CHECK(*note.fraction == Approx(0.5));

  progress.files = {file(FileState::done, 100), file(FileState::done, 100)};
  progress.files[0].unfinished = progress.files[1].unfinished = progress.files[1].growing = true;
  CHECK(status_notes(progress)[0].text == "watching · 1 growing · 1 unfinished");
  CHECK(load_state_text(progress).ends_with("1 file is still being written · 1 file truncated"));
}

TEST_CASE("ranks kept on disk because of the memory limit are counted") {
  LoadStatus progress;
  progress.memory_limit = std::uint64_t{4} << 30;
  CHECK(memory_text(progress, std::uint64_t{1} << 30) == "Memory: 1.00 GiB of 4.00 GiB in use");
  CHECK(status_notes(progress).empty());
  progress.waiting_in_store = 1;
  CHECK(memory_text(progress, 0) == "Memory: 0 B of 4.00 GiB in use · 1 rank stays on disk until it is viewed");
  progress.waiting_in_store = 3;
  REQUIRE(status_notes(progress).size() == 1);
  CHECK(status_notes(progress)[0].text == "3 ranks on disk");
  CHECK(status_notes(progress)[0].command == "page.settings");
}
