#pragma once
// Opens the output of `warpscope convert`, which may be in a directory, truncated in transfer, or replaced by other
// content under that name.
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/reader.hpp"

namespace warpscope::ingest {

/// Returns true if the file at `path` starts like a store, regardless of its name.
[[nodiscard]] bool is_store(const std::string& path);

/// Returns true if the file at `path` should be opened as a store: its bytes (if any) start like one, or it has the
/// name of one and is not a trace.
[[nodiscard]] bool opens_as_store(const std::string& path);

/// Opens a file that is a store, or has the name of one. Errors, each with advice: it cannot be read; it is not a store
/// (and what it contains instead); it has another version, is truncated or corrupt.
[[nodiscard]] Result<store::StoreFile> open_converted(const std::string& path);

/// Returns the error for a directory `root` that contains no trace but several converted files.
[[nodiscard]] Error several_converted(const std::string& root, const std::vector<std::string>& files);

}  // namespace warpscope::ingest
