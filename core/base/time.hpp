#pragma once
// Times are int64 nanoseconds since the Unix epoch, or since the source's own zero if its epoch is unknown. They are
// never doubles, which have a resolution of only 256 ns for current dates.
#include <cstdint>
#include <limits>

namespace warpscope {

using Ns = std::int64_t;

/// Half-open time range [begin, end), in ns.
struct Interval {
  Ns begin = 0;
  Ns end = 0;

  [[nodiscard]] constexpr Ns length() const { return end - begin; }
  [[nodiscard]] constexpr bool empty() const { return end <= begin; }
  [[nodiscard]] constexpr bool contains(Ns t) const { return begin <= t && t < end; }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

/// Identity element for cover(): begin at +inf, end at -inf.
inline constexpr Interval kEmptySpan{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};

/// Returns the smallest interval that contains both.
[[nodiscard]] constexpr Interval cover(Interval a, Interval b) {
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/// Returns a + b, clamped to the range of Ns. With corrupt durations, the sum may exceed that range.
[[nodiscard]] constexpr Ns saturating_add(Ns a, Ns b) {
  if (b > 0 && a > std::numeric_limits<Ns>::max() - b) return std::numeric_limits<Ns>::max();
  if (b < 0 && a < std::numeric_limits<Ns>::min() - b) return std::numeric_limits<Ns>::min();
  return a + b;
}

/// Returns a - b, clamped to the range of Ns.
[[nodiscard]] constexpr Ns saturating_difference(Ns a, Ns b) {
  if (b < 0 && a > std::numeric_limits<Ns>::max() + b) return std::numeric_limits<Ns>::max();
  if (b > 0 && a < std::numeric_limits<Ns>::min() + b) return std::numeric_limits<Ns>::min();
  return a - b;
}

/// Returns `time`, shortened at the end if its length would exceed the range of Ns, as happens with corrupt times.
[[nodiscard]] constexpr Interval measurable(Interval time) {
  if (time.begin >= time.end) return time;
  return {time.begin, time.begin + saturating_difference(time.end, time.begin)};
}

}  // namespace warpscope
