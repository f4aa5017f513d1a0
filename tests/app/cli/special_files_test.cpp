// Pipes, devices and endless files as settings and rules.
#include <sys/stat.h>

#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/environment.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

TEST_CASE("a pipe or device as a rules or settings file is an error, not a wait", "[cli]") {
  const TestFolder traces;
  const std::string path = small_set(traces);
  const TestFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string option : {"--rules-file", "--settings-file"}) {
    const Outcome outcome = run({"rules", path, "--no-store", option, pipe});
    CHECK(outcome.status == cli::kUsage);
    CHECK(contains(outcome.err, pipe + ": is a pipe, not a file"));
    CHECK(contains(run({"rules", path, "--no-store", option, "/dev/zero"}).err, "is a device, not a file"));
  }
}

TEST_CASE("an empty name of a rules or settings file is an error", "[cli]") {
  const TestFolder traces;
  const std::string path = small_set(traces);
  for (const std::string option : {"--rules-file", "--settings-file"}) {
    const Outcome outcome = run({"rules", path, "--no-store", option, ""});
    CHECK(outcome.status == cli::kUsage);
    CHECK(contains(outcome.err, option + ": needs a file name"));
  }
}

TEST_CASE("a settings folder that cannot be read is reported", "[cli]") {
  const TestFolder traces;
  const std::string path = small_set(traces);
  const TestFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const Variable config("XDG_CONFIG_HOME", pipe.c_str());
  const Outcome outcome = run({"rules", path, "--no-store"});
  CHECK(outcome.status == cli::kDone);
  CHECK(contains(outcome.err, "settings: cannot read the settings (part of the path is a file, not a directory"));
  CHECK(contains(outcome.err, "rules.json: part of the path is a file, not a directory"));
}

TEST_CASE("a pipe or an endless file in the settings folder is reported, and the defaults are used", "[cli]") {
  const TestFolder traces;
  const std::string path = small_set(traces);
  const TestFolder folder;
  const Variable config("XDG_CONFIG_HOME", folder.path().c_str());
  const fs::path own = folder.path() / "warpscope";
  fs::create_directories(own);
  REQUIRE(::mkfifo((own / "settings").c_str(), 0600) == 0);
  REQUIRE(::mkfifo((own / "rules.json").c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", own / "rule-settings.json");
  const Outcome outcome = run({"rules", path, "--no-store"});
  CHECK(outcome.status == cli::kDone);
  CHECK(contains(outcome.err, "settings: cannot read the settings (is a pipe, not a file)"));
  CHECK(contains(outcome.err, "rules.json: is a pipe, not a file"));
  CHECK(contains(outcome.err, "rule-settings.json: is a device, not a file"));
}
