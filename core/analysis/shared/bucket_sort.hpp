#pragma once
// Stable bucket sort by small integers such as track indices.
#include <cstddef>
#include <utility>
#include <vector>

namespace warpscope {

/// Sorts `items` by `bucket(item)`, which must be less than `buckets`. Stable. O(items + buckets). Allocates a second
/// copy of the items unless there is only one bucket.
template <class T, class Bucket>
void bucket_sort(std::vector<T>& items, std::size_t buckets, Bucket bucket) {
  if (buckets < 2) return;
  std::vector<std::size_t> next(buckets + 1);
  for (const T& item : items) ++next[static_cast<std::size_t>(bucket(item)) + 1];
  for (std::size_t b = 1; b <= buckets; ++b) next[b] += next[b - 1];
  std::vector<T> sorted(items.size());
  for (T& item : items) sorted[next[static_cast<std::size_t>(bucket(item))]++] = std::move(item);
  items.swap(sorted);
}

}  // namespace warpscope
