#include "app/ui/model/key_chord.hpp"

#include "tests/catch.hpp"

using namespace warpscope::ui;

TEST_CASE("key chords are parsed and printed") {
  for (const std::string_view text : {"Ctrl+Shift+P", "Shift+Left", "?", "/", "[", "W", "0", "F11", "PageUp", "Esc",
                                      "Alt+1", "Ctrl+=", "Ctrl+[", "Shift+F3", "Ctrl+Alt+Space"}) {
    INFO(text);
    const auto chord = parse_chord(text);
    REQUIRE(chord);
    CHECK(to_string(*chord) == text);
  }
}

TEST_CASE("key chords ignore case and the order of modifiers, and accept alternative key names") {
  CHECK(parse_chord("ctrl+shift+p") == parse_chord("Shift+Ctrl+P"));
  CHECK(parse_chord("escape") == parse_chord("Esc"));
  CHECK(parse_chord("w") == parse_chord("W"));
  CHECK(parse_chord("Ctrl++") == parse_chord("Ctrl+="));
}

TEST_CASE("a single punctuation mark is a character, not a key") {
  const auto question = parse_chord("?");
  REQUIRE(question);
  CHECK(question->is_character());
  CHECK(question->key == ImGuiKey_None);
  const auto bracket = parse_chord("Ctrl+[");
  REQUIRE(bracket);
  CHECK_FALSE(bracket->is_character());
  CHECK(bracket->key == ImGuiKey_LeftBracket);
  CHECK(bracket->ctrl);
  CHECK_FALSE(parse_chord("+")->key != ImGuiKey_None);
}

TEST_CASE("text that is not a chord is rejected") {
  for (const std::string_view text :
       {"", "Ctrl", "Ctrl+", "Hyper+P", "Ctrl+Ctrl+P", "F13", "F0", "PageSideways", "Shift+?", "P+Ctrl", "ab"}) {
    INFO(text);
    CHECK_FALSE(parse_chord(text));
  }
}
