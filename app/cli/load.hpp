#pragma once
// How every command without a window loads its PATH: waits for all of it and shows the progress.
#include <memory>
#include <string>

#include "core/base/result.hpp"
#include "core/ingest/loader.hpp"

namespace warpscope::cli {

/// The whole profile; on a terminal with a line on stderr that tells how far it is. Errors: as Loader::failure.
[[nodiscard]] Result<std::shared_ptr<const trace::Profile>> load(const std::string& path,
                                                                 ingest::LoadOptions options = {});

}  // namespace warpscope::cli
