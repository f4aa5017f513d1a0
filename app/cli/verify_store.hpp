#pragma once
// `warpscope info PATH --verify`: whether a converted profile, or what is kept of PATH, is as it was written.
#include <string>

#include "app/cli/exit_status.hpp"

namespace warpscope::cli {

/// Prints a table of all sources of the store to stdout (as JSON: "schema": 1, one table), and how many are damaged to
/// stderr. `path`: a converted profile, a directory with nothing but one, or what was opened before and is kept in
/// `stores`. kNothingRead if anything is damaged, or there is no store.
ExitStatus verify_store(const std::string& path, const std::string& stores, bool json);

}  // namespace warpscope::cli
