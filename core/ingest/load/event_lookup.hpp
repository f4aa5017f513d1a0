#pragma once
// Returns a slice's arguments from the fastest source: the store's archive if there is one, otherwise the trace, which
// is decompressed up to the event. Files are added as they are read; lookups happen when a slice is selected.
// Thread-safe.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/format/event_text.hpp"
#include "core/store/event_archive.hpp"
#include "core/store/reader.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

class EventLookup {
 public:
  /// Registers a file that was read. `growing`: still being written, so its size and time cannot identify the version
  /// that was read.
  void add_read(const std::string& file, bool growing = false);
  /// Registers a file that was not read because its rank is source number `source` of `store`. `only_copy`: the traces
  /// may be anywhere, so the store's error is reported if neither has the event.
  void add_stored(const std::string& file, const store::StoreFile& store, std::size_t source, bool only_copy);
  void forget(const std::string& file);

  /// Returns the event of a slice. Errors: its source no longer exists or has changed; the converted store lacks it;
  /// cancelled via `cancel` (may be null).
  [[nodiscard]] Result<EventText> read(const trace::Rank& rank, trace::SliceOrdinal slice,
                                       const CancelToken* cancel = nullptr) const;

  /// Same for the `wanted` rows of several slices, in text order, in one pass. Errors: those of read(), for the first
  /// slice that fails; earlier slices have been visited.
  [[nodiscard]] Failure read_each(const trace::Rank& rank, const std::vector<trace::SliceOrdinal>& slices,
                                  const std::function<void(trace::SliceOrdinal, const EventText&)>& visit,
                                  const CancelToken* cancel = nullptr, WantedRows wanted = {}) const;

  struct RankSlices {
    const trace::Rank& rank;
    const std::vector<trace::SliceOrdinal>& slices;
  };
  /// Same for several ranks of one file, which is read only once. Calls visit(rank index, slice, event). Errors: those
  /// of read_each().
  [[nodiscard]] Failure read_ranks(std::span<const RankSlices> ranks,
                                   const std::function<void(std::size_t, trace::SliceOrdinal, const EventText&)>& visit,
                                   const CancelToken* cancel = nullptr, WantedRows wanted = {}) const;

 private:
  struct Place {
    bool growing = false;
    std::optional<store::StoreFile> store;
    std::size_t source = 0;
    bool only_copy = false;
    std::shared_ptr<const store::EventArchiveReader> archive;  // opened on first use
  };
  [[nodiscard]] Place place_of(const std::string& file) const;
  [[nodiscard]] Result<std::string> stored_text(const std::string& file, Place& place, std::uint64_t event,
                                                const store::EventFacts& facts) const;

  mutable Mutex mutex_;
  mutable std::map<std::string, Place> places_ GUARDED_BY(mutex_);
};

}  // namespace warpscope::ingest
