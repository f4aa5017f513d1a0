#pragma once
// Files that `warpscope convert` wrote, as users come by them: by their name, in a directory, cut off on the way, or
// something else altogether under their name.
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/reader.hpp"

namespace warpscope::ingest {

/// True if `path` ends as files of convert do, in any case.
[[nodiscard]] bool named_like_store(std::string_view path);

/// True if the file at `path` begins like a store, whatever its name.
[[nodiscard]] bool is_store(const std::string& path);

/// True if the file at `path` is to be opened as a store: it begins like one, if only for as long as it is, or is named
/// like one and is no trace either.
[[nodiscard]] bool opens_as_store(const std::string& path);

/// Opens a file that is a store, or is named like one. Errors: it cannot be read; it is no store, and what it holds
/// instead; it is of another version, cut off or damaged. Each says what to do.
[[nodiscard]] Result<store::StoreFile> open_converted(const std::string& path);

/// What to say of the directory `root`, which holds no trace but several of them.
[[nodiscard]] Error several_converted(const std::string& root, const std::vector<std::string>& files);

}  // namespace warpscope::ingest
