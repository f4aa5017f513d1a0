#pragma once
// Whether the end of a trace file is missing, for lists of files that are not read: a copy that was cut off, a disk
// that filled up, a program that was ended while it wrote. Only what is certain counts; whoever reads the whole file
// tells the rest.
//
//   plain  An object ends in a brace. Bare arrays need no end: Chrome's format lets writers leave it off.
//   gzip   The trailer tells the text's length; what stands there instead in a cut file is as good as random, and no
//          deflated text is more than 1032 times its file. So nearly all small files that are cut are known, and one of
//          four MiB or more is not.
//   zstd   Frames and blocks (RFC 8878, 3.1.1) tell their lengths, so the chain of them leads to the file's end or past
//          it. It is followed from header to header, without a look at what is between: at most kMostZstdHeaders reads
//          of some bytes. A block has at most 128 KiB of text.
#include <cstddef>
#include <string_view>

#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// Beyond so many headers a zstd file is taken to be whole.
inline constexpr std::size_t kMostZstdHeaders = 4096;

/// `text`: the begin of the file's text, decompressed; blanks and a byte order mark may come first.
[[nodiscard]] bool ends_too_early(const FileSource& file, std::string_view text);

}  // namespace warpscope::ingest
