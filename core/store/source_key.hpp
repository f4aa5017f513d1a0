#pragma once
// Tells whether a source is still the one that a store was made from, without reading it: its path, size and
// modification time, and a hash of its first and last 16 KiB, which catches a file that was rewritten within the
// clock's grain.
#include <cstdint>
#include <string>

#include "core/base/result.hpp"

namespace warpscope::store {

struct SourceKey {
  std::string path;
  std::uint64_t size = 0;        ///< bytes on disk
  std::int64_t modified_ns = 0;  ///< modification time
  std::uint64_t inode = 0;       ///< for information: a copy is as good
  std::uint64_t text_bytes = 0;  ///< after decompression; 0 if unknown
  std::uint64_t edges = 0;       ///< FNV-1a of the first 16 KiB followed by the last (of all twice, if it has less)

  friend bool operator==(const SourceKey&, const SourceKey&) = default;
};

/// Key of a regular file as it is now, without text_bytes. Reads at most 32 KiB.
[[nodiscard]] Result<SourceKey> source_key(const std::string& path);

/// True if `now` is the file that `then` was.
[[nodiscard]] bool same_source(const SourceKey& then, const SourceKey& now);

}  // namespace warpscope::store
