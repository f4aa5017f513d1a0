// Draws rectangles and reads them back pixel by pixel.
#include "render/gl/rect_pass.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "render/gl/program.hpp"
#include "tests/catch.hpp"
#include "tests/render/gl/offscreen_fixture.hpp"

namespace warpscope::gl {
namespace {

using scene::Rect;
using Rows = std::vector<std::string>;

RectPass make_pass() {
  Result<RectPass> pass = RectPass::create();
  if (!pass) FAIL(pass.error().message());
  return std::move(*pass);
}

Canvas whole(const OffscreenContext& context) { return {0, 0, context.width(), context.height(), context.height()}; }

Rows drawn(OffscreenContext& context, const std::vector<Rect>& rects, const RectStyle& style = {}) {
  RectPass pass = make_pass();
  pass.upload(rects, 1);
  pass.draw(whole(context), style);
  return letters(context.read_pixels());
}

TEST_CASE("a rectangle covers whole columns from floor(x0) to floor(x1)", "[gl]") {
  auto context = offscreen(10, 3);
  if (!context) return;
  const Rows rows = drawn(*context, {{2, 4, 1, 1, 255, kRed}, {5.9F, 7.9F, 1, 1, 255, kGreen}});
  CHECK(rows == Rows{"..........", "..RR.GG...", ".........."});
}

TEST_CASE("a rectangle thinner than a pixel fills the column in which it starts", "[gl]") {
  auto context = offscreen(10, 1);
  if (!context) return;
  const Rows rows =
      drawn(*context, {{1.2F, 1.3F, 0, 1, 255, kRed}, {3.99F, 3.99F, 0, 1, 255, kGreen}, {6, 6.5F, 0, 1, 255, kBlue}});
  CHECK(rows == Rows{".R.G..B..."});
}

TEST_CASE("adjacent rectangles share no column, and wide ones leave a gap on their right", "[gl]") {
  auto context = offscreen(12, 1);
  if (!context) return;
  const std::vector<Rect> rects = {
      {0, 1, 0, 1, 255, kRed}, {1, 3, 0, 1, 255, kGreen}, {3, 6, 0, 1, 255, kBlue}, {6, 11, 0, 1, 255, kRed}};
  SECTION("a gap of one for rectangles at least three columns wide") {
    CHECK(drawn(*context, rects) == Rows{"RGGBB.RRRR.."});
  }
  SECTION("no gap unless requested") { CHECK(drawn(*context, rects, {1, 0, 3}) == Rows{"RGGBBBRRRRR."}); }
  SECTION("at twice the scale") { CHECK(drawn(*context, rects, {1, 2, 5}) == Rows{"RGGBBBRRR..."}); }
  SECTION("a gap never takes the last column") { CHECK(drawn(*context, rects, {1, 4, 2}) == Rows{"RG.B..R....."}); }
}

TEST_CASE("fill rises from the bottom of the box, rounded to the nearest pixel, but at least one pixel", "[gl]") {
  auto context = offscreen(8, 5);
  if (!context) return;
  const auto bar = [](float x, std::uint8_t fill) { return Rect{x, x + 1, 1, 4, fill, kRed}; };
  // 4 px: 32/255 is 0.502 px, 31/255 is 0.486 px and would round to zero, 95 is 1.49, 96 is 1.506, 223 is 3.498.
  const Rows rows =
      drawn(*context, {bar(0, 255), bar(1, 1), bar(2, 95), bar(3, 96), bar(4, 128), bar(5, 223), bar(6, 0)});
  CHECK(rows == Rows{"........", "R.......", "R....R..", "R..RRR..", "RRRRRR.."});
}

TEST_CASE("boxes are clipped at the top and bottom edges", "[gl]") {
  auto context = offscreen(4, 300);
  if (!context) return;
  const Rows rows = drawn(*context, {{0, 1, 10, 255, 255, kRed},
                                     {1, 2, -20, 30, 255, kGreen},
                                     {2, 3, 290, 100, 255, kBlue},
                                     {3, 4, 5, 0, 255, kRed}});
  const auto column = [&rows](std::size_t x) {
    std::string text;
    for (const std::string& row : rows) text += row[x];
    return text;
  };
  CHECK(column(0) == std::string(10, '.') + std::string(255, 'R') + std::string(35, '.'));
  CHECK(column(1) == std::string(10, 'G') + std::string(290, '.'));
  CHECK(column(2) == std::string(290, '.') + std::string(10, 'B'));
  CHECK(column(3) == std::string(300, '.'));
}

TEST_CASE("rectangles far beyond the canvas are clipped at its sides", "[gl]") {
  auto context = offscreen(6, 3);
  if (!context) return;
  const Rows rows = drawn(*context, {{-3e9F, 2.5F, 0, 1, 255, kRed},
                                     {3.5F, 3e9F, 0, 1, 255, kGreen},
                                     {-1e30F, 1e30F, 1, 1, 255, kBlue},
                                     {-50, -40, 2, 1, 255, kRed},
                                     {6, 9, 2, 1, 255, kRed},
                                     {1e20F, 2e20F, 2, 1, 255, kRed}});
  CHECK(rows == Rows{"R..GGG", "BBBBBB", "......"});
}

TEST_CASE("a canvas inside the framebuffer has its own origin and draws nothing outside itself", "[gl]") {
  auto context = offscreen(8, 6);
  if (!context) return;
  RectPass pass = make_pass();
  const std::vector<Rect> rects = {{-9, 99, 0, 1, 255, kRed}, {0, 1, 1, 40, 255, kGreen}, {3, 4, -5, 40, 255, kBlue}};
  pass.upload(rects, 1);
  SECTION("within the framebuffer") {
    pass.draw({2, 1, 5, 3, 6});
    CHECK(glIsEnabled(GL_SCISSOR_TEST) == GL_TRUE);
    CHECK(letters(context->read_pixels()) ==
          Rows{"........", "..RRRBR.", "..G..B..", "..G..B..", "........", "........"});
  }
  SECTION("beyond the framebuffer's edge") {
    pass.draw({-1, -1, 5, 3, 6});
    CHECK(letters(context->read_pixels()) ==
          Rows{"..B.....", "..B.....", "........", "........", "........", "........"});
  }
  SECTION("with zero area") {
    pass.draw({2, 1, 0, 3, 6});
    pass.draw({2, 1, 5, -3, 6});
    CHECK(letters(context->read_pixels()) == Rows(6, "........"));
    CHECK(glGetError() == GL_NO_ERROR);
  }
}

TEST_CASE("leftover OpenGL state has no effect", "[gl]") {
  auto context = offscreen(4, 1);
  if (!context) return;
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 1, 1);
  glViewport(0, 0, 1, 1);
  glEnable(GL_CULL_FACE);
  glCullFace(GL_FRONT_AND_BACK);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_REVERSE_SUBTRACT);
  SECTION("opaque") { CHECK(drawn(*context, {{1, 3, 0, 1, 255, kRed}}) == Rows{".RR."}); }
  SECTION("blended") {
    const Rows rows = drawn(*context, {{1, 3, 0, 1, 255, kRed}, {0, 1, 0, 1, 255, 0x00FFFFFF}});
    CHECK(rows == Rows{".RR."});
  }
}

