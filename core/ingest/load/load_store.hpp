#pragma once
// Manages the stores of a load: opens a converted profile, writes the loaded data, and replaces a corrupt store in the
// cache by reading its sources again.
#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/listing/share.hpp"
#include "core/ingest/load/load_context.hpp"
#include "core/ingest/load/source_loader.hpp"

namespace warpscope::ingest {

class LoadStore {
 public:
  LoadStore(LoadContext& load, SourceLoader& sources, MemoryLimiter& memory)
      : load_(load), sources_(sources), memory_(memory) {}

  /// Loads a converted profile, which is complete; its sources may be anywhere. `files`: one, or those of `shards`.
  /// Reports corrupt parts and missing shards.
  void load(const std::string& root, std::span<const std::string> files, const Shards* shards = nullptr);
  /// Same for stores that `open` opens by their index in `files`.
  using Open = std::function<Result<store::StoreFile>(std::size_t)>;
  void load(const std::string& root, std::span<const std::string> files, const Shards* shards, const Open& open);
  /// Opens the store for the opened path, if any; reports corrupt stores.
  void open_kept();

  /// Looks for corruption found while columns and event text were loaded: discards a store in the cache, reports ranks
  /// of a converted profile.
  void check();
  /// Deletes the store in the cache and reads all sources that were taken from it.
  void discard(const Error& damage);
  /// Starts writing the store if something worth keeping was read.
  void keep_if_due();
  /// Returns whether check() may have work to do.
  [[nodiscard]] bool needs_checks() const {
    return load_.known || !load_.converted.empty() || load_.keeper.keeping() || kept_;
  }

  /// Returns all loaded data, for writing. Errors: a converted profile lacks part of its metrics.
  [[nodiscard]] Result<StoreContents> contents() const;
  /// Returns any corruption found in the converted profile since it was opened.
  [[nodiscard]] Failure damage_of_converted() const;
  /// Writes `everything` to `file`. `whole`: treats changed sources as Errors. Otherwise, leaves changed sources to the
  /// next load and applies the size limit for stores.
  [[nodiscard]] Failure write(const StoreContents& everything, const std::string& file, bool whole,
                              const CancelToken& cancel, Progress* progress) const;
  /// Returns whether the store that the next load would use has sources that are gone.
  [[nodiscard]] bool keeps_more() const;
  /// Returns the first corruption in the store that the next load would use.
  [[nodiscard]] Failure damage_of_kept(const CancelToken& cancel) const;

 private:
  /// An opened store with what can be read of it.
  struct Opened {
    store::StoreFile file;
    std::vector<store::StoreFile::OpenedRank> ranks;
    std::vector<Result<std::shared_ptr<const trace::NodeMetrics>>> nodes;
  };
  [[nodiscard]] std::vector<Result<Opened>> open_all(std::size_t count, const Open& open) const;
  void publish(Opened& opened);
  [[nodiscard]] StoreContents loaded() const;
  void note_damage(const std::string& of, const Error& damage);

  LoadContext& load_;
  SourceLoader& sources_;
  MemoryLimiter& memory_;
  std::atomic<bool> kept_{false};  // a store was written
  std::set<std::string> damaged_;  // parts of a converted profile that have been reported
};

}  // namespace warpscope::ingest
