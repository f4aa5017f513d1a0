#pragma once
// How every command without a window loads its PATH: waits for all of it and shows the progress.
#include <functional>
#include <memory>
#include <string>

#include "core/base/result.hpp"
#include "core/ingest/loader.hpp"

namespace warpscope::cli {

struct Loaded {
  std::unique_ptr<ingest::Loader> loader;
  std::shared_ptr<const trace::Profile> profile;
};

/// Loads the whole; on a terminal with a line on stderr that tells how far it is, and before a long load with a message
/// that tells what it will cost. Errors: as Loader::failure.
[[nodiscard]] Result<Loaded> load(const std::string& path, ingest::LoadOptions options);

/// Runs `write`, which is given a Progress to count the bytes of the sources in, and shows it.
[[nodiscard]] Failure write_with_progress(const Loaded& loaded, const std::function<Failure(Progress&)>& write);

/// Keeps what was loaded for the next time, with a line of progress; a message if that cannot be done.
void keep_store(const Loaded& loaded);

}  // namespace warpscope::cli
