// Contexts without a window: several at once, moved, and separate; invalid sizes.
#include "render/gl/offscreen.hpp"

#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/render/gl/offscreen_fixture.hpp"

namespace warpscope::gl {
namespace {

using Rows = std::vector<std::string>;

void clear_with(float red, float green, float blue) {
  glClearColor(red, green, blue, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

TEST_CASE("an image is read back with its top row first", "[gl]") {
  auto context = offscreen(3, 2);
  if (!context) return;
  clear_with(0, 0, 1);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 1, 1, 1);  // OpenGL counts rows from the bottom; this is the top left pixel
  clear_with(1, 0, 0);
  const Image image = context->read_pixels();
  CHECK(image.width == 3);
  CHECK(image.height == 2);
  CHECK(letters(image) == Rows{"RBB", "BBB"});
}

TEST_CASE("several contexts can exist at the same time, and one can outlive the other", "[gl]") {
  auto first = offscreen(2, 1);
  if (!first) return;
  clear_with(1, 0, 0);
  {
    auto second = offscreen(3, 1);
    REQUIRE(second);
    clear_with(0, 1, 0);
    REQUIRE_FALSE(first->bind().has_value());
    CHECK(letters(first->read_pixels()) == Rows{"RR"});
    REQUIRE_FALSE(second->bind().has_value());
    CHECK(letters(second->read_pixels()) == Rows{"GGG"});
    REQUIRE_FALSE(first->bind().has_value());
  }
  CHECK(letters(first->read_pixels()) == Rows{"RR"});  // still current, although the other context was destroyed
  clear_with(0, 0, 1);
  CHECK(letters(first->read_pixels()) == Rows{"BB"});
  CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a moved context keeps its image", "[gl]") {
  auto made = offscreen(2, 2);
  if (!made) return;
  clear_with(0, 1, 0);
  OffscreenContext moved = std::move(*made);
  CHECK(moved.width() == 2);
  CHECK(letters(moved.read_pixels()) == Rows{"GG", "GG"});

  auto other = offscreen(1, 1);
  REQUIRE(other);
  clear_with(0, 0, 1);
  moved = std::move(*other);
  REQUIRE_FALSE(moved.bind().has_value());
  CHECK(letters(moved.read_pixels()) == Rows{"B"});
}

TEST_CASE("drivers cache no shaders on the user's disk", "[gl]") {
  const auto context = offscreen(1, 1);
  if (!context) return;
  const char* const disabled = std::getenv("MESA_SHADER_CACHE_DISABLE");
  REQUIRE(disabled != nullptr);
  CHECK(std::string_view(disabled) == "true");
}

TEST_CASE("a context that is current on another thread cannot be bound", "[gl]") {
  auto context = offscreen(1, 1);
  if (!context) return;
  Failure failure;
  std::thread([&] { failure = context->bind(); }).join();
  REQUIRE(failure.has_value());
  CHECK(failure->what.find("current") != std::string::npos);
}

TEST_CASE("an unsupported size is an error that suggests the supported sizes", "[gl]") {
  if (!offscreen(1, 1)) return;
  for (const auto& [width, height] : {std::pair{0, 10}, std::pair{10, -1}, std::pair{1 << 30, 10}}) {
    const Result<OffscreenContext> made = OffscreenContext::create(width, height);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().what.find(std::to_string(width) + "x" + std::to_string(height)) != std::string::npos);
    CHECK(made.error().advice.find("1x1") != std::string::npos);
  }
}

}  // namespace
}  // namespace warpscope::gl
