// The settings file: whatever it contains, the settings read from it are written as a file that is read the same way.
#include "app/settings/load_settings.hpp"
#include "app/settings/settings_text.hpp"
#include "tests/fuzz/targets.hpp"
#if WARPSCOPE_GRAPHICS
#include "app/ui/model/settings.hpp"
#endif

namespace warpscope::fuzz {
namespace {

Result<settings::LoadSettings> load_settings(std::string_view text) {
  settings::LoadSettings own;
  const Failure failure = settings::each_setting(text, [&](std::string_view key, std::string_view value, int line) {
    require(line > 0 && !key.empty(), "a line has a number and a key");
    Failure wrong;
    settings::take(own, key, value, &wrong);
  });
  if (failure) return *failure;
  return own;
}

#if WARPSCOPE_GRAPHICS
void check_window_settings(std::string_view input) {
  const auto settings = ui::parse_settings(input);
  if (!settings) return;
  const std::string written = ui::print_settings(*settings);
  const auto again = ui::parse_settings(written);
  require(again.ok() && ui::print_settings(*again) == written, "the window's settings survive writing");
}
#endif

}  // namespace

void run_settings(std::string_view input) {
#if WARPSCOPE_GRAPHICS
  check_window_settings(input);
#endif
  const auto settings = load_settings(input);
  if (!settings) {
    require(!settings.error().message().empty(), "an error says what is wrong");
    return;
  }
  const std::string written = settings::print(*settings);
  const auto again = load_settings(written);
  require(again.ok() && settings::print(*again) == written, "load settings survive writing");
}

}  // namespace warpscope::fuzz
