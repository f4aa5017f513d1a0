#pragma once
// Sorts what is nearly sorted: finds the stretches that are in order already and merges neighbouring ones, pair by
// pair, until one is left. Stable. O(n log stretches): one comparison an element if nothing is to be done. The natural
// merge sort of Knuth, The Art of Computer Programming 3, §5.2.4.
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace warpscope {

/// Sorts `items` by `less`, with `buffer` of the same size to work in.
template <class T, class Less>
void natural_merge_sort(std::span<T> items, std::span<T> buffer, Less less) {
  std::vector<std::size_t> ends;  // of the stretches
  for (std::size_t i = 1; i < items.size(); ++i)
    if (less(items[i], items[i - 1])) ends.push_back(i);
  if (ends.empty()) return;
  ends.push_back(items.size());

  std::span<T> from = items;
  std::span<T> to = buffer;
  while (ends.size() > 1) {
    std::size_t begin = 0;
    std::size_t kept = 0;
    for (std::size_t pair = 0; pair < ends.size(); pair += 2) {
      const std::size_t middle = ends[pair];
      const std::size_t end = pair + 1 < ends.size() ? ends[pair + 1] : middle;
      std::merge(from.data() + begin, from.data() + middle, from.data() + middle, from.data() + end, to.data() + begin,
                 less);
      ends[kept++] = end;
      begin = end;
    }
    ends.resize(kept);
    std::swap(from, to);
  }
  if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
}

template <class T, class Less>
void natural_merge_sort(std::vector<T>& items, Less less) {
  if (std::is_sorted(items.begin(), items.end(), less)) return;
  std::vector<T> buffer(items.size());
  natural_merge_sort(std::span<T>(items), std::span<T>(buffer), less);
}

}  // namespace warpscope
