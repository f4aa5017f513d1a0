// The whole application without a display, driven by scripts.
#include "app/ui/shell/app.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/icons.hpp"
#include "tests/app/ui/conflicts.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/pictures.hpp"

using namespace warpscope;
using namespace warpscope::ui;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

struct Log {
  std::vector<std::string> searches;
  std::vector<std::string> filters;
  int steps = 0;
  int taps = 0;
  int held_frames = 0;
  int fast_frames = 0;
  int escapes = 0;
  int profiles = 0;
};

const PageSpec kLogPage{"log", "Log", Icon::timeline, nullptr};

/// A page that records its input.
class LogPage : public Page, private Searcher {
 public:
  LogPage(AppContext& context, Log& log) : Page(kLogPage), log_(log) {
    Command move{"test.left", "Move left", "Test", {}, [] {}};
    move.page = "log";
    move.continuous = true;
    context.commands.add(std::move(move), {"A", "Left"});
    Command tap{"test.tap", "Tap", "Test", {}, [this] { ++log_.taps; }};
    tap.page = "log";
    context.commands.add(std::move(tap), {"F", "["});
  }
  void draw(AppContext& context) override {
    if (const Hold hold = context.commands.held("test.left")) {
      ++log_.held_frames;
      log_.fast_frames += hold.fast ? 1 : 0;
    }
  }
  void profile_changed(AppContext&) override { ++log_.profiles; }
  bool escape(AppContext&) override {
    ++log_.escapes;
    return true;
  }
  Searcher* searcher() override { return this; }

 private:
  void search(std::string_view query) override { log_.searches.emplace_back(query); }
  [[nodiscard]] SearchStatus status() const override { return {3, 1, false, ""}; }
  void step(int direction) override { log_.steps += direction; }
  [[nodiscard]] bool can_filter() const override { return true; }
  [[nodiscard]] std::vector<std::string> filters() const override { return log_.filters; }
  void add_filter(std::string_view query) override { log_.filters.emplace_back(query); }
  void remove_filter(std::size_t index) override {
    log_.filters.erase(log_.filters.begin() + static_cast<std::ptrdiff_t>(index));
  }

  Log& log_;
};

/// A job with one kernel; returns its folder.
std::string write_job(const TestFolder& folder) {
  return folder.write("job/rank0.json", trace_of(kernel_event("first"))).parent_path().string();
}

std::unique_ptr<OffscreenApp> make_app(Log& log, AppOptions options = {}, int width = 1280, int height = 800) {
  options.loader = directory_loader({.threads = 1});
  options.pages =
      with_load_and_settings({[&log](AppContext& context) { return std::make_unique<LogPage>(context, log); }});
  return offscreen_app(std::move(options), width, height);
}

std::size_t colors_in(const gl::Image& image) {
  std::set<std::uint32_t> colors;
  for (int y = 0; y < image.height; y += 2) {
    for (int x = 0; x < image.width; x += 2) colors.insert(image.pixel(x, y));
  }
  return colors.size();
}

}  // namespace

TEST_CASE("no two commands have the same key, and all key names are valid") {
  Log log;
  AppOptions options;
  options.make_demo = [] { return Result<fs::path>(fs::path("/nowhere")); };
  const auto app = make_app(log, std::move(options));
  if (!app) return;
  CommandTable& commands = app->app().context().commands;
  for (const auto& conflict : tests::conflicts_in(commands))
    FAIL_CHECK(conflict.first << " and " << conflict.second << " both use " << to_string(conflict.chord));
  CHECK(commands.all().size() > 20);
  for (const Command& command : commands.all()) {
    INFO(command.id);
    CHECK_FALSE(command.name.empty());
    CHECK_FALSE(command.category.empty());
    CHECK(command.action);
    CHECK(command.name.back() != '.');
  }
}

TEST_CASE("pages and dialogs are drawn in both themes at 1x and 2x") {
  for (const ThemeChoice theme : {ThemeChoice::dark, ThemeChoice::light}) {
    for (const int scale : {1, 2}) {
      Log log;
      AppOptions options;
      options.theme = theme;
      options.scale = static_cast<float>(scale);
      const auto app = make_app(log, std::move(options), 1000 * scale, 700 * scale);
      if (!app) return;
      REQUIRE(app->settle());
      const gl::Image load = app->image();
      CHECK(load.width == 1000 * scale);
      CHECK(load.pixel(load.width - 3, load.height - 3) == (theme == ThemeChoice::dark ? 0x14171cu : 0xffffffu));
      CHECK(colors_in(load) > 20);
      for (const char* script : {"key:?", "key:Esc;key:Ctrl+O", "key:Esc;key:Ctrl+Shift+P", "key:Esc;key:Alt+3"}) {
        INFO(script);
        play(*app, script);
        CHECK(tests::differing_pixels(load, app->image()) > 5000);
      }
    }
  }
}

