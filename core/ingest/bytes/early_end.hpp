#pragma once
// Detects truncated trace files without reading them, for lists of files: partial copies, full disks, programs killed
// while writing. Reports truncation only if it is certain; a full read finds the rest.
//
//   plain  An object must end in a brace. Bare arrays need no end: Chrome's format lets writers leave it off.
//   gzip   The trailer holds the text's length. In a truncated file those bytes are effectively random, and deflate
//          expands a file at most 1032-fold. So nearly all small truncated files are detected, but not those of
//          four MiB or more.
//   zstd   Frames and blocks (RFC 8878, 3.1.1) store their lengths, so the chain of them leads to the file's end or
//   past
//          it. Follows it from header to header without reading the data between: at most kMostZstdHeaders reads
//          of a few bytes. A block has at most 128 KiB of text.
#include <cstddef>
#include <string_view>

#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// A zstd file with more headers is assumed to be complete.
inline constexpr std::size_t kMostZstdHeaders = 4096;

/// `text`: the start of the file's text, decompressed; blanks and a byte order mark may come first.
[[nodiscard]] bool ends_too_early(const FileSource& file, std::string_view text);

}  // namespace warpscope::ingest
