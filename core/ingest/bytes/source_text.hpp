#pragma once
// The text of a source that was read before, at any offset: for who looks at an event again.
#include <cstdint>
#include <memory>
#include <string>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// The decompressed text of `source` from `offset` on: see open_byte_stream_at, which this is, after it made sure that
/// the file is still the one that `source` describes (size, modification time, inode; if all three are 0 nothing is
/// compared). `checkpoints` (may be null) are those of the stream that read it. Errors: the file cannot be read, is
/// another one, or ends before `offset`; the work was cancelled.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_source_at(const trace::SourceFile& source, std::uint64_t offset,
                                                                 const Checkpoints* checkpoints = nullptr,
                                                                 const CancelToken* cancel = nullptr);

/// Up to `length` bytes of it; fewer at the end of the text, and where it is damaged.
[[nodiscard]] Result<std::string> text_at(const trace::SourceFile& source, std::uint64_t offset, std::size_t length,
                                          const Checkpoints* checkpoints = nullptr,
                                          const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
