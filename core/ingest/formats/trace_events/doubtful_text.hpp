#pragma once
// Finds the unreliable text of a corrupt file. A checksum shows that a gzip member or zstd frame differs from what was
// compressed, but not where. The decoder continues after the corrupt byte and produces wrong text: numbers, names and
// keys of other events in the wrong places, usually until the end.
//
// Idea: such text soon makes no sense. In traces with one bit or 4 KiB changed, the first text that no profiler writes
// was within 300 bytes of the first wrong byte in nine of ten cases, and within 64 KiB in nearly all. So everything
// from 64 KiB before the first such place to the end of the member or frame is rejected. If there is no such place, all
// text is accepted: little can be wrong then, and far outliers in time are set aside (damage.hpp). All text of
// truncated data is accepted.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// Text rejected before the first place that makes no sense.
inline constexpr std::uint64_t kDoubt = std::uint64_t{64} << 10;

/// Bytes [begin, end) of a text.
struct TextRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// Returns the unreliable ranges of the file at `path`, sorted and disjoint; reads the whole file. Empty if it cannot
/// be read, or `cancel` (may be null) was cancelled.
[[nodiscard]] std::vector<TextRange> find_doubtful_text(const std::string& path, const CancelToken* cancel);

/// Returns true if a text with these diagnostics may have such ranges; only then search for them.
[[nodiscard]] bool makes_no_sense(const Diagnostics& diagnostics);

/// Returns the same text with zeros in `ranges`, which are sorted and disjoint: readers skip zeros, and offsets stay
/// valid.
[[nodiscard]] std::unique_ptr<ByteStream> leave_out(std::unique_ptr<ByteStream> stream, std::vector<TextRange> ranges);

/// Returns the text before `end` (within the text), then the error that describes the corruption: for code that copies
/// text and cannot handle zeros.
[[nodiscard]] std::unique_ptr<ByteStream> end_before(std::unique_ptr<ByteStream> stream, std::uint64_t end,
                                                     const std::string& file);

/// Reports the corruption of `stream`, which was read to its end or failed with `failure` after `text` bytes of text,
/// and the ranges left out.
void report_damage(const ByteStream& stream, const Failure& failure, std::uint64_t text,
                   const std::vector<TextRange>& left_out, Diagnostics& diagnostics, const std::string& file);

}  // namespace warpscope::ingest
