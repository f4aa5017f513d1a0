#include "app/cli/demo.hpp"

#include <cstdlib>
#include <exception>
#include <system_error>

#if WARPSCOPE_DEMO
#include <unistd.h>

#include "tests/tracegen/tracegen.hpp"
#endif

namespace warpscope::cli {

namespace fs = std::filesystem;

#if WARPSCOPE_DEMO
namespace {

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return fs::path(cache) / "warpscope";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "warpscope";
  return fs::temp_directory_path() / "warpscope";
}

Result<fs::path> make_demo() {
  const fs::path folder = cache_folder() / "demo";
  std::error_code error;
  if (fs::is_directory(folder, error) && !fs::is_empty(folder, error)) return folder;
  const auto options = tracegen::preset("demo");
  // Made beside its place and moved there whole, so that a half-made demo is never taken for one.
  const fs::path fresh = folder.parent_path() / ("demo." + std::to_string(::getpid()));
  try {
    (void)tracegen::generate(*options, fresh);
    fs::rename(fresh, folder);
  } catch (const std::exception& failure) {
    fs::remove_all(fresh, error);
    if (fs::is_directory(folder, error)) return folder;  // another window was faster
    return Error{folder.string(), std::string("the demo could not be written: ") + failure.what(),
                 "make room, or set XDG_CACHE_HOME to a directory that can be written"};
  }
  return folder;
}

}  // namespace

std::function<Result<fs::path>()> demo_maker() { return make_demo; }
#else
std::function<Result<fs::path>()> demo_maker() { return {}; }
#endif

}  // namespace warpscope::cli
