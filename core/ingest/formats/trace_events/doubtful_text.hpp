#pragma once
// What of a damaged file's text is not to be believed. A checksum tells that a gzip member or zstd frame is not what
// was compressed, and not where. The decoder goes on behind the damage and makes up text: numbers, names and keys of
// other events in the places of those that were there, mostly up to the end.
//
// Idea: such text soon makes no sense. In traces of which one bit or 4 KiB were changed the first thing that no
// profiler writes stood within 300 bytes of the first wrong one in nine of ten cases, and within 64 KiB in nearly all.
// So nothing is believed from 64 KiB before the first such place on, up to the end of the member or frame. Where there
// is no such place all is believed: little can be wrong then, and what stands far off in time is set aside
// (damage.hpp). Of data that only end early all is believed.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// Text before the first place that makes no sense which is not believed either.
inline constexpr std::uint64_t kDoubt = std::uint64_t{64} << 10;

/// Bytes [begin, end) of a text.
struct TextRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// The ranges not to be believed, in order and apart, of the file at `path`, which is read for this from begin to end.
/// Empty if it cannot be read, or `cancel` (may be null) was cancelled.
[[nodiscard]] std::vector<TextRange> find_doubtful_text(const std::string& path, const CancelToken* cancel);

/// Whether a text of which this was noted can have such ranges: only then it is worth to look for them.
[[nodiscard]] bool makes_no_sense(const Diagnostics& diagnostics);

/// The same text with zeros in `ranges`, which are in order and apart: readers pass over them, and offsets stay.
[[nodiscard]] std::unique_ptr<ByteStream> leave_out(std::unique_ptr<ByteStream> stream, std::vector<TextRange> ranges);

/// The text before `end` (not beyond what there is), then the error that says what is damaged: for who copies text and
/// knows of no zeros.
[[nodiscard]] std::unique_ptr<ByteStream> end_before(std::unique_ptr<ByteStream> stream, std::uint64_t end,
                                                     const std::string& file);

/// Says what is damaged of `stream`, which was read to its end, or failed with `failure` where `text` bytes of text had
/// been had; and what was left out of it.
void report_damage(const ByteStream& stream, const Failure& failure, std::uint64_t text,
                   const std::vector<TextRange>& left_out, Diagnostics& diagnostics, const std::string& file);

}  // namespace warpscope::ingest
