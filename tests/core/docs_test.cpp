// The project's Markdown: links resolve, and the first screen of the README shows how to start.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/catch.hpp"
#include "tests/shared_dir.hpp"
#include "tests/text.hpp"

namespace fs = std::filesystem;
using namespace warpscope::tests;

namespace {

/// The project's pages: those next to the README, and those under docs/, core/ and tests/.
std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(source_dir()))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  for (const char* folder : {"docs", "core", "tests"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_dir() / folder))
      if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

/// Targets of "](…)", excluding web links.
std::vector<std::string> links(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find("]("); at != text.npos; at = text.find("](", at + 1)) {
    const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
    if (!target.starts_with("http")) found.push_back(target);
  }
  return found;
}

/// Returns the anchor of a heading: "## Where time goes" → "where-time-goes".
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ')
      anchor += '-';
    else if ((static_cast<unsigned char>(c) & 0x80U) != 0 || std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             c == '_' || c == '-')
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return anchor;
}

bool has_heading(const std::string& text, const std::string& anchor) {
  for (std::size_t at = text.starts_with('#') ? 0 : text.find("\n#"); at != text.npos; at = text.find("\n#", at + 1)) {
    const std::size_t start = text.find(' ', at) + 1;
    if (anchor_of(std::string_view(text).substr(start, text.find('\n', start) - start)) == anchor) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("relative links in the documentation lead to files and headings", "[docs]") {
  for (const fs::path& page : pages()) {
    const std::string text = read_whole(page);
    for (const std::string& link : links(text)) {
      INFO(page << ": " << link);
      const std::size_t hash = link.find('#');
      const std::string file = link.substr(0, hash);
      const fs::path target = file.empty() ? page : page.parent_path() / file;
      REQUIRE(fs::exists(target));
      if (hash != link.npos) CHECK(has_heading(read_whole(target), link.substr(hash + 1)));
    }
  }
}

TEST_CASE("the README is a front page of at most 150 lines", "[docs]") {
  const std::string text = read_whole(source_dir() / "README.md");
  CHECK(std::count(text.begin(), text.end(), '\n') <= 150);
  std::size_t screen = 0;
  for (int line = 0; line < 30; ++line) screen = text.find('\n', screen) + 1;
  for (const char* command : {"./dev run", "./dev test"}) CHECK(contains(text.substr(0, screen), command));
}