// Compares each channel of a pixel with its expected value; blending may round up or down.
void check_close(std::uint32_t pixel, std::uint32_t expected) {
  for (const int shift : {0, 8, 16}) {
    const int have = static_cast<int>(pixel >> shift & 0xFF);
    const int want = static_cast<int>(expected >> shift & 0xFF);
    INFO(std::hex << "have " << pixel << ", want " << expected);
    CHECK(std::abs(have - want) <= 1);
  }
}

TEST_CASE("alpha blends over earlier content, and later rectangles are on top", "[gl]") {
  auto context = offscreen(4, 1);
  if (!context) return;
  RectPass pass = make_pass();
  const std::vector<Rect> rects = {
      {0, 2, 0, 1, 255, kRed}, {1, 3, 0, 1, 255, 0x80FFFFFF}, {2, 3, 0, 1, 255, 0x00FFFFFF}, {0, 1, 0, 1, 255, kGreen}};
  pass.upload(rects, 1);
  pass.draw(whole(*context));
  CHECK(glIsEnabled(GL_BLEND) == GL_TRUE);
  const Image image = context->read_pixels();
  CHECK(image.pixel(0, 0) == 0x00FF00);
  check_close(image.pixel(1, 0), 0xFF8080);
  check_close(image.pixel(2, 0), 0x808080);
  CHECK(image.pixel(3, 0) == 0x000000);
}

TEST_CASE("opaque rectangles are written without blending", "[gl]") {
  auto context = offscreen(4, 1);
  if (!context) return;
  glEnable(GL_BLEND);
  CHECK(drawn(*context, {{0, 2, 0, 1, 255, kRed}}) == Rows{"RR.."});
  CHECK(glIsEnabled(GL_BLEND) == GL_FALSE);
}

