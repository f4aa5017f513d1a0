#pragma once
// Opens the output of `warpscope convert`. Also handles files found in an opened directory, truncated files, and other
// files with the .wscope extension.
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/reader.hpp"

namespace warpscope::ingest {

/// Returns true if the file at `path` starts with the signature of a store, regardless of its name.
[[nodiscard]] bool is_store(const std::string& path);

/// Returns true if the file at `path` should be opened as a store: it starts with the signature of a store, or it has
/// the .wscope extension and is not a trace.
[[nodiscard]] bool opens_as_store(const std::string& path);

/// Opens a store, or a file with the .wscope extension. Errors, each with advice: the file cannot be read, is not a
/// store (the error states what it contains), has a different version, or is truncated or corrupt.
[[nodiscard]] Result<store::StoreFile> open_converted(const std::string& path);

/// Returns the error for a directory `root` with several converted profiles but no traces.
[[nodiscard]] Error several_converted(const std::string& root, const std::vector<std::string>& files);

}  // namespace warpscope::ingest
