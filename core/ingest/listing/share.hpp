#pragma once
// A job that is converted by several processes, on any machines: each takes a share of its trace files and writes a
// store of its own into one folder, NAME/003-of-016.wscope, a shard. The folder opens as one profile.
//
// Shares depend only on the files' names and sizes, so processes need no communication, and a process that failed is
// run again alone.
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct Share {
  std::size_t number = 1;  ///< starts at 1
  std::size_t of = 1;

  bool operator==(const Share&) const = default;
};

/// Returns the value of an environment variable; null if it is not set.
using ReadVariable = std::function<const char*(const char*)>;

/// Parses "3/16"; "auto", for the place of this process among those that Slurm (also as an array), Open MPI, MPICH or
/// a Kubernetes job has started; or "auto/16", where the number of processes is not in the environment. Errors:
/// neither; no such place is set.
[[nodiscard]] Result<Share> parse_share(std::string_view text, const ReadVariable& variable);

/// Returns how many of the shares get files.
[[nodiscard]] inline std::size_t used_shares(std::size_t sources, std::size_t shares) {
  return sources < shares ? sources : shares;
}
/// Returns the sources of a share, in their order. Deals the largest first, each to the share with the fewest bytes,
/// which is at most 4/3 of the best possible (Graham 1969). O(n (log n + shares)).
[[nodiscard]] std::vector<trace::SourceFile> sources_of(Share share, std::span<const trace::SourceFile> sources);

/// "003-of-016.wscope"
[[nodiscard]] std::string shard_name(Share share);
[[nodiscard]] std::optional<Share> share_of_shard(std::string_view file_name);

/// Returns whether these files, all of a folder, are shards of one job.
[[nodiscard]] bool are_shards(std::span<const std::string> files);
/// Returns the names of the shards that are missing among these.
[[nodiscard]] std::vector<std::string> missing_shards(std::span<const std::string> files);

}  // namespace warpscope::ingest
