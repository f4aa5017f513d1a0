#pragma once
// The whole application without a display, driven by scripts.
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/shell/offscreen_app.hpp"
#include "tests/catch.hpp"

namespace warpscope::tests {

/// Returns null and warns if OpenGL is not available without a display; the test must then return. If the environment
/// variable WARPSCOPE_REQUIRE_GL is set, the test fails instead.
inline std::unique_ptr<ui::OffscreenApp> offscreen_app(ui::AppOptions options, int width, int height) {
  auto app = ui::OffscreenApp::create(std::move(options), width, height);
  if (!app) {
    if (std::getenv("WARPSCOPE_REQUIRE_GL") != nullptr) FAIL(app.error().message());
    WARN("skipped, OpenGL is not available: " << app.error().message());
    return nullptr;
  }
  return std::move(app.value());
}

/// The pages between Load and Settings.
inline std::vector<ui::PageFactory> with_load_and_settings(std::vector<ui::PageFactory> pages) {
  pages.insert(pages.begin(), ui::find_page("load")->make);
  pages.emplace_back(ui::find_page("settings")->make);
  return pages;
}

/// Always dark and at scale 1, regardless of the desktop and the display.
inline ui::AppOptions app_options(ui::LoaderFactory loader, std::vector<ui::PageFactory> pages, float scale = 1) {
  ui::AppOptions options;
  options.scale = scale;
  options.theme = ui::ThemeChoice::dark;
  options.loader = std::move(loader);
  options.pages = with_load_and_settings(std::move(pages));
  return options;
}

/// Returns a factory that creates a page and keeps `at` pointing to it.
template <class MadePage>
ui::PageFactory page_at(MadePage*& at) {
  return [&at](ui::AppContext& context) -> std::unique_ptr<ui::Page> {
    auto page = std::make_unique<MadePage>(context);
    at = page.get();
    return page;
  };
}

/// Runs a script (app/ui/shell/script.hpp), waits until everything has settled, then draws a frame.
inline void play(ui::OffscreenApp& app, std::string_view text) {
  const auto script = ui::parse_script(text);
  REQUIRE(script);
  REQUIRE(app.play(*script));
  static_cast<void>(app.image());
}

/// True if the --dump-state output contains `text`.
inline bool state_has(ui::OffscreenApp& app, std::string_view text) {
  return app.app().state_text().find(text) != std::string::npos;
}

}  // namespace warpscope::tests
