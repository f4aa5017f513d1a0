#pragma once
// Shared by the tests of compressed input: trace-like texts, and reading of whole streams.
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"
#include "tests/catch.hpp"

namespace warpscope::tests {

struct ReadText {
  std::string text;
  std::optional<Error> error;
  std::uint64_t consumed = 0;
  std::uint64_t first_damage = 0;  ///< end of the text before the first damage; otherwise the length of the text
};

/// Reads to the end in blocks of `block` bytes; 0: random sizes.
ReadText read_rest(ingest::ByteStream& stream, std::size_t block = 1 << 16);

ReadText read_all(const std::string& path, const ingest::OpenOptions& options, std::size_t block = 1 << 16);

/// Event-like text: many repetitions, unique numbers, occasional noise and long runs of one byte.
std::string trace_like(std::size_t size, std::uint_fast32_t seed);

}  // namespace warpscope::tests
