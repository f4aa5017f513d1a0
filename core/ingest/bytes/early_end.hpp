#pragma once
// Detects truncated trace files without reading them completely, for use in file lists. Files may be truncated by
// partial copies, full disks, or programs killed while writing. Reports truncation only if it is certain; a full read
// finds the other cases.
//
//   plain  An object must end in a brace. Bare arrays may lack the closing bracket, which Chrome's format makes
//          optional.
//   gzip   The trailer contains the length of the text. In a truncated file, those bytes are effectively random, and
//          deflate expands a file at most 1032-fold. So nearly all small truncated files are detected, but not those
//          of four MiB or more.
//
// zstd files are not checked.
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// `text`: the start of the file's decompressed text; may start with blanks or a byte order mark.
[[nodiscard]] bool ends_too_early(const FileSource& file, std::string_view text);

/// Returns the length of the last member's text modulo 2^32, from the trailer of a gzip file; nullopt if the file is
/// too short to have a trailer.
[[nodiscard]] std::optional<std::uint32_t> gzip_text_length(const FileSource& file);

}  // namespace warpscope::ingest
