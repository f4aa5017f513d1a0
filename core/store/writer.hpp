#pragma once
// Writes a store: ranks as they are loaded, each immediately readable through the store, and finally the directory.
// Until then, it writes to a draft. The final rename is atomic. If two programs write the same store, the last one
// wins; both results are correct.
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/store/directory.hpp"
#include "core/store/draft.hpp"
#include "core/store/section_writer.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::store {

class StoreFile;

class StoreWriter {
 public:
  struct Options {
    Packing packing{};
    const CancelToken* cancel = nullptr;
    /// Maximum size in bytes; writing fails if the store exceeds it. 0: no limit.
    std::uint64_t most_bytes = 0;
    /// Creates the file with the user's usual permissions; other stores are private to their user.
    bool shared = false;
  };

  /// Starts writing a store to `path`. Removes files left by killed writers.
  [[nodiscard]] static Result<std::unique_ptr<StoreWriter>> create(const std::string& path, Options options);
  [[nodiscard]] static Result<std::unique_ptr<StoreWriter>> create(const std::string& path) {
    return create(path, Options{});
  }
  /// Removes the temporary file if the store is not finished.
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  // Thread-safe. After an Error from add_…(), other than "cancelled" and an inconsistent rank, finish() fails with the
  // same cause.

  /// A source added to the store.
  struct Added {
    std::size_t source = 0;                   ///< its number for set_archive()
    std::shared_ptr<const trace::Rank> rank;  ///< the same rank, backed by the store, even after finish()
  };
  /// Serializes a rank and appends it; several threads may serialize in parallel. `dictionary`: the rank's dictionary.
  [[nodiscard]] Result<Added> add_rank(const trace::Rank& rank, const SourceKey& key,
                                       const std::shared_ptr<trace::Dictionary>& dictionary);
  /// Serializes and appends the metrics of a node.
  [[nodiscard]] Failure add_metrics(const trace::NodeMetrics& metrics);
  /// Adds a source that has no rank, so it does not have to be read again.
  [[nodiscard]] Result<std::size_t> add_source(const SourceKey& key);
  /// Copies a source with its archive from another store. Errors: the store cannot be written; a frame of the rank or
  /// of the archive is corrupt, which is also recorded in `from`.
  [[nodiscard]] Result<std::size_t> copy_source(const StoreFile& from, std::size_t source);

  /// Packs and appends a block of event text, as made by EventArchiveWriter.
  [[nodiscard]] Result<SectionRef> append_block(std::span<const std::uint8_t> content);
  /// Assigns the appended blocks, in text order, to their source. Call once.
  [[nodiscard]] Failure set_archive(std::size_t source, std::vector<ArchiveBlock> blocks);

  /// Writes the directory, with sources sorted by path, syncs, and renames the temporary file to its final name. Call
  /// once.
  [[nodiscard]] Failure finish(const std::string& root, const Diagnostics& diagnostics);

 private:
  StoreWriter(std::string path, Draft draft, Options options)
      : path_(std::move(path)), draft_(std::move(draft)), options_(options) {}
  [[nodiscard]] Failure reserve(std::uint64_t size, std::uint64_t& offset);
  [[nodiscard]] Failure append(std::span<const std::uint8_t> bytes, std::uint64_t& offset);
  [[nodiscard]] Failure write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  [[nodiscard]] Failure write_archive_index(std::size_t source, const std::vector<ArchiveBlock>& blocks);
  [[nodiscard]] Error too_large() const;
  [[nodiscard]] Error cannot_write(const char* why) const;
  [[nodiscard]] Error cannot_write(int error) const;  // with the text of an errno value

  std::string path_;
  Draft draft_;
  Options options_;
  Mutex mutex_;
  std::uint64_t end_ GUARDED_BY(mutex_) = 0;
  Failure failed_ GUARDED_BY(mutex_);  // first write error
  bool finished_ GUARDED_BY(mutex_) = false;
  std::vector<SourceEntry> sources_ GUARDED_BY(mutex_);
  std::vector<MetricsPlace> metrics_ GUARDED_BY(mutex_);
  /// Archives by source; finish() writes their indexes.
  std::map<std::size_t, std::vector<ArchiveBlock>> archives_ GUARDED_BY(mutex_);
};

}  // namespace warpscope::store
