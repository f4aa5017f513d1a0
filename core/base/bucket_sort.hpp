#pragma once
// Sorts by small numbers, such as the index of a track: each item goes to its bucket, in the order in which they came.
#include <cstddef>
#include <utility>
#include <vector>

namespace warpscope {

/// Sorts `items` by `bucket(item)`, which is less than `buckets`. Stable. O(items + buckets). Takes memory for another
/// copy of them unless there is only one bucket.
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
