#pragma once
// A store looked through whole, source by source: which parts of it are sound, and what is wrong with the others. What
// opens a store looks at no more than it shows; this is for whoever copied one and wants to be sure.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"

namespace warpscope::store {

/// One source of a store, or what one node measured of itself.
struct VerifiedPart {
  std::string path;                  ///< of the source; "system metrics" of a node's
  std::optional<std::int64_t> rank;  ///< none if the source has none, or it cannot be told any more
  /// Complete ones, as `info` counts them (Rank::counts); none if the source has no rank that can be read.
  std::optional<std::uint64_t> slices;
  Failure wrong;  ///< the first damage in it, if any, with its place in the file
};

/// Reads every frame of columns and every block of texts, and holds them against their checksums and each other.
/// Errors: the file is no store, or its directory cannot be had; `cancel` (may be null) was cancelled. Memory: one
/// rank.
[[nodiscard]] Result<std::vector<VerifiedPart>> verify_parts(const std::string& path, const CancelToken* cancel);

}  // namespace warpscope::store
