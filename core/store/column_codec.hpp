#pragma once
// Encodes columns of numbers as byte planes, which zstd compresses well: the lowest bytes of all values, then the next
// ones, up to the width of the largest value. High-byte planes are mostly zeros and cost almost nothing; low-byte
// planes are compressed with their own statistics. (Parquet calls byte planes BYTE_STREAM_SPLIT.)
//
// Start times are stored as gaps from the end of the previous slice, not from its start: rows are dense, so most gaps
// are short or repeat. All arithmetic is on the 32-bit codes of TimeColumn modulo 2^32, so escaped values need no
// special case: the decoder adds what the encoder subtracted.
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/time_column.hpp"

namespace warpscope::store {

/// Appends the width in bytes (up to 4 for 32-bit values, up to 8 for 64-bit values) and the planes of `values`.
void append_planes(std::vector<std::uint8_t>& bytes, std::span<const std::uint32_t> values);
void append_planes(std::vector<std::uint8_t>& bytes, std::span<const std::uint64_t> values);

/// Reads and removes the planes of exactly values.size() values, as written by append_planes(), from the front of
/// `bytes`. Returns false if the width is out of range or there are too few bytes.
[[nodiscard]] bool take_planes(std::span<const std::uint8_t>& bytes, std::span<std::uint32_t> values);
[[nodiscard]] bool take_planes(std::span<const std::uint8_t>& bytes, std::span<std::uint64_t> values);

/// Returns the gap before slice `i`, given start times relative to the bases of their 16-slice blocks. The first block
/// starts at index 0. The gap of the first slice of a block is its start time.
[[nodiscard]] inline std::uint32_t gap_at(std::span<const std::uint32_t> begins,
                                          std::span<const std::uint32_t> durations, std::size_t i) {
  return i % trace::TimeColumn::kBlock == 0 ? begins[i] : begins[i] - begins[i - 1] - durations[i - 1];
}
/// Converts gaps back to start times, in place.
void gaps_to_begins(std::span<std::uint32_t> gaps, std::span<const std::uint32_t> durations);
/// True if start times are in ascending order within each block; `begins` must start at a block boundary.
[[nodiscard]] bool begins_ascend(std::span<const std::uint32_t> begins);

}  // namespace warpscope::store
