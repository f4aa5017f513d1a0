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

TEST_CASE("each file state has a plain description") {
  CHECK(file_state_text(file(FileState::waiting)) == "waiting");
  CHECK(file_state_text(file(FileState::reading, 42)) == "reading 42 %");
  CHECK(file_state_text(file(FileState::reading, 120)) == "reading 100 %");
  CHECK(file_state_text(file(FileState::reading, 0, 0)) == "reading");
  CHECK(file_state_text(file(FileState::done, 100)) == "done");
  CHECK(file_state_text(file(FileState::cancelled)) == "stopped");
  FileStatus partly = file(FileState::cancelled, 42);
  partly.partly = true;
  CHECK(file_state_text(partly) == "partially read");
  CHECK(file_state_text(file(FileState::passed_over)) == "no trace data");

  FileStatus empty = file(FileState::passed_over);
  empty.why = "it is empty";
  CHECK(file_state_text(empty) == "no trace data: it is empty");
  empty.growing = true;
  CHECK(file_state_text(empty) == "still being written, nothing to show yet");

  FileStatus growing = file(FileState::done, 100);
  growing.growing = true;
  CHECK(file_state_text(growing) == "still being written");
  growing.state = FileState::reading;
  CHECK(file_state_text(growing) == "reading 100 %");

  FileStatus unfinished = file(FileState::done, 100);
  unfinished.unfinished = true;
  CHECK(file_state_text(unfinished) == "truncated");
  unfinished.growing = true;
  CHECK(file_state_text(unfinished) == "still being written");

  FileStatus stored = file(FileState::done, 100);
  stored.from_store = true;
  CHECK(file_state_text(stored) == "from the store");
  stored.merged = "4 ranks, TP00-DP00 to TP01-DP01";
  CHECK(file_state_text(stored) == "from the store · 4 ranks, TP00-DP00 to TP01-DP01");
}

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
