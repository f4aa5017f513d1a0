#pragma once
// From the body of a rank in a store back to a Rank. Read at once is what a picture of the whole rank needs: the head,
// the strings, the trees, the blocks at hand. Times, labels, offsets and connections come in when they are looked at.
#include <memory>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/store/format.hpp"
#include "core/store/store_bytes.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::store {

/// Where a rank stands in a store.
struct RankPlace {
  std::uint64_t base = 0;    ///< first byte of its body
  std::uint64_t length = 0;  ///< of its body
  SectionRef head;
};

/// Names and categories go to `dictionary`, which the rank then shares. `checked`: see SectionReader. The rank holds
/// `bytes` open as long as it lives. O(blocks + names).
[[nodiscard]] Result<std::shared_ptr<const trace::Rank>> read_rank(std::shared_ptr<const StoreBytes> bytes,
                                                                   const RankPlace& place,
                                                                   std::shared_ptr<trace::Dictionary> dictionary,
                                                                   bool checked);

/// Brings in everything of a rank and holds it against its sums. Empty if all is well, or if cancelled.
[[nodiscard]] Failure verify_rank(const trace::Rank& rank, const CancelToken* cancel);

}  // namespace warpscope::store
