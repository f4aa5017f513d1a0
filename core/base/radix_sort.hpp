#pragma once
// Sorts by a 32-bit key in linear time: counts the values of 11 bits at a time and moves each item to its place, from
// the lowest bits to the highest. Stable. Knuth, The Art of Computer Programming 3, §5.2.5.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace warpscope {

/// `key(item)`: std::uint32_t. O(n) per 11 bits of the greatest key.
template <class T, class Key>
void radix_sort(std::vector<T>& items, Key key) {
  constexpr unsigned kBits = 11;
  constexpr std::uint32_t kMask = (1u << kBits) - 1;
  std::uint32_t greatest = 0;
  bool sorted = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    greatest = std::max(greatest, key(items[i]));
    sorted = sorted && (i == 0 || key(items[i - 1]) <= key(items[i]));
  }
  if (sorted) return;
  std::vector<T> buffer(items.size());
  for (unsigned shift = 0; shift < 32 && greatest >> shift != 0; shift += kBits) {
    std::array<std::size_t, kMask + 2> place{};
    for (const T& item : items) ++place[(key(item) >> shift & kMask) + 1];
    for (std::size_t value = 1; value < place.size(); ++value) place[value] += place[value - 1];
    for (const T& item : items) buffer[place[key(item) >> shift & kMask]++] = item;
    items.swap(buffer);
  }
}

}  // namespace warpscope
