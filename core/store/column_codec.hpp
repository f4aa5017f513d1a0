#pragma once
// Columns of numbers as bytes that zstd packs well: the lowest bytes of all values, then the next ones, and so on, as
// many planes as the greatest value needs. A plane of high bytes is mostly zeros and costs nothing; a plane of low
// bytes has its own statistics. (Byte planes are what Parquet calls BYTE_STREAM_SPLIT.)
//
// Times are written as the gap to the end of the slice before, not to its begin: rows are dense, so most gaps are short
// or recur. All of it is done on the 32-bit codes of TimeColumn modulo 2^32, so an escaped value needs no case of its
// own: what the decoder adds up is what the encoder subtracted.
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/time_column.hpp"

namespace warpscope::store {

/// Appends the width (1…4, 1…8) and the planes of `values`.
void append_planes(std::vector<std::uint8_t>& bytes, std::span<const std::uint32_t> values);
void append_planes(std::vector<std::uint8_t>& bytes, std::span<const std::uint64_t> values);

/// Reads back what append_planes() wrote from the front of `bytes`, which shrinks by it: exactly values.size() values.
/// False if the width is out of range or the bytes do not suffice.
[[nodiscard]] bool take_planes(std::span<const std::uint8_t>& bytes, std::span<std::uint32_t> values);
[[nodiscard]] bool take_planes(std::span<const std::uint8_t>& bytes, std::span<std::uint64_t> values);

/// From begins (distances from the base of their block of 16; `begins` starts at a block) to gaps. 0 for the first of
/// each block.
void begins_to_gaps(std::span<const std::uint32_t> begins, std::span<const std::uint32_t> durations,
                    std::span<std::uint32_t> gaps);
/// And back, in place.
void gaps_to_begins(std::span<std::uint32_t> gaps, std::span<const std::uint32_t> durations);
/// True if begins ascend within their blocks; `begins` starts at one.
[[nodiscard]] bool begins_ascend(std::span<const std::uint32_t> begins);

}  // namespace warpscope::store
