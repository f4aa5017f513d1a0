#pragma once
// Reads a rank from its body in a store. Opening a rank reads its head, strings and counters. On first use of any of
// its rows, it reads what is needed to draw all of them: the trees and a few blocks of each row. Times, labels, offsets
// and connections are loaded on first use, too.
#include <memory>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/format.hpp"
#include "core/store/store_bytes.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::store {

/// Position of a rank in a store.
struct RankPlace {
  std::uint64_t base = 0;    ///< first byte of its body
  std::uint64_t length = 0;  ///< size of its body
  SectionRef head;
};

/// Returns the bytes that read_rank() reads besides the head, for StoreBytes::expect(); none if the head is corrupt.
[[nodiscard]] std::vector<ByteRange> opening_ranges(const StoreBytes& bytes, const RankPlace& place);

/// Reads a rank. Adds its names and categories to `dictionary`, which the rank then shares. `checked`: see
/// SectionReader. The rank keeps `bytes` open as long as it exists. O(lanes + names).
[[nodiscard]] Result<std::shared_ptr<const trace::Rank>> read_rank(std::shared_ptr<const StoreBytes> bytes,
                                                                   const RankPlace& place,
                                                                   std::shared_ptr<trace::Dictionary> dictionary,
                                                                   bool checked);

}  // namespace warpscope::store
