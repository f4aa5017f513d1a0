#include "app/settings/load_settings.hpp"

#include "app/settings/settings_text.hpp"
#include "core/ingest/load/load_options.hpp"
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

TEST_CASE("load settings survive printing and parsing among other lines") {
  LoadSettings unusual;
  unusual.memory_limit = std::uint64_t{3} << 29;
  unusual.keep_stores = false;
  unusual.store_limit = 12'345'678'901;
  unusual.store_folder = "/a path/with\nbreak = x";
  unusual.kernel_class = "communication=my_ring; memory=a*b";
  const auto back = read_from("# by hand\ntheme = dark\n" + settings::print(unusual) + "from_the_future = 1\n");
  REQUIRE(back);
  CHECK(*back == unusual);
  CHECK(*read_from(settings::print({})) == LoadSettings());
  CHECK(*read_from("") == LoadSettings());
  CHECK(*settings::read_load_settings("/no/such/file") == LoadSettings());
  CHECK(*settings::read_load_settings("") == LoadSettings());
}

TEST_CASE("invalid load settings are clamped or ignored and are never an error") {
  const auto odd = read_from("memory_limit = 5\nstore_limit = much\nkeep_stores = perhaps\n");
  REQUIRE(odd);
  CHECK(odd->memory_limit == ingest::kLeastMemoryLimit);
  CHECK(odd->store_limit == LoadSettings().store_limit);
  CHECK(odd->keep_stores);
  CHECK(read_from("kernel_class = memory=a\nkernel_class = magic=x\n")->kernel_class == "memory=a");
  const auto none = read_from("memory_limit = 1G\nprose\n");
  REQUIRE_FALSE(none);
  CHECK(none.error().where == "line 2");
}

TEST_CASE("each setting that cannot be applied is reported with its line and the value used instead") {
  const Variable cache("XDG_CACHE_HOME", "/the/cache");
  const TestFolder folder;
  std::vector<Error> wrong;
  const auto read = settings::read_load_settings(folder.write("settings",
                                                              "# by hand\ntheme = dark\nkeys.find = Ctrl+F\n"
                                                              "memory_limit = rubbish\nmemory_limit = 10M\n"
                                                              "keep_stores = perhaps\nstore_limit = 1 GB\n"
                                                              "store_folder = relative/dir\nmemory_limt = 8G\n"),
                                                 &wrong);
  REQUIRE(read);
  std::string all;
  for (const Error& error : wrong) all += error.message() + "\n";
  INFO(all);
  REQUIRE(wrong.size() == 5);
  CHECK(wrong[0].where == "line 4: memory_limit = rubbish");
  CHECK(wrong[0].advice == "using no limit instead");
  CHECK(wrong[1].message() == "line 5: memory_limit = 10M: is too small; using 64 MiB instead");
  CHECK(wrong[2].message() == "line 6: keep_stores = perhaps: must be yes or no; using yes instead");
  CHECK(wrong[3].message() ==
        "line 8: store_folder = relative/dir: is not an absolute path; using /the/cache/warpscope/stores "
        "instead");
  CHECK(wrong[4].message() == "line 9: memory_limt: unknown setting; the line is ignored");
  wrong.clear();
  CHECK(settings::read_load_settings(folder.write("settings", settings::print(LoadSettings())), &wrong).ok());
  CHECK(wrong.empty());
}

TEST_CASE("stores go to the configured folder if it is an absolute path, otherwise to the default folder") {
  const Variable cache("XDG_CACHE_HOME", "/the/cache");
  LoadSettings chosen;
  CHECK(settings::store_folder(chosen) == "/the/cache/warpscope/stores");
  chosen.store_folder = "relative";
  CHECK(settings::store_folder(chosen) == "/the/cache/warpscope/stores");
  chosen.store_folder = "/somewhere else";
  CHECK(settings::store_folder(chosen) == "/somewhere else");
}
