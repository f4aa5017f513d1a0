#pragma once
// Detects truncated trace files without reading them in full, for file lists. Files may be truncated by partial copies,
// full disks, or programs killed while writing. Reports only definite truncation; a full read finds the rest.
//
//   plain  An object must end in a brace. Bare arrays may lack the closing bracket, which Chrome's format makes
//          optional.
//   gzip   The trailer contains the length of the text. In a truncated file, those bytes are effectively random, and
//          deflate expands a file at most 1032-fold. This detects nearly all small truncated files, but none of
//          4 MiB or more.
//
// zstd files are not checked.
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// `text`: the start of the file's decompressed text; may start with white space or a byte order mark.
[[nodiscard]] bool ends_too_early(const FileSource& file, std::string_view text);

/// Returns the text length of a gzip file's last member modulo 2^32, from the trailer; nullopt if the file is too short
/// to have a trailer.
[[nodiscard]] std::optional<std::uint32_t> gzip_text_length(const FileSource& file);

}  // namespace warpscope::ingest
