#include "app/ui/model/directory_loader.hpp"

#include <unistd.h>

#include "core/ingest/load/load_options.hpp"
#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ui;

TEST_CASE("files in a load are named relative to the opened path", "[threads]") {
  const tests::TestFolder folder;
  const std::string text = R"({"traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"device": 0}}]})";
  folder.write("rank0.json", text);
  folder.write("more/rank1.json", text);
  const auto loader = directory_loader({.threads = 1})(folder.path(), {}, [] {});
  for (int i = 0; i < 20'000 && loader->progress().running; ++i) ::usleep(1000);
  for (int look = 0; look < 2; ++look) {
    const std::vector<FileStatus> files = loader->progress().files;
    REQUIRE(files.size() == 2);
    CHECK(files[0].name == "more/rank1.json");
    CHECK(files[1].name == "rank0.json");
  }
}
