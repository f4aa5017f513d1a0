#include "app/ui/look/desktop_theme.hpp"

#include "app/ui/look/theme.hpp"
#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope::ui;
using warpscope::tests::TestFolder;

TEST_CASE("the desktop theme is unknown if no setting specifies it") {
  const TestFolder folder;
  CHECK_FALSE(desktop_is_dark("", folder.path()));
  CHECK_FALSE(desktop_is_dark("", folder.path() / "none"));
  CHECK_FALSE(desktop_is_dark("", {}));
  CHECK(wants_dark(ThemeChoice::system));
  CHECK_FALSE(wants_dark(ThemeChoice::system, false));
  CHECK(wants_dark(ThemeChoice::dark, false));
  CHECK_FALSE(wants_dark(ThemeChoice::light, true));
}

TEST_CASE("the desktop's settings files determine whether it is dark") {
  const TestFolder folder;
  folder.write("gtk-3.0/settings.ini", "[Settings]\ngtk-theme-name = Adwaita-dark\n");
  CHECK(desktop_is_dark("", folder.path()) == true);
  folder.write("gtk-4.0/settings.ini", "[Settings]\r\ngtk-application-prefer-dark-theme=0\r\n");
  CHECK(desktop_is_dark("", folder.path()) == false);
  folder.write("kdeglobals", "[General]\nColorScheme=BreezeLight\n[Colors:Window]\nBackgroundNormal=32,35,38\n");
  CHECK(desktop_is_dark("", folder.path()) == true);
  folder.write("dconf/user", std::string("GVariant\0\0color-scheme\0prefer-light\0s", 36));
  CHECK(desktop_is_dark("", folder.path()) == false);
  CHECK(desktop_is_dark("Adwaita:dark", folder.path()) == true);
  CHECK(desktop_is_dark("Adwaita", folder.path()) == false);
}
