#pragma once
// Keeps the ranks of a load within its memory limit. Above the limit, ranks stay in the store until they are viewed;
// residency.hpp chooses which. Reports once if the limit is exceeded. No-op without a limit.
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/base/threads/mutex.hpp"
#include "core/ingest/load/load_context.hpp"
#include "core/ingest/load/residency.hpp"

namespace warpscope::ingest {

class MemoryLimiter {
 public:
  explicit MemoryLimiter(LoadContext& load) : load_(load) {}

  /// Starts moving newly read ranks into the store. `text_bytes`: size of the text that the store will contain.
  void start_spilling(std::uint64_t text_bytes);
  /// Call once the store with the spilled ranks has been written.
  void stop_spilling() { spill_ = nullptr; }
  /// Publishes a newly read rank. If memory is low, publishes a version of the rank that loads its data from the store.
  /// Thread-safe.
  void add(std::shared_ptr<const trace::Rank> rank);

  /// Unloads ranks if the limit is exceeded; reports if it still is. Call after the load, and then regularly.
  void look();

  [[nodiscard]] std::size_t waiting_in_store() const { return waiting_in_store_; }

 private:
  std::uint64_t unload();
  void spill_the_rest();
  void note_no_place(const Error& error);
  void note_not_held(std::uint64_t needed);

  LoadContext& load_;
  Residency residency_;
  std::atomic<StoreBuilder*> spill_{nullptr};     // destination of ranks
  std::atomic<std::uint64_t> in_memory_{0};       // bytes of ranks that are not in a store
  std::atomic<std::size_t> waiting_in_store_{0};  // ranks in stored_ with no column in memory
  Mutex spilling_ ACQUIRED_BEFORE(mutex_);        // held while spilling starts
  bool cannot_spill_ GUARDED_BY(spilling_) = false;
  Mutex mutex_;
  // Files whose ranks are kept in a store because of the limit, each with the size of its unloaded rank in bytes.
  std::map<std::string, std::uint64_t> stored_ GUARDED_BY(mutex_);
  std::string no_place_ GUARDED_BY(mutex_);  // why ranks cannot be kept on disk, to append after a semicolon
};

}  // namespace warpscope::ingest
