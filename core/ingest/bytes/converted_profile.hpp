#pragma once
// Files of `warpscope convert` as users open them: by name, in a directory, truncated in transfer, or with other
// content under that name.
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/reader.hpp"

namespace warpscope::ingest {

/// Returns true if the file at `path` starts like a store, regardless of its name.
[[nodiscard]] bool is_store(const std::string& path);

/// Returns true if the file at `path` should be opened as a store: its bytes start like one (as far as it has any), or
/// it has the name of one and is not a trace.
[[nodiscard]] bool opens_as_store(const std::string& path);

/// Opens a file that is a store, or is named like one. Errors: it cannot be read; it is not a store, with what it
/// contains instead; it has another version, is truncated or corrupt. Each has advice.
[[nodiscard]] Result<store::StoreFile> open_converted(const std::string& path);

/// Returns the error for a directory `root` that contains no trace but several converted files.
[[nodiscard]] Error several_converted(const std::string& root, const std::vector<std::string>& files);

}  // namespace warpscope::ingest
