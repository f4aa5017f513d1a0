#include "app/cli/demo.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>

#if WARPSCOPE_DEMO
#include <stdlib.h>

#include "core/base/user_folders.hpp"
#include "tests/tracegen/tracegen.hpp"
#endif

namespace warpscope::cli {

namespace fs = std::filesystem;

#if WARPSCOPE_DEMO
namespace {

constexpr const char* kDemoAdvice = "free disk space, or set XDG_CACHE_HOME to a writable directory";

// Returns the demo's folder in the user's cache, or in the temporary folder if the user has no home directory.
fs::path demo_folder() {
  const fs::path cache = user_cache_folder();
  return (cache.empty() ? fs::temp_directory_path() / "warpscope" : cache) / "demo";
}

Result<fs::path> make_demo() {
  const fs::path folder = demo_folder();
  std::error_code error;
  if (fs::is_directory(folder, error) && !fs::is_empty(folder, error)) return folder;
  const auto options = tracegen::preset("demo");
  // Generate into a temporary folder and rename it, so a partial demo is never used.
  fs::create_directories(folder.parent_path(), error);
  std::string fresh = folder.string() + ".XXXXXX";
  if (::mkdtemp(fresh.data()) == nullptr)
    return Error{folder.string(), std::string("cannot write the demo: ") + std::strerror(errno), kDemoAdvice};
  try {
    (void)tracegen::generate(*options, fresh);
    fs::rename(fresh, folder);
  } catch (const std::exception& failure) {
    fs::remove_all(fresh, error);
    if (fs::is_directory(folder, error)) return folder;  // another process created it first
    return Error{folder.string(), std::string("cannot write the demo: ") + failure.what(), kDemoAdvice};
  }
  return folder;
}

}  // namespace

std::function<Result<fs::path>()> demo_maker() { return make_demo; }
#else
std::function<Result<fs::path>()> demo_maker() { return {}; }
#endif

}  // namespace warpscope::cli
