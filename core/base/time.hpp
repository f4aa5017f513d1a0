#pragma once
// Time as the whole program knows it: int64 nanoseconds since the Unix epoch where the input allows it, else since
// whatever zero the source has. Never a double: at today's epoch a double is 256 ns coarse.
#include <cstdint>
#include <limits>

namespace warpscope {

using Ns = std::int64_t;

/// Half-open range of time [begin, end), in ns.
struct Interval {
  Ns begin = 0;
  Ns end = 0;

  [[nodiscard]] constexpr Ns length() const { return end - begin; }
  [[nodiscard]] constexpr bool empty() const { return end <= begin; }
  [[nodiscard]] constexpr bool contains(Ns t) const { return begin <= t && t < end; }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

/// The interval that any real interval widens: begin at +inf, end at -inf.
inline constexpr Interval kEmptySpan{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};

/// Smallest interval that holds both; kEmptySpan is neutral.
[[nodiscard]] constexpr Interval cover(Interval a, Interval b) {
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/// a + b, clamped to the range of Ns. Damaged durations may reach beyond it.
[[nodiscard]] constexpr Ns saturating_add(Ns a, Ns b) {
  if (b > 0 && a > std::numeric_limits<Ns>::max() - b) return std::numeric_limits<Ns>::max();
  if (b < 0 && a < std::numeric_limits<Ns>::min() - b) return std::numeric_limits<Ns>::min();
  return a + b;
}

/// a - b, clamped to the range of Ns.
[[nodiscard]] constexpr Ns saturating_difference(Ns a, Ns b) {
  if (b < 0 && a > std::numeric_limits<Ns>::max() + b) return std::numeric_limits<Ns>::max();
  if (b > 0 && a < std::numeric_limits<Ns>::min() + b) return std::numeric_limits<Ns>::min();
  return a - b;
}

/// `time`, or as much of its begin as has a length: damaged times may be further apart than Ns can tell.
[[nodiscard]] constexpr Interval measurable(Interval time) {
  if (time.begin >= time.end) return time;
  return {time.begin, time.begin + saturating_difference(time.end, time.begin)};
}

}  // namespace warpscope
