#pragma once
// Options of a load.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/ingest/listing/share.hpp"
#include "core/store/cache.hpp"

namespace warpscope::ingest {

/// How to use stores from earlier loads.
struct StoreOptions {
  bool use = true;                 ///< load from a store if possible
  bool keep = false;               ///< write a store for the next load, on its own thread after this one
  std::filesystem::path folder{};  ///< folder for all stores; if empty, disables stores and ignores the options above
  std::uint64_t limit = store::kDefaultCacheLimit;  ///< maximum total bytes of all stores
  /// Watched directories are saved once nothing has been read for this long, because growing files would make a store
  /// obsolete immediately.
  std::chrono::milliseconds rest{10'000};
};

/// Result of saving a store.
struct Kept {
  std::string file;         ///< the store the next load uses; "" for a converted profile, which needs none
  std::uint64_t bytes = 0;  ///< its size
  bool written = false;     ///< written now; otherwise it was already up to date and valid
};

/// Minimum memory limit; lower limits would leave no room to show anything.
inline constexpr std::uint64_t kLeastMemoryLimit = std::uint64_t{64} << 20;

struct LoadOptions {
  unsigned threads = 0;               ///< 0: the number of cores
  std::function<void()> on_change{};  ///< called from workers on a new profile or progress (at most ~25 / s)
  std::uint64_t memory_limit =
      0;  ///< bytes for ranks and names; above it, ranks stay in stores until viewed. 0: no limit
  StoreOptions store{};
  std::optional<Share> share{};                ///< of the trace files; nullopt: all
  bool watch = false;                          ///< keep looking for new and growing files after the load
  std::chrono::milliseconds look_every{1000};  ///< while watching; less often if a scan takes long
};

}  // namespace warpscope::ingest
