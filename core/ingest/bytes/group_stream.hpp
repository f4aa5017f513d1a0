#pragma once
// Concatenates the files of a group (see file_group.hpp), which are plain text, into one text. A part that cannot be
// read is replaced by blanks, so the offsets of all other text stay the same.
#include <memory>
#include <string>

#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// Opens the text of the group at `path` from byte `offset` on. Errors: there are no such files; not the expected ones.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_group_stream(const std::string& path, std::uint64_t offset,
                                                                    const OpenOptions& options);

}  // namespace warpscope::ingest
