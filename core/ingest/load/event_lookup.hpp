#pragma once
// The arguments of a slice, from the nearest place that has them: the archive in the store, else the source, from the
// checkpoint before the event. A damaged archive is remembered, for whoever may have its source read again.
// Made while files are read and asked when a slice is selected; any thread may do either.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/bytes/checkpoints.hpp"
#include "core/ingest/format/event_text.hpp"
#include "core/store/event_archive_reader.hpp"
#include "core/store/reader.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

class EventLookup {
 public:
  /// `file` was read; `checkpoints` may be null. `growing`: it is still written to, so that its size and time say
  /// nothing about what was read of it.
  void add_read(const std::string& file, std::shared_ptr<const Checkpoints> checkpoints, bool growing = false);
  /// What a store is to who opened it.
  enum class StoreIs : std::uint8_t {
    kept,     ///< a copy of the sources: they are what matters
    carried,  ///< all that there is; the sources may be anywhere
  };
  /// `file` was not read: source number `source` of `store` has its rank.
  void add_stored(const std::string& file, const store::StoreFile& store, std::size_t source, StoreIs store_is);
  void forget(const std::string& file);

  /// Files whose texts turned out damaged in a store that was kept, and how, since the last time this was asked.
  [[nodiscard]] std::map<std::string, Error> take_damaged();

  /// The event of a slice. Errors: what it was read from is not there any more, or is another file by now; the store
  /// that was carried here does not have it; `cancel` (may be null) was cancelled.
  [[nodiscard]] Result<EventText> read(const trace::Rank& rank, trace::SliceOrdinal slice,
                                       const CancelToken* cancel = nullptr) const;

  /// The same of several slices, in the order of the text, which is gone through once. Errors: those of read(), of the
  /// first slice that has one; those before it were visited.
  [[nodiscard]] Failure read_each(const trace::Rank& rank, std::vector<trace::SliceOrdinal> slices,
                                  const std::function<void(trace::SliceOrdinal, const EventText&)>& visit,
                                  const CancelToken* cancel = nullptr) const;

 private:
  struct Place {
    std::shared_ptr<const Checkpoints> checkpoints;
    bool growing = false;
    std::optional<store::StoreFile> store;
    std::size_t source = 0;
    StoreIs store_is = StoreIs::kept;
    std::shared_ptr<const store::EventArchiveReader> archive;  // opened when it is first asked
  };
  [[nodiscard]] Place place_of(const std::string& file) const;
  [[nodiscard]] Result<std::string> stored_text(const std::string& file, Place& place, std::uint64_t offset,
                                                const store::EventFacts& facts) const;

  mutable std::mutex mutex_;  // guards everything below
  mutable std::map<std::string, Place> places_;
  mutable std::map<std::string, Error> damaged_;
};

}  // namespace warpscope::ingest
