#pragma once
// Access to the text of a previously read source at any offset, to view an event again.
#include <cstdint>
#include <memory>
#include <string>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Opens the decompressed text of `source` from `offset` on: calls open_byte_stream_at after checking that the file is
/// still the one in `source` (size, modification time, inode; skipped if all three are 0). `checkpoints` (may be null)
/// come from the stream that read it. Errors: the file cannot be read, has changed, or ends before `offset`; the work
/// was cancelled.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_source_at(const trace::SourceFile& source, std::uint64_t offset,
                                                                 const Checkpoints* checkpoints = nullptr,
                                                                 const CancelToken* cancel = nullptr);

/// Returns up to `length` bytes of it; fewer at the end of the text and where it is corrupt.
[[nodiscard]] Result<std::string> text_at(const trace::SourceFile& source, std::uint64_t offset, std::size_t length,
                                          const Checkpoints* checkpoints = nullptr,
                                          const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
