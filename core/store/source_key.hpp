#pragma once
// Detects whether a source has changed since a store was made from it, without reading all of it: compares path, size,
// modification time, and a hash of the first and last 16 KiB. The hash catches files that were rewritten within the
// resolution of file timestamps.
#include <cstdint>
#include <string>

#include "core/base/result.hpp"

namespace warpscope::store {

struct SourceKey {
  std::string path;
  std::uint64_t size = 0;        ///< bytes on disk
  std::int64_t modified_ns = 0;  ///< modification time
  std::uint64_t inode = 0;       ///< informational: copies are equivalent
  std::uint64_t text_bytes = 0;  ///< after decompression; 0 if unknown
  std::uint64_t edges = 0;       ///< FNV-1a of the first and then the last 16 KiB (of a smaller file, twice)

  friend bool operator==(const SourceKey&, const SourceKey&) = default;
};

/// Returns the current key, without text_bytes, of a regular file, a rank in a file, or a group of files. Reads at most
/// 32 KiB.
[[nodiscard]] Result<SourceKey> source_key(const std::string& path);

/// True if both keys identify the same unchanged file.
[[nodiscard]] bool same_source(const SourceKey& then, const SourceKey& now);

}  // namespace warpscope::store
