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

/// Null (and warned about) where there is no OpenGL without a display: return from the test then. Where the environment
/// has WARPSCOPE_REQUIRE_GL set, that is a failure.
inline std::unique_ptr<ui::OffscreenApp> offscreen_app(ui::AppOptions options, int width, int height) {
  auto app = ui::OffscreenApp::create(std::move(options), width, height);
  if (!app) {
    if (std::getenv("WARPSCOPE_REQUIRE_GL") != nullptr) FAIL(app.error().message());
    WARN("skipped, no OpenGL here: " << app.error().message());
    return nullptr;
  }
  return std::move(app.value());
}

/// Dark, whatever the desktop is, and of one scale, whatever the display.
inline ui::AppOptions app_options(ui::LoaderFactory loader, std::vector<ui::PageFactory> pages, float scale = 1) {
  ui::AppOptions options;
  options.scale = scale;
  options.theme = ui::ThemeChoice::dark;
  options.loader = std::move(loader);
  options.pages = std::move(pages);
  return options;
}

/// Makes a page that `at` points to from then on.
template <class MadePage>
ui::PageFactory page_at(MadePage*& at) {
  return [&at](ui::AppContext& context) -> std::unique_ptr<ui::Page> {
    auto page = std::make_unique<MadePage>(context);
    at = page.get();
    return page;
  };
}

/// Plays a script (app/ui/shell/script.hpp) until all of it has come to rest, and draws what is shown then.
inline void play(ui::OffscreenApp& app, std::string_view text) {
  const auto script = ui::parse_script(text);
  REQUIRE(script);
  REQUIRE(app.play(*script));
  static_cast<void>(app.image());
}

/// What --dump-state would write has this in it.
inline bool state_has(ui::OffscreenApp& app, std::string_view text) {
  return app.app().state_text().find(text) != std::string::npos;
}

}  // namespace warpscope::tests
