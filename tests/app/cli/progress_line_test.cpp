#include "app/cli/progress_line.hpp"

#include <memory>

#include "tests/catch.hpp"

using std::chrono::milliseconds;
using warpscope::cli::ProgressLine;

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string content(std::FILE* file) {
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

}  // namespace

TEST_CASE("a progress line appears after a delay, updates at a limited rate and is erased at the end") {
  const std::unique_ptr<std::FILE, Close> file(std::tmpfile());
  REQUIRE(file);
  const auto start = ProgressLine::Clock::now();
  {
    ProgressLine line(file.get());
    line.show("too early", start + milliseconds(100));
    CHECK(content(file.get()).empty());
    line.show("10 %", start + milliseconds(2000));
    line.show("too soon", start + milliseconds(2050));
    line.show("20 %", start + milliseconds(2100));
  }
  CHECK(content(file.get()) == "\r\x1b[K10 %\r\x1b[K20 %\r\x1b[K");
}

TEST_CASE("a progress line is truncated between characters before it would wrap") {
  const std::unique_ptr<std::FILE, Close> file(std::tmpfile());
  REQUIRE(file);
  std::string dots;
  for (int i = 0; i < 200; ++i) dots += "·";
  ProgressLine line(file.get());
  line.show(dots, ProgressLine::Clock::now() + milliseconds(2000));
  CHECK(content(file.get()) == "\r\x1b[K" + dots.substr(0, std::size_t{79} * 2));
}

TEST_CASE("short work prints nothing") {
  const std::unique_ptr<std::FILE, Close> file(std::tmpfile());
  REQUIRE(file);
  { ProgressLine line(file.get()); }
  CHECK(content(file.get()).empty());
}
