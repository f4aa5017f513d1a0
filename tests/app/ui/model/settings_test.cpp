#include "app/ui/model/settings.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "app/settings/settings_text.hpp"
#include "app/settings/window_keys.hpp"
#include "core/ingest/load/load_options.hpp"
#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope::ui;
using warpscope::tests::TestFolder;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Settings unusual() {
  Settings settings;
  settings.theme = ThemeChoice::light;
  settings.scale = 1.25f;
  settings.density = RowDensity::roomy;
  settings.wheel_zooms = true;
  settings.overlays = {{"launch-arrows", true}, {"step-boundaries", false}};
  settings.curve_tracks = true;
  settings.rail_folded = true;
  settings.label_width = 300;
  settings.bottom_height = 111;
  settings.bottom_folded = true;
  settings.query_height = 222;
  settings.memory_limit = std::uint64_t{8} << 30;
  settings.keep_stores = false;
  settings.store_limit = 12'345'678'901;
  settings.window_width = 1234;
  settings.window_height = 567;
  settings.recents = {"/a path/with = signs", "/line\nbreak\\n", "/plain"};
  settings.other = {{"from_the_future", "7 = 7"}};
  settings.hues = warpscope::scene::Hues::colour_blind_safe;
  settings.store_folder = "/somewhere else";
  return settings;
}

}  // namespace

TEST_CASE("settings survive printing and parsing") {
  const auto read_back = parse_settings(print_settings(unusual()));
  REQUIRE(read_back);
  CHECK(*read_back == unusual());
  const auto defaults = parse_settings(print_settings(Settings{}));
  REQUIRE(defaults);
  CHECK(*defaults == Settings{});
  CHECK(parse_settings("").value() == Settings{});
}

TEST_CASE("values out of range are clamped, and invalid values keep the default") {
  const auto settings = parse_settings(
      "# by hand\r\n\n  scale = 99\ntheme = pink\nrow_density=compact\nwheel_zooms = maybe\nlabel_width = nan\n"
      "window_width = 5\nrecent = \n");
  REQUIRE(settings);
  CHECK(settings->scale == kMaxScale);
  CHECK(settings->theme == ThemeChoice::dark);
  CHECK(settings->density == RowDensity::compact);
  CHECK_FALSE(settings->wheel_zooms);
  CHECK(settings->label_width == Settings{}.label_width);
  CHECK(settings->window_width == 400);
  CHECK(settings->recents.empty());
}

TEST_CASE("sizes are written and read with units") {
  Settings settings;
  settings.memory_limit = std::uint64_t{8} << 30;
  const std::string text = print_settings(settings);
  CHECK(text.find("memory_limit = 8 GiB\n") != std::string::npos);
  CHECK(text.find("store_limit = 20 GB\n") != std::string::npos);
  CHECK(print_settings({}).find("memory_limit = none\n") != std::string::npos);
  const auto by_hand = parse_settings("memory_limit = 1.5g\nstore_limit = 0\n");
  CHECK(by_hand->memory_limit == std::uint64_t{3} << 29);
  CHECK(by_hand->store_limit == 0);
  const auto odd = parse_settings("memory_limit = 5\nstore_limit = much\n");
  CHECK(odd->memory_limit == warpscope::ingest::kLeastMemoryLimit);
  CHECK(odd->store_limit == Settings{}.store_limit);
}

TEST_CASE("text that is not settings is an error that reports the line") {
  const auto bad = parse_settings("theme = dark\nthis is prose\n");
  REQUIRE_FALSE(bad);
  CHECK(bad.error().where == "line 2");
  CHECK_FALSE(
      parse_settings(std::string_view("\x7f"
                                      "ELF\0=\0\0",
                                      8)));
}

TEST_CASE("a corrupt settings file is reported and not overwritten") {
  const TestFolder folder;
  const fs::path path = folder.path() / "settings";
  for (const std::string& garbage : {std::string("\0=\0garbage", 10), std::string("this is prose\n")}) {
    folder.write("settings", garbage);
    SettingsFile file(path);
    CHECK(file.peek() == Settings{});
    const auto loaded = file.load();
    CHECK(loaded.settings == Settings{});
    REQUIRE(loaded.problem);
    CHECK(loaded.problem->advice.starts_with("using defaults; settings are not saved"));
    Settings settings = loaded.settings;
    settings.label_width = 111;
    CHECK_FALSE(file.flush(settings));  // already reported
    CHECK(read(path) == garbage);
  }
}

TEST_CASE("lines that cannot be applied are reported and not overwritten") {
  const TestFolder folder;
  const fs::path path = folder.path() / "settings";
  const std::string by_hand = "wheel_zooms = yes\ntheme = pink\nscale = 99\nmemory_limit = much\n";
  folder.write("settings", by_hand);
  SettingsFile file(path);
  const auto loaded = file.load();
  CHECK(loaded.settings.wheel_zooms);
  REQUIRE(loaded.problem);
  CHECK(loaded.problem->message() == path.string() +
                                         ": line 2: theme = pink: is not a valid value (2 more lines are also "
                                         "invalid); settings are not saved in this run; fix or remove the file");
  Settings settings = loaded.settings;
  settings.label_width = 111;
  CHECK_FALSE(file.flush(settings));
  CHECK(read(path) == by_hand);

  for (const char* line : {"wheel_zooms = maybe", "label_width = nan", "window_width = 5", "colours = pink",
                           "store_limit = much", "scale = small"}) {
    INFO(line);
    std::vector<warpscope::Error> wrong;
    CHECK(parse_settings(line, &wrong));
    CHECK(wrong.size() == 1);
  }
  std::vector<warpscope::Error> wrong;
  CHECK(parse_settings(print_settings(unusual()), &wrong));
  CHECK(wrong.empty());
}

