#pragma once
// Reads a rank from its body in a store. Opening a rank reads the parts needed to draw all of it: the head, the
// strings, the trees, and a few blocks of each row. Times, labels, offsets and connections are loaded on first use.
#include <memory>
#include <optional>

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

/// Returns the bytes that read_rank() reads besides the head, for StoreBytes::expect(); nullopt if the head is corrupt.
[[nodiscard]] std::optional<ByteRange> opening_range(const StoreBytes& bytes, const RankPlace& place);

/// Reads a rank. Adds its names and categories to `dictionary`, which the rank then shares. `checked`: see
/// SectionReader. The rank keeps `bytes` open as long as it exists. O(blocks + names).
[[nodiscard]] Result<std::shared_ptr<const trace::Rank>> read_rank(std::shared_ptr<const StoreBytes> bytes,
                                                                   const RankPlace& place,
                                                                   std::shared_ptr<trace::Dictionary> dictionary,
                                                                   bool checked);

}  // namespace warpscope::store
