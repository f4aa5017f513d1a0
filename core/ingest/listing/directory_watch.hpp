#pragma once
// A directory that a job still writes into: which files came, grew, were written anew, or went since it was last looked
// at. It is looked through once in a while and told apart by size, modification time and inode; that works on every
// file system, network ones included, where notifications do not.
//
// A file counts as settled once two looks saw it the same. Until then it is `growing`: worth showing as far as it goes,
// not worth reading again each second.
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/ingest/listing/discover.hpp"

namespace warpscope::ingest {

struct SourceChange {
  enum class Kind : std::uint8_t {
    appeared,  ///< was not there at the last look
    changed,   ///< another size, modification time or inode than at the last look
    settled,   ///< the same as at the last look, for the first time since it appeared or changed
    moved,     ///< was there under another name (`before`); the same or grown: a file was given its final name
    vanished,  ///< is not there any more
  };

  Kind kind = Kind::appeared;
  trace::SourceFile source;  ///< as it is now; as it was, if it vanished
  std::string before{};      ///< of a moved one
};

/// What differs between two looks; settled ones are not among them. In the order of `now`, vanished ones last. O(n log
/// n).
[[nodiscard]] std::vector<SourceChange> changes_between(const std::vector<trace::SourceFile>& before,
                                                        const std::vector<trace::SourceFile>& now);

/// Looks and remembers. One thread.
class DirectoryWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// `known`: what was found and read already, at a time from which on changes are to be told. Those files count as
  /// growing until the next look finds them the same.
  DirectoryWatch(std::filesystem::path path, Discovery known);

  /// Looks now. An Error if the path cannot be looked through (it is gone, its disk is away): then nothing counts as
  /// vanished, and the next look goes on from the last good one.
  [[nodiscard]] Result<std::vector<SourceChange>> look();

  /// What is there as of the last good look, with the diagnostics of the files that were passed over.
  [[nodiscard]] const Discovery& found() const { return found_; }
  /// Still written to, as far as the looks so far can tell.
  [[nodiscard]] bool growing(const std::string& path) const { return growing_.contains(path); }
  /// How long to wait before the next look: `usual`, or as much more as keeps the looking below a twentieth of the
  /// time.
  [[nodiscard]] std::chrono::milliseconds pause(std::chrono::milliseconds usual) const;

 private:
  std::filesystem::path path_;
  Discovery found_;
  std::set<std::string, std::less<>> growing_;  // paths
  Clock::duration last_took_{};
};

}  // namespace warpscope::ingest
