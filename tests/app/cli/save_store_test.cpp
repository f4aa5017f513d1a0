// `--save-store` writes a valid store, or reports why it cannot and exits with 4.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "core/store/cache.hpp"
#include "core/store/reader.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/damage.hpp"
#include "tests/environment.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// A set of traces and an empty cache folder.
struct Kept {
  TestFolder cache;
  Variable home{"XDG_CACHE_HOME", cache.path().c_str()};
  TestFolder folder;
  std::string traces = small_set(folder);

  [[nodiscard]] fs::path store() const { return store::Cache(store::Cache::default_folder()).place_of(traces); }
  [[nodiscard]] Outcome save() const { return run({"info", traces, "--save-store", "--json"}); }
  [[nodiscard]] bool sound() const {
    const auto parts = store::verify_parts(store().string(), nullptr);
    return parts && std::ranges::none_of(*parts, [](const auto& part) { return part.wrong.has_value(); });
  }
};

/// Returns byte offsets within the store's columns and event text.
std::vector<std::uint64_t> bytes_to_damage(const fs::path& path) {
  const auto file = store::open_store(path.string());
  REQUIRE(file.ok());
  const store::RankPlace place = *file->sources()[0].rank;
  const store::SectionRef block = file->archive(0)->front().section;
  return {place.base + place.head.offset + place.head.stored / 2, place.base + 9, place.base + place.length / 2,
          block.offset + block.stored / 2};
}

bool says(const Outcome& outcome, const std::string& what) {
  INFO(outcome.err);
  return outcome.err.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("--save-store replaces a corrupt store", "[cli]") {
  const Kept kept;
  REQUIRE(kept.save().status == cli::kDone);
  const fs::path good = kept.cache.path() / "good";
  fs::copy_file(kept.store(), good);
  for (const std::uint64_t at : bytes_to_damage(good)) {
    INFO("byte " << at);
    fs::copy_file(good, kept.store(), fs::copy_options::overwrite_existing);
    change_byte(kept.store(), at);
    REQUIRE_FALSE(kept.sound());
    const Outcome again = kept.save();
    CHECK(again.status == cli::kDone);
    CHECK(says(again, "warpscope: saved a store of "));
    CHECK(kept.sound());
    CHECK(says(kept.save(), "warpscope: a store already exists: "));
  }
}

TEST_CASE("--save-store exits with 4 if no store can be written, and reports the folder and the cause", "[cli]") {
  const Kept kept;
  kept.cache.write("warpscope", "a file in the way");
  for (const char* const command : {"info", "analyze", "convert"}) {
    INFO(command);
    std::vector<std::string> arguments{command};
    if (std::string(command) == "analyze") arguments.emplace_back("kernel_time");
    arguments.insert(arguments.end(), {kept.traces, "--save-store"});
    if (std::string(command) == "convert")
      arguments.insert(arguments.end(), {"--out", (kept.cache.path() / "job.wscope").string()});
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == cli::kNotWritten);
    CHECK(says(outcome, (kept.cache.path() / "warpscope").string()));
    CHECK(says(outcome, "Not a directory"));
  }
  CHECK(run({"info", kept.traces}).status == cli::kDone);
}

TEST_CASE("--save-store exits with 4 on a full disk", "[cli]") {
  const Kept kept;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const struct rlimit small { 10'000, 10'000 };
    ::setrlimit(RLIMIT_FSIZE, &small);
    const Outcome outcome = run({"analyze", "kernel_time", kept.traces, "--save-store"});
    const bool said = outcome.err.find("the store cannot be written: ") != std::string::npos &&
                      outcome.err.find(kept.cache.path().string()) != std::string::npos;
    ::_exit(outcome.status == cli::kNotWritten && said ? 77 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 77);
}
