#pragma once
// Writes a store: rank by rank as they are loaded, each of which can be looked at through the store at once; the
// directory last. Until then the file has a temporary name beside its own, and is locked: what a killed program left
// behind is told from what another one is writing. The rename makes it appear whole or not at all; of two that write
// the same store the last wins, and both are right.
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/store/directory.hpp"
#include "core/store/section_writer.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::store {

class StoreFile;

class StoreWriter {
 public:
  struct Options {
    Packing packing{};
    const CancelToken* cancel = nullptr;
    /// Of the same parts the same bytes, in whatever order threads add them: sources stand in the order of their paths.
    /// Where they were added in another one, finish() writes them to a second file, which takes as much room again; if
    /// there is none, they stay as they stand.
    bool in_order = false;
    /// A store of more bytes is an Error; 0: of any size.
    std::uint64_t most_bytes = 0;
  };

  /// Begins a store that is to be at `path`. Clears away what killed writers of it left.
  [[nodiscard]] static Result<std::unique_ptr<StoreWriter>> create(const std::string& path, Options options);
  [[nodiscard]] static Result<std::unique_ptr<StoreWriter>> create(const std::string& path) {
    return create(path, Options{});
  }
  /// Removes the temporary file if the store was not finished.
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  // All of these may be called from several threads. After an Error of add_…() but for "cancelled" and a rank that
  // contradicts itself, finish() fails too, with the same cause.

  /// What a source is in the store.
  struct Added {
    std::size_t source = 0;                   ///< its number in the store
    std::shared_ptr<const trace::Rank> rank;  ///< the same rank, backed by the store; usable at once and after finish()
  };
  /// Packs a rank and appends it; packing goes on beside other threads' packing. `dictionary`: the rank's own.
  [[nodiscard]] Result<Added> add_rank(const trace::Rank& rank, const SourceKey& key,
                                       const std::shared_ptr<trace::Dictionary>& dictionary);
  /// Packs what a node measured and appends it.
  [[nodiscard]] Failure add_metrics(const trace::NodeMetrics& metrics);
  /// A source that yielded no rank: known, so that it need not be looked at again.
  [[nodiscard]] Result<std::size_t> add_source(const SourceKey& key);
  /// Takes a source over from another store as it is, its archive too. Errors, besides those of writing: a frame of the
  /// rank is damaged, which is noted with `from`. (Blocks of archives are not looked into: see copy_stored_source.)
  [[nodiscard]] Result<std::size_t> copy_source(const StoreFile& from, std::size_t source);

  /// Appends a block of an archive as it is.
  [[nodiscard]] Result<BytesRef> append_block(std::span<const std::uint8_t> bytes);
  /// Gives a source the blocks appended for it, in the archive's order, and what the archive needs to find one. Once.
  [[nodiscard]] Failure set_archive(std::size_t source, std::span<const BytesRef> blocks,
                                    std::span<const std::uint8_t> index);

  /// Writes the directory and gives the file its name. Once.
  [[nodiscard]] Failure finish(const std::string& root, const Diagnostics& diagnostics);
  /// Bytes written so far.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  StoreWriter(std::string path, std::string temporary, int descriptor, Options options);
  [[nodiscard]] Failure reserve(std::uint64_t size, std::uint64_t& offset);
  [[nodiscard]] Failure append(std::span<const std::uint8_t> bytes, std::uint64_t& offset);
  [[nodiscard]] Failure write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  /// The blocks of a source's archive; its index is written by finish().
  struct PendingArchive {
    std::vector<BytesRef> blocks;
    std::vector<std::uint8_t> index;
  };
  [[nodiscard]] Failure write_archive_index(std::size_t source, const PendingArchive& archive);
  void put_in_order();
  [[nodiscard]] Error too_large() const;
  [[nodiscard]] Error cannot_write(const char* why) const;
  [[nodiscard]] Error cannot_write(int error) const;  // of errno

  std::string path_;
  std::string temporary_;
  std::shared_ptr<const StoreBytes> bytes_;  // the file, also of the ranks that were handed out
  int descriptor_;                           // its own
  Options options_;
  mutable std::mutex mutex_;  // guards everything below
  std::uint64_t end_ = 0;
  Failure failed_;  // the first, of writing
  bool finished_ = false;
  std::vector<SourceEntry> sources_;
  std::vector<MetricsPlace> metrics_;
  std::map<std::size_t, PendingArchive> archives_;  // by source
};

/// What the name of a store that is being written has at most behind its own.
inline constexpr const char* kLongestDraftEnding = ".tmp-XXXXXX";

/// An empty file beside `path` with a name of its own, locked: its name and descriptor.
[[nodiscard]] Result<std::pair<std::string, int>> make_temporary_store(const std::string& path);
/// Removes what killed writers left in the folder of `path`: of the store at `path`, and of others that are named as
/// stores are and begin like one.
void remove_abandoned(const std::string& path);

}  // namespace warpscope::store
