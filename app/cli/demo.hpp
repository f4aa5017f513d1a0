#pragma once
// The demo: a small training job on two nodes with a late rank and a stalled data loader. On first use, the project's
// trace generator writes it to the user's cache directory.
#include <filesystem>
#include <functional>

#include "core/base/result.hpp"

namespace warpscope::cli {

/// Returns a function that generates the demo if it does not exist yet and returns its directory. The function is empty
/// in builds without the generator.
[[nodiscard]] std::function<Result<std::filesystem::path>()> demo_maker();

}  // namespace warpscope::cli
