#pragma once
// Interface between the window and a load in progress. Tests provide their own implementation.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/base/result.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/ingest/load/load_options.hpp"
#include "core/ingest/load/load_status.hpp"
#include "core/store/cache.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

using ingest::Catching;
using ingest::FileState;
using ingest::FileStatus;
using ingest::LoadStatus;

/// Load options.
struct LoadChoices {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: no limit
  bool keep_stores = true;         ///< use and write stores
  std::uint64_t store_limit = store::kDefaultCacheLimit;
  bool watch = false;
};

/// A load in progress. The destructor cancels it and waits.
class ProfileLoader {
 public:
  virtual ~ProfileLoader() = default;
  /// Returns the most complete profile so far; null until the first part is loaded. Thread-safe.
  [[nodiscard]] virtual std::shared_ptr<const trace::Profile> profile() const = 0;
  /// Returns the current progress. Call from one thread only.
  [[nodiscard]] virtual LoadStatus progress() = 0;
  virtual void cancel() = 0;
  /// Starts or stops watching for new and growing files.
  virtual void watch(bool on) = 0;
  /// Returns the reader for slice arguments; may be null. Thread-safe.
  [[nodiscard]] virtual std::shared_ptr<const ingest::EventLookup> events() const { return nullptr; }
  /// Rereads corrupt parts of the store from the traces (Loader::mend) and waits until done. For commands.
  virtual void mend() {}
};

/// Starts loading `path` on other threads with the given options. These threads call `on_change` when profile() or
/// progress() changes, at most about 25 times a second.
using LoaderFactory = std::function<std::unique_ptr<ProfileLoader>(
    const std::filesystem::path& path, const LoadChoices& choices, std::function<void()> on_change)>;

}  // namespace warpscope::ui
