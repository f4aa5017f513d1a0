#pragma once
// Natural merge sort for nearly sorted input: finds ascending runs and merges adjacent pairs until one run is left.
// Stable. O(n log r) for n elements in r runs; sorted input costs one comparison per element. Knuth, The Art of
// Computer Programming 3, §5.2.4.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpscope {

/// Sorts `items` by `less`. Allocates a second copy of the items unless they are already sorted.
template <class T, class Allocator, class Less>
void natural_merge_sort(std::vector<T, Allocator>& items, Less less) {
  std::vector<std::size_t> ends;  // ends of the runs
  for (std::size_t i = 1; i < items.size(); ++i)
    if (less(items[i], items[i - 1])) ends.push_back(i);
  if (ends.empty()) return;
  ends.push_back(items.size());

  std::vector<T, Allocator> merged(items.size());
  while (ends.size() > 1) {
    std::size_t begin = 0;
    std::size_t kept = 0;
    for (std::size_t pair = 0; pair < ends.size(); pair += 2) {
      const std::size_t middle = ends[pair];
      const std::size_t end = pair + 1 < ends.size() ? ends[pair + 1] : middle;
      const T* const from = items.data();
      std::merge(from + begin, from + middle, from + middle, from + end, merged.data() + begin, less);
      ends[kept++] = end;
      begin = end;
    }
    ends.resize(kept);
    items.swap(merged);
  }
}

}  // namespace warpscope
