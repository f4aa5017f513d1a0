#pragma once
// Finds where to resume after corrupt compressed data: the next gzip member or zstd frame. The format has no pointer to
// it, so every position that looks like a start is tried, and accepted if it decompresses without error for a few KiB.
// Random bytes look like the start of a gzip member with probability of about 10^-11, of a zstd frame with 10^-9, and
// almost never continue like one.
#include <cstdint>
#include <optional>

#include "core/base/progress.hpp"
#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// A decoder that met corrupt data may have run past the start of the next part, so the search starts this far before
/// the position where it failed, but not before the start of the corrupt part.
inline constexpr std::uint64_t kLookBack = std::uint64_t{1} << 20;
/// A file with more corrupt members or frames is given up: each may take a new search.
inline constexpr std::size_t kMostDamages = 100;
/// Maximum number of candidate starts to try. A thousand failures happen only in crafted files.
inline constexpr std::size_t kMostTries = 1000;

/// Returns the first start at or after `from`; none if there is none, the file cannot be read, or `cancel` (may be
/// null) was cancelled. O(bytes of the file), plus O(128 KiB) per candidate.
[[nodiscard]] std::optional<std::uint64_t> find_gzip_member(const FileSource& file, std::uint64_t from,
                                                            const CancelToken* cancel);
[[nodiscard]] std::optional<std::uint64_t> find_zstd_frame(const FileSource& file, std::uint64_t from,
                                                           const CancelToken* cancel);

}  // namespace warpscope::ingest
