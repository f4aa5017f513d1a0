// PNG files and image comparison; needs no OpenGL.
#include "render/gl/image.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/pictures.hpp"
#include "tests/test_folder.hpp"

namespace warpscope::gl {
namespace {

namespace fs = std::filesystem;
using tests::TestFolder;

Image gradient(int width, int height) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.rgb.push_back(static_cast<std::uint8_t>(x * 7));
      image.rgb.push_back(static_cast<std::uint8_t>(y * 11));
      image.rgb.push_back(static_cast<std::uint8_t>(x * y));
    }
  }
  return image;
}

TEST_CASE("an image is unchanged after writing and reading a PNG file", "[image]") {
  const TestFolder folder;
  const Image image = gradient(37, 23);  // rows of 111 bytes, so row alignment does not hide errors
  REQUIRE_FALSE(write_png(folder.path() / "a.png", image).has_value());
  const Result<Image> back = tests::read_png(folder.path() / "a.png");
  REQUIRE(back.ok());
  CHECK(*back == image);
}

TEST_CASE("PNG files are 8-bit RGB and not interlaced", "[image]") {
  const TestFolder folder;
  REQUIRE_FALSE(write_png(folder.path() / "a.png", gradient(300, 2)).has_value());
  std::ifstream file(folder.path() / "a.png", std::ios::binary);
  std::array<char, 29> head{};
  REQUIRE(file.read(head.data(), head.size()));
  CHECK(std::string(head.data() + 1, 3) == "PNG");
  CHECK(std::string(head.data() + 12, 4) == "IHDR");
  CHECK(std::string(head.data() + 16, 8) == std::string("\0\0\1\x2C\0\0\0\2", 8));  // 300 x 2
  CHECK(head[24] == 8);                                                             // bits per channel
  CHECK(head[25] == 2);                                                             // truecolour, no alpha
  CHECK(head[28] == 0);                                                             // no interlacing
}

TEST_CASE("write errors include the path and advice", "[image]") {
  const TestFolder folder;
  const fs::path nowhere = folder.path() / "no/such/folder/a.png";
  const Failure failure = write_png(nowhere, gradient(2, 2));
  REQUIRE(failure.has_value());
  CHECK(failure->where == nowhere.string());
  CHECK_FALSE(failure->advice.empty());
  CHECK(write_png(folder.path() / "empty.png", Image{}).has_value());
  CHECK(write_png(folder.path() / "short.png", Image{2, 2, {1, 2, 3}}).has_value());
  CHECK_FALSE(fs::exists(folder.path() / "empty.png"));
  CHECK_FALSE(fs::exists(folder.path() / "short.png"));
}

TEST_CASE("a failed write keeps the previous image and leaves no other file", "[image]") {
  const TestFolder folder;
  const fs::path file = folder.path() / "a.png";
  REQUIRE_FALSE(write_png(file, gradient(20, 10)));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const struct rlimit small { 100, 100 };
    ::setrlimit(RLIMIT_FSIZE, &small);
    std::signal(SIGXFSZ, SIG_IGN);
    ::_exit(write_png(file, gradient(300, 200)) ? 77 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 77);
  const auto before = tests::read_png(file);
  REQUIRE(before.ok());
  CHECK(before->width == 20);
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a link at a temporary name of the image is not followed", "[image]") {
  const TestFolder folder;
  const fs::path file = folder.path() / "a.png";
  const fs::path victim = folder.write("victim", "text");
  fs::create_symlink(victim, file.string() + ".tmp-" + std::to_string(::getpid()));
  REQUIRE_FALSE(write_png(file, gradient(2, 2)));
  CHECK(fs::is_regular_file(fs::symlink_status(file)));
  CHECK(fs::file_size(victim) == 4);
}

TEST_CASE("an image does not replace a pipe or a directory", "[image]") {
  const TestFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const Image image = gradient(2, 2);
  for (const auto& path : {pipe, folder.path()}) {
    const Failure failure = write_png(path, image);
    REQUIRE(failure);
    CHECK(failure->what.find("not a file") != std::string::npos);
    CHECK(std::filesystem::exists(path));
  }
  CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("reading a truncated file or anything other than a PNG is an error", "[image]") {
  const TestFolder folder;
  CHECK_FALSE(tests::read_png(folder.path() / "absent.png").ok());
  std::ofstream(folder.path() / "text.png") << "not a picture";
  CHECK_FALSE(tests::read_png(folder.path() / "text.png").ok());
  REQUIRE_FALSE(write_png(folder.path() / "cut.png", gradient(64, 64)).has_value());
  fs::resize_file(folder.path() / "cut.png", fs::file_size(folder.path() / "cut.png") / 2);
  CHECK_FALSE(tests::read_png(folder.path() / "cut.png").ok());
}

TEST_CASE("pixels beyond the tolerance are counted once each", "[image]") {
  const Image a = gradient(10, 10);
  CHECK(tests::differing_pixels(a, a) == 0);
  Image b = a;
  b.rgb[0] = static_cast<std::uint8_t>(b.rgb[0] + 3);
  b.rgb[1] = static_cast<std::uint8_t>(b.rgb[1] + 9);  // the same pixel
  b.rgb[299] = static_cast<std::uint8_t>(b.rgb[299] - 4);
  CHECK(tests::differing_pixels(a, b) == 2);
  CHECK(tests::differing_pixels(a, b, 3) == 2);
  CHECK(tests::differing_pixels(a, b, 4) == 1);
  CHECK(tests::differing_pixels(a, b, 9) == 0);
  CHECK(tests::differing_pixels(a, gradient(10, 11), 255) == 110);
}

}  // namespace
}  // namespace warpscope::gl
