#pragma once
// Generated files of each format, and the ways in which a disk, a copy or a crash corrupts a file.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::damage {

enum class Format : std::uint8_t { json, gz, metrics, pevents };
inline constexpr Format kFormats[] = {Format::json, Format::gz, Format::metrics, Format::pevents};
[[nodiscard]] std::string_view name_of(Format format);

struct Input {
  Format format = Format::json;
  std::string path;  ///< in the opened folder
  std::string bytes;
  /// The bytes to damage: in text, those of the events, without the metadata that all of them depend on.
  std::size_t first = 0, last = 0;
};

/// Several inputs of the format: other layouts and arguments, the same for equal seeds.
[[nodiscard]] std::vector<Input> make_inputs(Format format, std::uint64_t seed);

enum class Kind : std::uint8_t {
  zero_page,    ///< an aligned block of 4 KiB becomes zero, as after a crash
  zero_block,   ///< the same for 512 bytes
  ones,         ///< 512 bytes become 0xff, as in erased flash memory
  noise,        ///< up to 512 bytes become random
  stale_block,  ///< 512 bytes become those of another place in the file
  removed,      ///< up to 4 KiB are missing
  byte,         ///< one byte becomes another
  bit,          ///< one bit flips
};
inline constexpr Kind kKinds[] = {Kind::zero_page,   Kind::zero_block, Kind::ones, Kind::noise,
                                  Kind::stale_block, Kind::removed,    Kind::byte, Kind::bit};
[[nodiscard]] std::string_view name_of(Kind kind);

struct Damaged {
  std::string bytes;
  std::uint64_t gone = 0;  ///< number of bytes of which nothing in the file shows that they were there
};
/// Damages the input at a random place.
[[nodiscard]] Damaged damaged(const Input& input, Kind kind, std::mt19937_64& random);

/// Returns true if text is still valid, according to a parser of its own: no reader can notice the damage.
[[nodiscard]] bool is_valid(Format format, const std::string& bytes);

}  // namespace warpscope::damage