TEST_CASE("keys open dialogs and Esc closes them, one at a time") {
  Log log;
  const auto app = make_app(log);
  if (!app) return;
  play(*app, "key:?");
  CHECK(state_has(*app, R"("dialog": "palette")"));
  play(*app, "type:?");  // typed into the field, does not run a command
  CHECK(state_has(*app, R"("dialog": "palette")"));
  play(*app, "key:Esc");
  CHECK(state_has(*app, R"("dialog": "")"));
  play(*app, "key:Ctrl+Shift+P");
  CHECK(state_has(*app, R"("dialog": "palette")"));
  play(*app, "type:light theme;key:Enter");
  CHECK(state_has(*app, R"("dialog": "")"));
  CHECK(state_has(*app, R"("theme": "light")"));
  play(*app, "key:Ctrl+Shift+P;key:Ctrl+Shift+P");
  CHECK(state_has(*app, R"("dialog": "")"));
  play(*app, "key:?;click:5,795");
  CHECK(state_has(*app, R"("dialog": "")"));
}

TEST_CASE("opening a directory with the keyboard shows it") {
  const TestFolder folder;
  static_cast<void>(write_job(folder));
  Log log;
  const auto app = make_app(log);
  if (!app) return;
  const std::string path = (folder.path() / "j").string();
  play(*app, "key:Ctrl+O;press:Ctrl;key:A;release:Ctrl;type:" + path + ";key:Tab;key:Enter;wait:2;settle");
  CHECK(state_has(*app, R"("page": "log")"));
  CHECK(state_has(*app, R"("profile": "job")"));
  CHECK(state_has(*app, R"("ranks": 1)"));
  CHECK(state_has(*app, R"("complete": true)"));
  CHECK(log.profiles >= 1);
  REQUIRE_FALSE(app->app().context().settings.recents.empty());
  CHECK(fs::path(app->app().context().settings.recents[0]).filename() == "job");
  play(*app, "key:Ctrl+W");
  CHECK(state_has(*app, R"("page": "load")"));
  CHECK(state_has(*app, R"("profile": "")"));
}

TEST_CASE("a failed open shows an error until the error is dismissed") {
  Log log;
  const auto app = make_app(log);
  if (!app) return;
  play(*app, "open:/there/is/no/such/thing;settle");
  CHECK(app->app().context().settings.recents.empty());
  CHECK(state_has(*app, R"("page": "load")"));
  CHECK_FALSE(state_has(*app, R"("messages": [])"));
  play(*app, "wait:400");
  CHECK_FALSE(state_has(*app, R"("messages": [])"));
  play(*app, "key:Shift+Esc");
  CHECK(state_has(*app, R"("messages": [])"));
}

TEST_CASE("watching an empty directory waits without reporting an error") {
  const TestFolder folder;
  const std::string job = write_job(folder);
  fs::create_directory(folder.path() / "live");
  Log log;
  AppOptions options;
  options.watch = true;
  const auto app = make_app(log, std::move(options));
  if (!app) return;
  play(*app, "open:" + (folder.path() / "live").string() + ";settle");
  CHECK(state_has(*app, R"("awaiting": true)"));
  CHECK(state_has(*app, R"("messages": [])"));
  CHECK(state_has(*app, R"("page": "load")"));
  fs::copy_file(fs::path(job) / "rank0.json", folder.path() / "live" / "rank0.json");
  for (int i = 0; i < 6000 && !state_has(*app, R"("ranks": 1)"); ++i) {
    ::usleep(5000);
    app->frame();
  }
  CHECK(state_has(*app, R"("ranks": 1)"));
  CHECK(state_has(*app, R"("awaiting": false)"));
  CHECK(state_has(*app, R"("page": "log")"));
}

TEST_CASE("the --memory limit is shown and not saved") {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  const TestFolder folder;
  const std::string job = write_job(folder);
  const fs::path settings_path = folder.path() / "settings";
  std::ofstream(settings_path) << "memory_limit = 8 GiB\n";
  REQUIRE(SettingsFile(settings_path).peek().memory_limit == 8 * kGiB);
  {
    Log log;
    AppOptions options;
    options.settings_path = settings_path;
    options.memory_limit = 6 * kGiB;
    const auto app = make_app(log, std::move(options), 1280, 400);
    if (!app) return;
    play(*app, "key:Alt+3;settle");
    CHECK(state_has(*app, R"("memory_note": "6.00 GiB for this run (--memory); the setting is 8.00 GiB")"));
    play(*app, "open:" + job + ";settle");
    CHECK(app->app().context().session.progress().memory_limit == 6 * kGiB);
    app->app().context().settings.rail_folded = true;  // a setting to save
  }
  CHECK(SettingsFile(settings_path).peek().memory_limit == 8 * kGiB);
  CHECK(SettingsFile(settings_path).peek().rail_folded);
  Log log;
  AppOptions options;
  options.settings_path = settings_path;
  options.memory_limit = 6 * kGiB;
  const auto app = make_app(log, std::move(options));
  if (!app) return;
  play(*app, "open:" + job + ";settle;key:Alt+3;settle");
  app->app().context().settings.memory_limit = 4 * kGiB;
  play(*app, "settle");
  CHECK(state_has(*app, "loaded with 6.00 GiB; reload it to apply the new limit"));
}

