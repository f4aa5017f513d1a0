#include "app/ui/model/has_words.hpp"

#include "app/ui/shell/palette.hpp"
#include "tests/catch.hpp"

using namespace warpscope::ui;

TEST_CASE("the palette ranks commands by match and lists unavailable ones last") {
  CommandTable table;
  table.add({"off", "Theme editor", "View", {}, [] {}, [] { return false; }});
  table.add({"plain", "Other theme", "View", {}, [] {}});
  table.add({"best", "Theme dark", "View", {}, [] {}});
  table.add({"none", "Pan left", "View", {}, [] {}});
  const auto rows = palette_rows(table, "theme");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].command->id == "best");
  CHECK(rows[1].command->id == "plain");
  CHECK(rows[2].command->id == "off");
  CHECK_FALSE(rows[2].enabled);
  CHECK(palette_rows(table, "").size() == 4);
  CHECK(palette_rows(table, "qqq").empty());
}

TEST_CASE("each word of a query must occur") {
  CHECK(has_words("", "anything"));
  CHECK(has_words(" PAL  com ", "Command palette"));
  CHECK_FALSE(has_words("cmd", "Command palette"));
  CHECK_FALSE(has_words("palette zoom", "Command palette"));
}
