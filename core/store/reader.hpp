#pragma once
// Opens a store: the header, the trailer and the directory are read and checked, nothing else. Ranks are opened one by
// one; most of their columns come in when they are looked at.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/store/directory.hpp"
#include "core/store/store_bytes.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::store {

/// What helps against a store that is damaged or of another version.
inline constexpr const char* kInsteadOfDamaged = "read the traces instead, or copy the file again";
/// Against one that ends too early: nothing of it can be had, for what stands where is said at its end.
inline constexpr const char* kInsteadOfCutOff = "copy the file again, or convert the traces again";

/// An archive's index, and where its blocks are.
struct Archive {
  std::vector<std::uint8_t> index;
  std::vector<BytesRef> blocks;
};

/// An open store. Cheap to copy; safe from any thread. The file stays open as long as a rank of it lives.
class StoreFile {
 public:
  [[nodiscard]] const Directory& directory() const { return *directory_; }
  [[nodiscard]] const std::vector<SourceEntry>& sources() const { return directory_->sources; }

  /// Opens the rank of a source that has one; its names go to `dictionary`. Each call gives a fresh one, with nothing
  /// brought in.
  [[nodiscard]] Result<std::shared_ptr<const trace::Rank>> rank(std::size_t source,
                                                                std::shared_ptr<trace::Dictionary> dictionary) const;
  /// All of them, in the order of the sources, by up to `threads` threads. One that is damaged keeps no other from
  /// being read.
  struct OpenedRank {
    std::size_t source = 0;
    Result<std::shared_ptr<const trace::Rank>> rank;
  };
  [[nodiscard]] std::vector<OpenedRank> each_rank(const std::shared_ptr<trace::Dictionary>& dictionary,
                                                  unsigned threads) const;
  /// The same where one without the others is of no use. The first Error, if there is one.
  [[nodiscard]] Result<std::vector<std::shared_ptr<const trace::Rank>>> ranks(
      const std::shared_ptr<trace::Dictionary>& dictionary, unsigned threads) const;

  /// What nodes measured of themselves, one by one.
  [[nodiscard]] std::vector<Result<std::shared_ptr<const trace::NodeMetrics>>> each_metrics() const;
  /// The same together. The first Error, if there is one.
  [[nodiscard]] Result<std::vector<std::shared_ptr<const trace::NodeMetrics>>> metrics() const;

  /// The archive of a source that has one.
  [[nodiscard]] Result<Archive> archive(std::size_t source) const;
  /// A block of it, as it was given.
  [[nodiscard]] Result<std::vector<std::uint8_t>> read_block(const BytesRef& block) const;

  /// Reads everything there is but blocks of archives, and holds it against each other. Empty if all is well, or if
  /// cancelled. Needs the memory of one rank.
  [[nodiscard]] Failure verify(const CancelToken* cancel) const;
  /// The same of one source alone, and every frame of its rank, looked at or not.
  [[nodiscard]] Failure verify_source(std::size_t source, const CancelToken* cancel) const;
  /// What was found wrong since the store was opened, when columns of its ranks were brought in.
  [[nodiscard]] Failure damage() const { return bytes_->damage(); }
  /// Adds to that what was found by who looks into blocks.
  void note_damage(const Error& error) const { bytes_->note_damage(error); }
  /// The file, as messages call it.
  [[nodiscard]] const std::string& name() const { return bytes_->name(); }
  [[nodiscard]] std::uint64_t size() const { return bytes_->size(); }

 private:
  friend Result<StoreFile> open_store(std::shared_ptr<const StoreBytes> bytes, bool checked);
  friend class StoreWriter;
  StoreFile() = default;

  std::shared_ptr<const StoreBytes> bytes_;
  std::shared_ptr<const Directory> directory_;
  bool checked_ = true;
};

/// Whether what open_store() complains of is that another version of the program wrote it: then nothing is damaged.
[[nodiscard]] bool of_other_version(const Error& error);

/// An Error says whether the file is no store at all, of another version, cut off, or damaged.
[[nodiscard]] Result<StoreFile> open_store(const std::string& path);
/// The same of bytes that are somewhere else. `checked` false: checksums are not asked for, so that a fuzzer gets past
/// them; everything else is.
[[nodiscard]] Result<StoreFile> open_store(std::shared_ptr<const StoreBytes> bytes, bool checked);

}  // namespace warpscope::store
