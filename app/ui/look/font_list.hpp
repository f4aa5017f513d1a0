#pragma once
// Fonts that this machine has, by family, so that the interface can be set in one of them. Regular faces only: the
// interface uses no other.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ui {

struct FontFile {
  std::string family;  ///< as the file is named: "DejaVuSans"
  std::filesystem::path path;
  bool mono = false;  ///< all characters are of one width, as far as the name tells
};

/// The folders where fonts are kept on this platform and by this user.
[[nodiscard]] std::vector<std::filesystem::path> font_folders();
/// Looks through the folders and what is below them; at most some thousand files. Sorted by family.
[[nodiscard]] std::vector<FontFile> find_fonts(const std::vector<std::filesystem::path>& folders);
/// Bytes of a font of that family; empty if there is none, or it is none that can be used.
[[nodiscard]] std::string font_bytes(std::string_view family, const std::vector<std::filesystem::path>& folders);

}  // namespace warpscope::ui
