#include "app/ui/shell/script.hpp"

#include "tests/catch.hpp"

using namespace warpscope::ui;

namespace {

std::size_t frames_of(std::string_view text) {
  const auto script = parse_script(text);
  REQUIRE(script);
  return script->frames.size();
}

}  // namespace

TEST_CASE("a script is turned into events, frame by frame") {
  const auto script = parse_script("move:10,20; click:140,55,right; wait:2");
  REQUIRE(script);
  REQUIRE(script->frames.size() == 6);
  CHECK(script->frames[0][0].kind == InputKind::move);
  CHECK(script->frames[0][0].x == 10);
  CHECK(script->frames[0][0].y == 20);
  CHECK(script->frames[2][0].kind == InputKind::button);
  CHECK(script->frames[2][0].button == 1);
  CHECK(script->frames[2][0].down);
  CHECK_FALSE(script->frames[3][0].down);
  CHECK(script->frames[5].empty());
}

TEST_CASE("a key step presses and releases the key with its modifiers") {
  const auto script = parse_script("key:Ctrl+Shift+P");
  REQUIRE(script);
  REQUIRE(script->frames.size() == 2);
  CHECK(script->frames[0].size() == 3);
  CHECK(script->frames[0][0].key == ImGuiMod_Ctrl);
  CHECK(script->frames[0][2].key == ImGuiKey_P);
  CHECK(script->frames[1].size() == 3);
  CHECK_FALSE(script->frames[1][0].down);
}

TEST_CASE("a letter step also types the letter") {
  const auto script = parse_script("key:w*3;key:Shift+A;key:?");
  REQUIRE(script);
  REQUIRE(script->frames.size() == 9);
  CHECK(script->frames[0][1].kind == InputKind::character);
  CHECK(script->frames[0][1].character == 'w');
  CHECK(script->frames[6][2].character == 'A');
  CHECK(script->frames[8][0].character == '?');
}

TEST_CASE("hold, drag, wheel and text steps take the right number of frames") {
  CHECK(frames_of("hold:Right,30") == 31);
  CHECK(frames_of("wheel:3") == 3);
  CHECK(frames_of("wheel:-2,1") == 2);
  CHECK(frames_of("wheel:0.5") == 1);
  CHECK(frames_of("type:Stream 1") == 8);
  CHECK(frames_of("type:µs") == 2);
  CHECK(frames_of("press:Ctrl;wheel:1;release:Ctrl") == 3);
  const auto drag = parse_script("drag:0,0,60,30");
  REQUIRE(drag);
  CHECK(drag->frames.size() == 9);
  CHECK(drag->frames[7][0].x == 60);
  CHECK(drag->frames[7][0].y == 30);
}

TEST_CASE("scripts can type a semicolon, run commands and open paths") {
  const auto script = parse_script("type:a\\;b;run:view.show-all;open:/tmp/some dir;settle");
  REQUIRE(script);
  REQUIRE(script->frames.size() == 6);
  CHECK(script->frames[1][0].character == ';');
  CHECK(script->frames[3][0].text == "view.show-all");
  CHECK(script->frames[4][0].text == "/tmp/some dir");
  CHECK(script->frames[5][0].kind == InputKind::settle);
}

TEST_CASE("an unknown step is an error that quotes it") {
  for (const std::string_view text :
       {"jump:1", "click:1", "click:1,2,front", "click:a,b", "key:Hyper+P", "key:w*x", "wait:-1", "wait:1000000",
        "wheel:", "drag:1,2,3", "press:Escape", "settle:3", "type:"}) {
    INFO(text);
    const auto script = parse_script(text);
    REQUIRE_FALSE(script);
    CHECK(script.error().where == text);
  }
  CHECK(parse_script("").value().frames.empty());
}
