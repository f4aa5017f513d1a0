#include "app/ui/shell/state_dump.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "core/base/json_writer.hpp"
#include "tests/catch.hpp"
#include "tests/test_folder.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

TEST_CASE("a link at a temporary name of the state is not followed") {
  const TestFolder folder;
  const fs::path target = folder.path() / "state.json";
  const fs::path victim = folder.write("victim", "text");
  fs::create_symlink(victim, target.string() + ".tmp-" + std::to_string(::getpid()));
  ui::StateDump state(target);
  state.update();
  CHECK_FALSE(state.problem());
  CHECK(fs::file_size(target) == state.text().size());
  CHECK(read_whole(victim) == "text");
}

TEST_CASE("a failure to write the state is reported until a write succeeds, and leaves no temporary file") {
  const TestFolder folder;
  const fs::path target = folder.path() / "none" / "state.json";
  ui::StateDump state(target);
  state.add([](JsonWriter& writer) { writer.member("page", "load"); });
  state.update();
  REQUIRE(state.problem());
  CHECK(state.problem()->message() ==
        target.string() + ": cannot be written: No such file or directory; choose another file");
  fs::create_directory(target.parent_path());
  state.update();
  CHECK_FALSE(state.problem());
  CHECK(fs::file_size(target) == state.text().size());

  ui::StateDump into_folder(target.parent_path());
  into_folder.update();
  REQUIRE(into_folder.problem());
  CHECK(into_folder.problem()->what.find("directory") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.path() / "none.new"));

  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  ui::StateDump into_pipe(pipe);
  into_pipe.update();
  CHECK(into_pipe.problem());
  CHECK(fs::is_fifo(pipe));  // renaming would have replaced the pipe with a file

  ui::StateDump none;
  none.update();
  CHECK_FALSE(none.problem());
}
