#pragma once
// The demo: a small training job on two nodes with a late rank and a stalled data loader, made by the project's own
// generator when it is first asked for and kept in the user's cache.
#include <filesystem>
#include <functional>

#include "core/base/result.hpp"

namespace warpscope::cli {

/// Makes the demo if it is not there yet and returns its directory. Empty in a build without the generator.
[[nodiscard]] std::function<Result<std::filesystem::path>()> demo_maker();

}  // namespace warpscope::cli
