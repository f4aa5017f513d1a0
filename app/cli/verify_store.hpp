#pragma once
// `warpscope info PATH --verify`: checks a converted profile, or the saved store of PATH, for corruption.
#include <string>

#include "app/cli/exit_status.hpp"

namespace warpscope::cli {

/// Prints a table of all sources of the store to stdout (as JSON: "schema": 1, one table) and the number of corrupt
/// ones to stderr. `path`: a converted profile, a directory that contains only one, or a path with a saved store in
/// `stores`. kNothingRead if anything is corrupt or there is no store.
ExitStatus verify_store(const std::string& path, const std::string& stores, bool json);

}  // namespace warpscope::cli