TEST_CASE("a pipe in place of the settings is neither waited for nor replaced") {
  const TestFolder folder;
  const fs::path path = folder.path() / "settings";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  SettingsFile file(path);
  const auto loaded = file.load();
  REQUIRE(loaded.problem);
  CHECK(loaded.problem->advice.starts_with("using defaults; settings are not saved"));
  Settings settings = loaded.settings;
  settings.label_width = 111;
  CHECK_FALSE(file.flush(settings));
  CHECK(fs::is_fifo(path));
}

TEST_CASE("a change is written atomically after a delay and preserves unknown keys") {
  const TestFolder folder;
  const fs::path path = folder.path() / "deep" / "settings";
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "theme = light\nfrom_the_future = 1\n";
  SettingsFile file(path);
  Settings settings = file.load().settings;
  const auto start = SettingsFile::Clock::now();
  using std::chrono::milliseconds;
  CHECK_FALSE(file.update(settings, start));
  CHECK_FALSE(file.due_in(start));

  settings.label_width = 111;
  CHECK_FALSE(file.update(settings, start));
  REQUIRE(file.due_in(start));
  CHECK(*file.due_in(start) > 0.4);
  settings.label_width = 112;
  CHECK_FALSE(file.update(settings, start + milliseconds(400)));
  CHECK_FALSE(file.update(settings, start + milliseconds(700)));  // changed again, so the delay restarts
  CHECK(read(path).find("112") == std::string::npos);
  CHECK_FALSE(file.update(settings, start + milliseconds(1000)));
  CHECK_FALSE(file.due_in(start + milliseconds(1000)));
  const std::string text = read(path);
  CHECK(text.find("label_width = 112") != std::string::npos);
  CHECK(text.find("theme = light") != std::string::npos);
  CHECK(text.find("from_the_future = 1") != std::string::npos);
  CHECK(std::distance(fs::directory_iterator(path.parent_path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a settings file that is a symbolic link remains one, and its target is written") {
  const TestFolder folder;
  fs::create_directories(folder.path() / "dotfiles");
  fs::create_directories(folder.path() / "config");
  const fs::path real = folder.path() / "dotfiles" / "warpscope";
  const fs::path path = folder.path() / "config" / "settings";
  std::ofstream(real) << "theme = light\n";
  fs::create_symlink("../dotfiles/warpscope", path);
  SettingsFile file(path);
  Settings settings = file.load().settings;
  settings.label_width = 112;
  CHECK_FALSE(file.flush(settings));
  CHECK(fs::is_symlink(path));
  CHECK(read(real).find("label_width = 112") != std::string::npos);
}

TEST_CASE("a link next to the settings file is not followed") {
  const TestFolder folder;
  const auto victim = folder.write("victim", "text");
  const auto path = folder.path() / "settings";
  fs::create_symlink(victim, folder.path() / "settings.new");
  SettingsFile file(path);
  Settings settings = file.load().settings;
  settings.wheel_zooms = !settings.wheel_zooms;
  CHECK_FALSE(file.flush(settings));
  CHECK(fs::is_regular_file(fs::symlink_status(path)));
  CHECK(fs::file_size(victim) == 4);
}

TEST_CASE("a failure to write settings is reported once") {
  SettingsFile file("/proc/missing/settings");  // no folder can be created there
  Settings settings = file.load().settings;
  settings.wheel_zooms = true;
  CHECK(file.flush(settings));
  CHECK_FALSE(file.flush(settings));
}

TEST_CASE("settings from earlier versions are accepted") {
  std::vector<warpscope::Error> wrong;
  const auto old = parse_settings("all_launch_arrows = yes\ntheme = system\nkeys.app.quit = F10\n", &wrong);
  REQUIRE(old);
  CHECK(wrong.empty());
  CHECK(old->theme == ThemeChoice::dark);
  CHECK(warpscope::settings::is_window_key("all_launch_arrows"));
}

TEST_CASE("commands recognize exactly the keys that the window writes") {
  namespace shared = warpscope::settings;
  Settings settings;
  settings.overlays["launch-arrows"] = true;
  settings.recents = settings.roots = {"/run"};
  std::set<std::string, std::less<>> window;
  shared::LoadSettings loading;
  REQUIRE_FALSE(shared::each_setting(print_settings(settings), [&](std::string_view key, std::string_view value, int) {
    if (shared::take(loading, key, value)) return;
    INFO(key);
    CHECK(shared::is_window_key(key));
    window.emplace(key);
  }));
  for (const std::string_view key : shared::kWindowKeys) {
    INFO(key);
    CHECK(window.contains(key));
  }
}

TEST_CASE("recent paths are unique, most recent first, and limited in number") {
  Settings settings;
  for (int i = 0; i < 20; ++i) remember_recent(settings, "/run" + std::to_string(i));
  CHECK(settings.recents.size() == kMaxRecents);
  remember_recent(settings, "/run15");
  CHECK(settings.recents.front() == "/run15");
  CHECK(std::ranges::count(settings.recents, "/run15") == 1);
}