TEST_CASE("dim scales alpha in the requested range", "[gl]") {
  auto context = offscreen(4, 1);
  if (!context) return;
  RectPass pass = make_pass();
  const std::vector<Rect> rects = {
      {0, 1, 0, 1, 255, 0xFFFFFFFF}, {1, 2, 0, 1, 255, 0xFF0000FF}, {2, 3, 0, 1, 255, 0xFF00FF00}};
  pass.upload(rects, 1);
  pass.draw(whole(*context), {0.55F, 1, 3}, 0, 2);
  pass.draw(whole(*context), {}, 2, 99);
  pass.draw(whole(*context), {}, 7, 1);
  const Image image = context->read_pixels();
  check_close(image.pixel(0, 0), 0x8C8C8C);  // 0.55 * 255 = 140
  check_close(image.pixel(1, 0), 0x8C0000);
  CHECK(image.pixel(2, 0) == 0x00FF00);
  CHECK(image.pixel(3, 0) == 0x000000);
}

TEST_CASE("an unchanged revision uploads nothing and is still drawn", "[gl]") {
  auto context = offscreen(6, 1);
  if (!context) return;
  RectPass pass = make_pass();
  std::vector<Rect> rects = {{0, 2, 0, 1, 255, kRed}};
  CHECK(pass.uploads() == 0);
  pass.upload(rects, 0);
  CHECK(pass.uploads() == 1);

  rects[0].color = kGreen;  // violates the contract on purpose: the driver's copy must be drawn
  for (int frame = 0; frame < 3; ++frame) pass.upload(rects, 0);
  CHECK(pass.uploads() == 1);
  pass.draw(whole(*context));
  CHECK(letters(context->read_pixels()) == Rows{"RR...."});

  pass.upload(rects, 1);
  CHECK(pass.uploads() == 2);
  pass.draw(whole(*context));
  CHECK(letters(context->read_pixels()) == Rows{"GG...."});

  rects.push_back({3, 4, 0, 1, 255, kBlue});
  pass.upload(rects, 1);  // with a different count, the data cannot be the same
  CHECK(pass.uploads() == 3);
  CHECK(pass.size() == 2);

  pass.upload({}, 2);
  CHECK(pass.uploads() == 4);
  glClear(GL_COLOR_BUFFER_BIT);
  pass.draw(whole(*context));
  CHECK(letters(context->read_pixels()) == Rows{"......"});
}

TEST_CASE("rectangles that do not fit in the first buffer are also drawn", "[gl]") {
  auto context = offscreen(100, 50);
  if (!context) return;
  RectPass pass = make_pass();
  std::vector<Rect> rects = {{0, 1, 0, 1, 255, kRed}};
  pass.upload(rects, 1);
  rects.clear();
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 100; ++x) {
      const auto at = static_cast<float>(x) + 0.25F;
      const scene::Color color = 0xFF000000U | static_cast<unsigned>(x) << 8 | static_cast<unsigned>(y);
      rects.push_back({at, at + 0.5F, static_cast<std::int16_t>(y), 1, 255, color});
    }
  }
  pass.upload(rects, 2);
  pass.draw(whole(*context));
  const Image image = context->read_pixels();
  int wrong = 0;
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 100; ++x) wrong += image.pixel(x, y) != static_cast<std::uint32_t>(y << 16 | x << 8);
  }
  CHECK(wrong == 0);
  CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a shader that does not compile or link is an error with the driver's log", "[gl]") {
  auto context = offscreen(1, 1);
  if (!context) return;
  const std::string good_vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n";
  const std::string good_fragment = "#version 330 core\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n";
  REQUIRE(build_program("sample", good_vertex, good_fragment).ok());

  const auto vertex = build_program("sample", "#version 330 core\nvoid main() { nonsense = 1; }\n", good_fragment);
  REQUIRE_FALSE(vertex.ok());
  CHECK(vertex.error().where == "sample.vert");
  CHECK(vertex.error().what.find("nonsense") != std::string::npos);

  const auto fragment = build_program("sample", good_vertex, "#version 330 core\nvoid main() {");
  REQUIRE_FALSE(fragment.ok());
  CHECK(fragment.error().where == "sample.frag");

  const auto unlinked = build_program(
      "sample", "#version 330 core\nout vec2 passed;\nvoid main() { gl_Position = vec4(0.0); passed = vec2(1.0); }\n",
      "#version 330 core\nin vec4 passed;\nout vec4 c;\nvoid main() { c = passed; }\n");
  REQUIRE_FALSE(unlinked.ok());
  CHECK(unlinked.error().where == "sample");
  CHECK(unlinked.error().what.find("passed") != std::string::npos);

  const auto absent = load_program("no_such_shader");
  REQUIRE_FALSE(absent.ok());
  CHECK(absent.error().where == "shaders/no_such_shader");
}

}  // namespace
}  // namespace warpscope::gl
