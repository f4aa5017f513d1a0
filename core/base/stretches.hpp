#pragma once
// Iterates over groups of items with equal keys in a list sorted by key.
#include <cstddef>
#include <functional>
#include <span>

namespace warpscope {

/// Calls visit(std::span<Item>) for each maximal run of items with the same `key(item)`. O(n).
template <class Item, class Key, class Visit>
void for_each_stretch(std::span<Item> items, Key key, Visit visit) {
  for (std::size_t from = 0, to = 0; from < items.size(); from = to) {
    const auto of_first = std::invoke(key, items[from]);
    for (to = from + 1; to < items.size() && std::invoke(key, items[to]) == of_first;) ++to;
    visit(items.subspan(from, to - from));
  }
}

}  // namespace warpscope
