#include "app/ui/load/recorder_places.hpp"

#include <system_error>

namespace warpscope::ui {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

std::string python_folder(const fs::path& program) {
  const fs::path above = program.parent_path().parent_path();
  for (const char* const folder : {"share/warpscope/python", "assets/python"})
    if (is_there(above / folder / "smprof")) return (above / folder).string();
  return "/usr/local/share/warpscope/python";
}

std::string annotation_options(const fs::path& program) {
  constexpr const char* kLibrary = "-lwarpscope_annotations";
  const fs::path folder = program.parent_path();
  const fs::path above = folder.parent_path();
  const auto options = [&](const fs::path& header, const fs::path& library) -> std::string {
    if (!is_there(header / "warpscope_annotations.h") || !is_there(library / "libwarpscope_annotations.so")) return "";
    return "-I" + header.string() + " -L" + library.string() + " -Wl,-rpath," + library.string() + " " + kLibrary;
  };
  if (const std::string built = options(above / "core/record/annotations", folder / "core"); !built.empty())
    return built;
  if (above == "/usr" || above == "/usr/local") return kLibrary;
  for (const char* const library : {"lib", "lib64"})
    if (const std::string installed = options(above / "include", above / library); !installed.empty()) return installed;
  return kLibrary;
}

}  // namespace warpscope::ui
