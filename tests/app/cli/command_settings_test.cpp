// Commands apply the user's load settings; options override them.
#include "app/cli/load_flags.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/environment.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// A user's folders, with the given settings.
struct User {
  TestFolder folder;
  Variable config{"XDG_CONFIG_HOME", (folder.path() / "config").c_str()};
  Variable cache{"XDG_CACHE_HOME", (folder.path() / "cache").c_str()};
  TestFolder traces;
  std::string path = small_set(traces);

  explicit User(const std::string& settings) { folder.write("config/warpscope/settings", settings); }
};

}  // namespace

TEST_CASE("commands save, use and check stores in the configured folder", "[cli]") {
  const TestFolder own;
  const User user("store_folder = " + (own.path() / "stores").string() + "\n");
  const Outcome kept = run({"info", user.path, "--save-store"});
  CHECK(kept.status == cli::kDone);
  CHECK(kept.err.find((own.path() / "stores").string()) != std::string::npos);
  CHECK(fs::exists(own.path() / "stores"));
  CHECK_FALSE(fs::exists(user.folder.path() / "cache"));
  CHECK(
      run({"analyze", "kernel_time", user.path, "--save-store"}).err.starts_with("warpscope: a store already exists"));
}

TEST_CASE("a store above the configured size limit is not saved, and a message says so", "[cli]") {
  const User user("store_limit = 10\n");
  const Outcome refused = run({"info", user.path, "--save-store"});
  CHECK(refused.status == cli::kNotWritten);
  CHECK(refused.err.find("exceeds the size limit for all stores (10 B)") != std::string::npos);
}

TEST_CASE("options override the settings", "[cli]") {
  settings::LoadSettings saved;
  saved.memory_limit = std::uint64_t{8} << 30;
  saved.store_limit = 7;
  cli::LoadFlags flags;
  CHECK(cli::load_options(flags, saved)->memory_limit == saved.memory_limit);
  CHECK(cli::load_options(flags, saved)->store.limit == 7);
  CHECK(cli::load_options(flags, {})->memory_limit == 0);
  flags.memory = "1G";
  CHECK(cli::load_options(flags, saved)->memory_limit == std::uint64_t{1} << 30);
  flags.memory = "none";
  CHECK(cli::load_options(flags, saved)->memory_limit == 0);
}

TEST_CASE("an invalid setting is reported once, with file, line and the value used instead", "[cli]") {
  const User user("theme = dark\nmemory_limit = rubbish\n");
  const Outcome outcome = run({"info", user.path, "--json", "--no-store"});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.err.starts_with("warpscope: " + (user.folder.path() / "config/warpscope/settings").string() +
                                ", line 2: memory_limit = rubbish: "));
  CHECK(outcome.err.ends_with("; using no limit instead\n"));
}

TEST_CASE("unreadable settings are reported and left unchanged, and the defaults are used", "[cli]") {
  const User user("this is prose\n");
  const Outcome outcome = run({"info", user.path, "--json", "--no-store"});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.err.find("config/warpscope/settings: cannot read the settings (line 1: ") != std::string::npos);
  CHECK(fs::exists(user.folder.path() / "config" / "warpscope" / "settings"));
}
