// parse_bytes: NUMBER UNIT in decimal. Uses integer arithmetic to avoid rounding.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope {
namespace {

__extension__ using Wide = unsigned __int128;

struct ByteUnit {
  std::string_view name;  // lower case
  std::uint64_t bytes;
};

constexpr std::array kByteUnits{
    ByteUnit{"", 1},
    ByteUnit{"b", 1},
    ByteUnit{"k", std::uint64_t{1} << 10},
    ByteUnit{"kib", std::uint64_t{1} << 10},
    ByteUnit{"kb", 1'000},
    ByteUnit{"m", std::uint64_t{1} << 20},
    ByteUnit{"mib", std::uint64_t{1} << 20},
    ByteUnit{"mb", 1'000'000},
    ByteUnit{"g", std::uint64_t{1} << 30},
    ByteUnit{"gib", std::uint64_t{1} << 30},
    ByteUnit{"gb", 1'000'000'000},
    ByteUnit{"t", std::uint64_t{1} << 40},
    ByteUnit{"tib", std::uint64_t{1} << 40},
    ByteUnit{"tb", 1'000'000'000'000},
};
constexpr auto kMostBytes = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());

std::optional<std::uint64_t> unit_bytes(std::string_view word) {
  const std::string small = lower(word);
  for (const ByteUnit& unit : kByteUnits)
    if (unit.name == small) return unit.bytes;
  return std::nullopt;
}

}  // namespace

Result<std::uint64_t> parse_bytes(std::string_view text) {
  const auto error = [&](std::string what) {
    return Error{std::string(text), std::move(what), "write a size such as 8G or 512M, or a number of bytes"};
  };
  std::string_view rest = trimmed(text);
  const std::size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  const std::string_view number = rest.substr(0, end);
  const std::optional<std::uint64_t> unit = unit_bytes(trimmed(rest.substr(end)));
  const std::string_view whole = number.substr(0, number.find('.'));
  const std::string_view fraction =
      whole.size() == number.size() ? std::string_view() : number.substr(whole.size() + 1);
  if (whole.empty() && fraction.empty()) return error("no number found");
  if (fraction.find('.') != std::string_view::npos) return error("two decimal points in a number");
  if (!unit) return error("unknown unit '" + std::string(trimmed(rest.substr(end))) + "'");

  Wide sum = 0;
  for (const char digit : whole) {
    sum = sum * 10 + static_cast<Wide>(digit - '0') * *unit;
    if (sum > kMostBytes) return error("larger than any memory or disk");
  }
  // Decimals beyond the 18th are less than one byte even in the largest unit.
  Wide part = 0;
  Wide scale = 1;
  for (const char digit : fraction.substr(0, 18)) {
    part = part * 10 + static_cast<Wide>(digit - '0');
    scale *= 10;
  }
  sum += part * *unit / scale;
  if (sum > kMostBytes) return error("larger than any memory or disk");
  return static_cast<std::uint64_t>(sum);
}

}  // namespace warpscope
