#include "app/settings/load_settings.hpp"

#include "app/settings/settings_text.hpp"
#include "core/ingest/load_options.hpp"
#include "tests/catch.hpp"
#include "tests/environment.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using settings::LoadSettings;

namespace {

Result<LoadSettings> read_from(const std::string& text) {
  const TestFolder folder;
  return settings::read_load_settings(folder.write("settings", text));
}

}  // namespace

TEST_CASE("what the settings say of loading survives printing and reading, whatever else stands in the file") {
  LoadSettings unusual;
  unusual.memory_limit = std::uint64_t{3} << 29;
  unusual.keep_stores = false;
  unusual.store_limit = 12'345'678'901;
  unusual.store_folder = "/a path/with\nbreak = x";
  const auto back = read_from("# by hand\ntheme = dark\n" + settings::print(unusual) + "from_the_future = 1\n");
  REQUIRE(back);
  CHECK(*back == unusual);
  CHECK(*read_from(settings::print({})) == LoadSettings());
  CHECK(*read_from("") == LoadSettings());
  CHECK(*settings::read_load_settings("/no/such/file") == LoadSettings());
  CHECK(*settings::read_load_settings("") == LoadSettings());
}

TEST_CASE("odd values of the settings of loading are clamped or left out, and no settings file is an error") {
  const auto odd = read_from("memory_limit = 5\nstore_limit = much\nkeep_stores = perhaps\n");
  REQUIRE(odd);
  CHECK(odd->memory_limit == ingest::kLeastMemoryLimit);
  CHECK(odd->store_limit == LoadSettings().store_limit);
  CHECK(odd->keep_stores);
  const auto none = read_from("memory_limit = 1G\nprose\n");
  REQUIRE_FALSE(none);
  CHECK(none.error().where == "line 2");
}

TEST_CASE("stores go to the folder that is set if it is a whole path, else to the platform's") {
  const Variable cache("XDG_CACHE_HOME", "/the/cache");
  LoadSettings chosen;
  CHECK(settings::store_folder(chosen) == "/the/cache/warpscope/stores");
  chosen.store_folder = "relative";
  CHECK(settings::store_folder(chosen) == "/the/cache/warpscope/stores");
  chosen.store_folder = "/somewhere else";
  CHECK(settings::store_folder(chosen) == "/somewhere else");
}
