#pragma once
// Random slices for property tests, from a seed.
#include <algorithm>
#include <random>
#include <vector>

#include "core/trace/category.hpp"
#include "core/trace/interval_tree.hpp"

namespace warpscope::trace::testing {

struct Row {
  std::vector<Interval> slices;  // sorted, non-overlapping
  std::vector<Family> families;

  [[nodiscard]] TimeColumn column() const {
    TimeColumn time;
    for (const Interval& slice : slices) time.push_back(slice.begin, slice.length());
    return time;
  }
  [[nodiscard]] IntervalTree tree() const { return IntervalTree(column(), families); }
  [[nodiscard]] Interval span() const {
    return slices.empty() ? Interval{0, 100} : Interval{slices.front().begin, slices.back().end};
  }
};

/// Durations and gaps span many orders of magnitude; one in eight slices and one in eight gaps has zero length.
inline Row random_row(std::mt19937_64& random, std::size_t count, Ns origin, unsigned families) {
  Row row;
  Ns at = origin;
  const auto magnitude = [&](int highest) {
    const auto bits = static_cast<unsigned>(random() % static_cast<unsigned>(highest));
    return static_cast<Ns>(random() & ((std::uint64_t{1} << bits) - 1));
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (random() % 8 != 0) at += magnitude(i % 1000 == 999 ? 36 : 16);
    const Ns length = random() % 8 == 0 ? 0 : magnitude(i % 700 == 699 ? 36 : 14);
    row.slices.push_back({at, at + length});
    row.families.push_back(static_cast<Family>(random() % families));
    at += length;
  }
  return row;
}

/// Returns a window inside, across an edge of, or around the span; sometimes exactly at edges of slices.
inline Interval random_window(std::mt19937_64& random, const Row& row) {
  const Interval span = row.span();
  const auto point = [&]() -> Ns {
    if (!row.slices.empty() && random() % 3 == 0) {
      const Interval& slice = row.slices[random() % row.slices.size()];
      return random() % 2 == 0 ? slice.begin : slice.end;
    }
    const Ns margin = span.length() / 8 + 10;
    return span.begin - margin + static_cast<Ns>(random() % static_cast<std::uint64_t>(span.length() + 2 * margin));
  };
  Interval window{point(), point()};
  if (window.end < window.begin) std::swap(window.begin, window.end);
  return window;
}

inline bool touches(const Interval& slice, Interval window) {
  if (window.end <= window.begin) return false;
  if (slice.begin == slice.end) return window.contains(slice.begin);
  return slice.begin < window.end && slice.end > window.begin;
}

}  // namespace warpscope::trace::testing
