#include "app/ui/model/fuzzy.hpp"

#include "app/ui/shell/palette.hpp"
#include "tests/catch.hpp"

using namespace warpscope::ui;

TEST_CASE("a fuzzy match requires the query's letters in order") {
  CHECK(fuzzy_match("opd", "Open directory…"));
  CHECK(fuzzy_match("OPEN", "Open directory…"));
  CHECK_FALSE(fuzzy_match("xo", "Open directory…"));
  CHECK_FALSE(fuzzy_match("do", "Open"));
  CHECK_FALSE(fuzzy_match("open directory and more", "Open"));
  CHECK(fuzzy_match("", "anything"));
  CHECK(fuzzy_match("a b", "ab"));
}

TEST_CASE("a fuzzy match marks the letters of the query") {
  const std::string text = "Zoom to selection";
  const auto match = fuzzy_match("zts", text);
  REQUIRE(match);
  CHECK(match->positions == std::vector<std::size_t>{0, 5, 8});
}

TEST_CASE("word starts and adjacent letters score higher") {
  const auto words = fuzzy_match("cp", "Command palette");
  const auto inside = fuzzy_match("cp", "Recap");
  REQUIRE(words);
  REQUIRE(inside);
  CHECK(words->score > inside->score);
  const auto together = fuzzy_match("ow", "Slower");
  const auto apart = fuzzy_match("ow", "Solo wave");
  REQUIRE(together);
  REQUIRE(apart);
  CHECK(apart->score > together->score);  // the "w" is at the start of a word
  CHECK(fuzzy_match("pan", "Pan left")->score > fuzzy_match("pan", "Expand all")->score);
}

TEST_CASE("a fuzzy match uses the best alignment, not the first") {
  CHECK(fuzzy_match("light", "Light theme")->positions == std::vector<std::size_t>{0, 1, 2, 3, 4});
  const auto match = fuzzy_match("st", "A lost Stone");
  REQUIRE(match);
  CHECK(match->positions == std::vector<std::size_t>{7, 8});
}

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

TEST_CASE("only whole words match") {
  CHECK(has_words("", "anything"));
  CHECK(has_words(" PAL  com ", "Command palette"));
  CHECK_FALSE(has_words("cmd", "Command palette"));
  CHECK_FALSE(has_words("palette zoom", "Command palette"));
}
