#pragma once
// Verifies a whole store, source by source, and reports which parts are intact and what is wrong with the others.
// Opening a store checks only the parts that are read; use this to verify a copied store completely.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"

namespace warpscope::store {

/// One source of a store, or the system metrics of one node.
struct VerifiedPart {
  std::string path;                  ///< path of the source; "system metrics of NODE" for those of a node
  std::optional<std::int64_t> rank;  ///< nullopt if the source has no rank, or its number cannot be read
  /// Number of complete slices, as in `info` (Rank::counts); nullopt if the source has no readable rank.
  std::optional<std::uint64_t> slices;
  Failure wrong;  ///< first corruption in it, if any, with its position in the file
};

/// Reads every frame of columns and every block of event text, and checks them against their checksums and each other.
/// `cancel` may be null. Errors: not a store; the directory cannot be read; cancelled. Memory: one rank.
[[nodiscard]] Result<std::vector<VerifiedPart>> verify_parts(const std::string& path, const CancelToken* cancel);

}  // namespace warpscope::store
