#pragma once
// Manages the stores of a load: opens a converted profile, writes the loaded data, and replaces corrupt parts of a
// store by rereading their sources.
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/load/load_context.hpp"
#include "core/ingest/load/source_loader.hpp"

namespace warpscope::ingest {

class LoadStore {
 public:
  LoadStore(LoadContext& load, SourceLoader& sources, MemoryLimiter& memory)
      : load_(load), sources_(sources), memory_(memory) {}

  /// Loads a converted profile, which is complete; its sources may be anywhere and are read only to replace corrupt
  /// data.
  void load(const std::string& file);
  /// Opens the store for the opened path, if any; reports corrupt stores.
  void open_kept();

  /// Handles corrupt stores. If a rank cannot be opened, the whole store is unusable and the sources are read. If a
  /// column or event text cannot be read, only that source is reread. The store is set aside, but its remaining data is
  /// still used and is copied to the next store.
  void check();
  /// Starts writing the store if something worth keeping was read.
  void keep_if_due();
  /// Returns whether check() may have work to do.
  [[nodiscard]] bool needs_checks() const { return load_.known || load_.keeper.keeping() || kept_; }

  /// Returns all loaded data, for writing. Errors: a converted profile lacks part of its metrics.
  [[nodiscard]] Result<StoreContents> contents() const;
  /// Writes `everything` to `file`. `whole`: treats changed sources as Errors. Otherwise, leaves changed sources to the
  /// next load and applies the size limit for stores.
  [[nodiscard]] Failure write(const StoreContents& everything, const std::string& file, bool whole,
                              const CancelToken& cancel, Progress* progress) const;
  /// Returns the first corruption in the store that the next load would use; "" if the store is valid. check() then
  /// handles corruption in individual files.
  [[nodiscard]] Result<std::string> verify_kept(const CancelToken& cancel);

 private:
  [[nodiscard]] StoreContents loaded() const;
  void note_damage_of_converted(const Error& damage, bool mended);

  LoadContext& load_;
  SourceLoader& sources_;
  MemoryLimiter& memory_;
  bool is_aside_ = false;          // the store was corrupt and has been set aside
  std::atomic<bool> kept_{false};  // a store was written
  Mutex mutex_;
  std::map<std::string, Error> unsound_ GUARDED_BY(mutex_);  // files whose data in the saved store is corrupt
};

}  // namespace warpscope::ingest
