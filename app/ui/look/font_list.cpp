#include "app/ui/look/font_list.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <system_error>

#include "core/base/ascii.hpp"
#include "core/base/files/regular_file.hpp"

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 5000;
constexpr std::size_t kLargestFont = std::size_t{32} << 20;
constexpr int kDeepest = 6;
constexpr std::array<std::string_view, 17> kOtherFaces = {"bold",     "italic", "oblique",   "light", "thin", "medium",
                                                          "black",    "heavy",  "condensed", "extra", "semi", "narrow",
                                                          "variable", "wght",   "symbol",    "emoji", "icon"};

/// Returns the font family; empty if the file is not a font or not a regular face.
std::string family_of(const fs::path& path) {
  const std::string ending = lower(path.extension().string());
  if (ending != ".ttf" && ending != ".otf") return {};
  std::string stem = path.stem().string();
  const std::string words = lower(stem);
  if (std::ranges::any_of(kOtherFaces, [&](auto face) { return words.find(face) != std::string::npos; })) return {};
  for (const std::string_view regular : {"-regular", "_regular", "-r"})
    if (words.ends_with(regular)) return stem.substr(0, stem.size() - regular.size());
  return stem;
}

bool named_mono(std::string_view family) {
  const std::string words = lower(family);
  return std::ranges::any_of(std::array{"mono", "code", "consol", "courier", "typewriter"},
                             [&](std::string_view part) { return words.find(part) != std::string::npos; });
}

bool is_font(std::string_view bytes) {
  return bytes.starts_with(std::string_view("\0\1\0\0", 4)) || bytes.starts_with("OTTO") || bytes.starts_with("true");
}

}  // namespace

std::vector<fs::path> font_folders() {
  std::vector<fs::path> folders = {"/usr/share/fonts", "/usr/local/share/fonts"};
  const char* home = std::getenv("HOME");
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data != '\0')
    folders.push_back(fs::path(data) / "fonts");
  else if (home != nullptr && *home != '\0')
    folders.push_back(fs::path(home) / ".local" / "share" / "fonts");
  if (home != nullptr && *home != '\0') folders.push_back(fs::path(home) / ".fonts");
  return folders;
}

std::vector<FontFile> find_fonts(const std::vector<fs::path>& folders) {
  std::vector<FontFile> fonts;
  std::set<std::string> families;
  std::size_t looked = 0;
  for (const fs::path& folder : folders) {
    std::error_code failed;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && entry != fs::recursive_directory_iterator() && looked < kMostFiles; entry.increment(failed)) {
      ++looked;
      if (entry.depth() >= kDeepest) entry.disable_recursion_pending();
      const std::string family = family_of(entry->path());
      if (!family.empty() && families.insert(family).second)
        fonts.push_back({family, entry->path(), named_mono(family)});
    }
  }
  std::ranges::sort(fonts, {}, [](const FontFile& font) { return lower(font.family); });
  return fonts;
}

std::string font_bytes(std::string_view family, const std::vector<fs::path>& folders) {
  for (const FontFile& font : find_fonts(folders)) {
    if (font.family != family) continue;
    const auto bytes = read_small_file(font.path.string(), kLargestFont);
    return bytes && is_font(*bytes) ? *bytes : std::string();
  }
  return {};
}

}  // namespace warpscope::ui