TEST_CASE("the find field searches, steps, filters and returns keyboard focus") {
  const TestFolder folder;
  const std::string job = write_job(folder);
  Log log;
  const auto app = make_app(log);
  if (!app) return;
  play(*app, "open:" + job + ";settle;key:/;type:nccl");
  REQUIRE_FALSE(log.searches.empty());
  CHECK(log.searches.back() == "nccl");
  play(*app, "key:Enter;wait:2;key:Enter;wait:2;key:Shift+Enter");
  CHECK(log.steps == 1);
  play(*app, "key:Ctrl+Enter");
  CHECK(log.filters == std::vector<std::string>{"nccl"});
  CHECK(log.searches.back().empty());
  play(*app, "type:fa;key:F3");
  CHECK(log.searches.back() == "fa");
  CHECK(log.steps == 2);
  CHECK(log.taps == 0);
  CHECK(log.held_frames == 0);
  play(*app, "key:Esc;key:f");
  CHECK(log.taps == 1);
  CHECK(state_has(*app, R"("query": "fa")"));
}

TEST_CASE("taps and holds use the same command table") {
  const TestFolder folder;
  const std::string job = write_job(folder);
  Log log;
  const auto app = make_app(log);
  if (!app) return;
  play(*app, "open:" + job + ";settle;key:a");
  CHECK(log.held_frames == 1);
  play(*app, "hold:Left,30");
  CHECK(log.held_frames == 31);
  CHECK(log.fast_frames == 0);
  play(*app, "press:Shift;hold:a,5;release:Shift");
  CHECK(log.fast_frames == 5);
  play(*app, "press:Ctrl;hold:a,5;release:Ctrl");
  CHECK(log.held_frames == 36);
  play(*app, "key:[;key:f*3");
  CHECK(log.taps == 4);
  play(*app, "key:Esc");
  CHECK(log.escapes == 1);
  play(*app, "key:Alt+1;key:f");  // keys of the previous page
  CHECK(log.taps == 4);
}

TEST_CASE("a chord released before the next frame still counts") {
  Log log;
  const auto app = make_app(log);
  if (!app) return;
  const auto key = [](ImGuiKey which, bool down) {
    InputEvent event{.kind = InputKind::key};
    event.key = which;
    event.down = down;
    return event;
  };
  const std::vector<InputEvent> at_once = {key(ImGuiMod_Ctrl, true), key(ImGuiKey_O, true), key(ImGuiMod_Ctrl, false),
                                           key(ImGuiKey_O, false)};
  REQUIRE(app->play(Script{{at_once}}));
  CHECK(state_has(*app, R"("dialog": "browser")"));
  const std::vector<InputEvent> reversed = {key(ImGuiKey_P, true),      key(ImGuiKey_P, false),
                                            key(ImGuiMod_Ctrl, true),   key(ImGuiMod_Shift, true),
                                            key(ImGuiMod_Shift, false), key(ImGuiMod_Ctrl, false)};
  REQUIRE(app->play(Script{{reversed}}));
  CHECK(state_has(*app, R"("dialog": "browser")"));  // P, then Ctrl+Shift does not open the palette
}

TEST_CASE("settings are saved, and the state file follows the window") {
  const TestFolder folder;
  Log log;
  const fs::path settings_path = folder.path() / "config" / "settings";
  {
    AppOptions options;
    options.settings_path = settings_path;
    options.state_file = folder.path() / "state.json";
    const auto app = make_app(log, std::move(options));
    if (!app) return;
    play(*app, "run:view.theme-light;run:app.fold-rail");
    std::ifstream state(folder.path() / "state.json");
    const std::string text{std::istreambuf_iterator<char>(state), std::istreambuf_iterator<char>()};
    CHECK(text == app->app().state_text());
    CHECK(text.find(R"("theme": "light")") != std::string::npos);
  }
  SettingsFile file(settings_path);
  const Settings saved = file.load().settings;
  CHECK(saved.theme == ThemeChoice::light);
  CHECK(saved.rail_folded);
}

TEST_CASE("the same script produces the same image") {
  Log log;
  const auto first = make_app(log);
  if (!first) return;
  const char* script = "key:?;type:pal;wait:3";
  play(*first, script);
  const gl::Image image = first->image();
  const auto second = make_app(log);
  REQUIRE(second);
  play(*second, script);
  CHECK(image == second->image());
}
