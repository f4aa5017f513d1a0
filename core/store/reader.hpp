#pragma once
// Opens a store: reads and checks only the header, the trailer and the directory. Ranks are opened one by one, and most
// of their columns are loaded on first use.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/store/directory.hpp"
#include "core/store/store_bytes.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::store {

/// Advice for a store that is corrupt or was written by another version.
inline constexpr const char* kInsteadOfDamaged = "read the traces instead, or copy the file again";
/// Advice for a truncated store, which is unreadable because the directory is at the end.
inline constexpr const char* kInsteadOfCutOff = "copy the file again, or convert the traces again";

/// An open store. Cheap to copy; thread-safe. The file stays open as long as any of its ranks exists.
class StoreFile {
 public:
  [[nodiscard]] const Directory& directory() const { return *directory_; }
  [[nodiscard]] const std::vector<SourceEntry>& sources() const { return directory_->sources; }

  /// Opens a source's rank and adds its names to `dictionary`. Error if the source has no rank. Each call returns a
  /// new, unloaded copy.
  [[nodiscard]] Result<std::shared_ptr<const trace::Rank>> rank(std::size_t source,
                                                                std::shared_ptr<trace::Dictionary> dictionary) const;
  /// Opens all ranks, in source order, on up to `threads` threads. A corrupt rank does not prevent the others from
  /// being read.
  struct OpenedRank {
    std::size_t source = 0;
    Result<std::shared_ptr<const trace::Rank>> rank;
  };
  [[nodiscard]] std::vector<OpenedRank> each_rank(const std::shared_ptr<trace::Dictionary>& dictionary,
                                                  unsigned threads) const;
  /// Reads the system metrics of each node.
  [[nodiscard]] std::vector<Result<std::shared_ptr<const trace::NodeMetrics>>> each_metrics() const;
  /// Same, but fails with the first Error, if any.
  [[nodiscard]] Result<std::vector<std::shared_ptr<const trace::NodeMetrics>>> metrics() const;

  /// Returns the event text blocks of a source that has an archive. Use EventArchiveReader to read them.
  [[nodiscard]] Result<std::vector<ArchiveBlock>> archive(std::size_t source) const;
  /// Returns the content of a block.
  [[nodiscard]] Result<std::vector<std::uint8_t>> read_block(const SectionRef& block) const;
  /// Returns a block as stored in the file, after checking its frames.
  [[nodiscard]] Result<std::vector<std::uint8_t>> checked_block(const SectionRef& block) const;
  /// Returns the error for a corrupt block.
  [[nodiscard]] Error damaged_events() const;

  /// Opens a source's rank and checks every frame of its body and of its archive. Empty on success or if cancelled.
  /// Memory: one rank.
  [[nodiscard]] Failure verify_source(std::size_t source, const CancelToken* cancel) const;
  /// Returns the first corruption found in the columns of the store's ranks since the store was opened.
  [[nodiscard]] Failure damage() const { return bytes_->damage(); }
  /// Records corruption found by block readers.
  void note_damage(const Error& error) const { bytes_->note_damage(error); }
  /// File name for messages.
  [[nodiscard]] const std::string& name() const { return bytes_->name(); }

 private:
  friend Result<StoreFile> open_store(std::shared_ptr<const StoreBytes> bytes, bool checked);
  friend class StoreWriter;
  StoreFile() = default;
  [[nodiscard]] static Result<StoreFile> open(std::shared_ptr<const StoreBytes> bytes, bool checked);
  void expect_ranks() const;  // what each_rank() reads, in two round trips

  std::shared_ptr<const StoreBytes> bytes_;
  std::shared_ptr<const Directory> directory_;
  bool checked_ = true;
};

/// True if the error from open_store() means that the store is not corrupt but was written by another version of the
/// program.
[[nodiscard]] bool of_other_version(const Error& error);

/// Opens the store at `path`. The Error distinguishes between files that are not stores, stores of another version,
/// truncated stores and corrupt stores.
[[nodiscard]] Result<StoreFile> open_store(const std::string& path);
/// Same for bytes from any source. If `checked` is false, skips checksums so that a fuzzer can get past them; all other
/// checks remain.
[[nodiscard]] Result<StoreFile> open_store(std::shared_ptr<const StoreBytes> bytes, bool checked);

/// One source of a store, or the system metrics of one node.
struct VerifiedPart {
  std::string path;                  ///< path of the source; "system metrics of NODE" for those of a node
  std::optional<std::int64_t> rank;  ///< nullopt if the source has no rank, or its number cannot be read
  /// Number of complete slices, as in `info` (Rank::counts); nullopt if the source has no readable rank.
  std::optional<std::uint64_t> slices;
  Failure wrong;  ///< first corruption in it, if any, with its position in the file
};

/// Opens every rank, and reads every frame of columns and every block of event text to check its checksum. `cancel` may
/// be null. Errors: not a store; the directory cannot be read; cancelled. Memory: one rank.
[[nodiscard]] Result<std::vector<VerifiedPart>> verify_parts(const std::string& path, const CancelToken* cancel);

}  // namespace warpscope::store
