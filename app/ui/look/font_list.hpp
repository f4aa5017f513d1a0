#pragma once
// Lists installed fonts by family for the font settings. Includes only regular faces, because the interface uses no
// others.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ui {

struct FontFile {
  std::string family;  ///< as in the file name: "DejaVuSans"
  std::filesystem::path path;
  bool mono = false;  ///< monospace, judging by the name
};

/// Font folders for this platform and user.
[[nodiscard]] std::vector<std::filesystem::path> font_folders();
/// Searches the folders recursively, up to a few thousand files. Sorted by family.
[[nodiscard]] std::vector<FontFile> find_fonts(const std::vector<std::filesystem::path>& folders);
/// Returns the contents of the first font file of this family; empty if there is none or it is unusable.
[[nodiscard]] std::string font_bytes(std::string_view family, const std::vector<std::filesystem::path>& folders);

}  // namespace warpscope::ui
