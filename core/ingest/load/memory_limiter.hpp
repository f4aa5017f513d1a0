#pragma once
// Keeps the ranks of a load within its memory limit. Above the limit, ranks stay in the store until they are viewed.
// Reports once if the limit is exceeded. No-op without a limit.
//
// A rank whose columns are loaded on demand grows only while it is viewed. So the rank that has not grown for the
// longest time was viewed least recently and is unloaded first. (This is an LRU policy that treats growth as use. A
// viewed rank that is already fully loaded looks unused; it gets unloaded, then reloaded as the most recent rank on the
// next access.)
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/base/threads/mutex.hpp"
#include "core/ingest/load/load_context.hpp"

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
  /// Unloading stops at this fraction of the limit, leaving room to view ranks without unloading on each access.
  static constexpr double kTarget = 0.9;
  struct Use {
    std::uint64_t bytes = 0;     // in the last round
    std::uint64_t grown = 0;     // the last round in which it had grown
    std::uint64_t unloaded = 0;  // its size when it was unloaded or moved to a store; 0: never
  };
  std::uint64_t unload();
  void spill_the_rest();
  void note_no_place(const Error& error);
  void note_not_held(std::uint64_t needed);

  LoadContext& load_;
  std::uint64_t round_ = 0;
  std::atomic<StoreBuilder*> spill_{nullptr};     // destination of ranks
  std::atomic<std::uint64_t> in_memory_{0};       // bytes of ranks that are not in a store
  std::atomic<std::size_t> waiting_in_store_{0};  // ranks unloaded because of the limit
  Mutex spilling_ ACQUIRED_BEFORE(mutex_);        // held while spilling starts
  bool cannot_spill_ GUARDED_BY(spilling_) = false;
  Mutex mutex_;
  std::map<std::string, Use> uses_ GUARDED_BY(mutex_);  // by file, of ranks in a store
  std::string no_place_ GUARDED_BY(mutex_);             // why ranks cannot be kept on disk, to append after a semicolon
};

}  // namespace warpscope::ingest
