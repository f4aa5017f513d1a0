#pragma once
// A job that is converted by several processes, on any machines: each takes a share of its trace files and writes a
// store of its own into one folder, NAME/003-of-016-1a2b3c4d.wscope, a shard. The folder opens as one profile.
//
// Shares depend only on the names of all files. Processes therefore need no communication; if one fails, or a trace is
// replaced, only its share is converted again. A shard's name ends in a hash of the file names, so that shards of
// different jobs never mix.
#include <cstddef>
#include <cstdint>
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
/// a Kubernetes job has started; or "auto/16", where the number of processes is not in the environment, or only that of
/// the tasks that run again. Errors: none of these; no such place is set; not all shares would be converted.
[[nodiscard]] Result<Share> parse_share(std::string_view text, const ReadVariable& variable);

/// Returns the sources of a share, in their order. The files are dealt in the order of a hash of their names relative
/// to `root`, so that neither sizes nor regular numbers matter. O(n log n).
[[nodiscard]] std::vector<trace::SourceFile> sources_of(Share share, const std::string& root,
                                                        std::span<const trace::SourceFile> sources);

/// What the name of a shard says.
struct Shard {
  Share share;
  std::uint32_t names = 0;  ///< hash of the names of all files of the job

  bool operator==(const Shard&) const = default;
};
/// Returns the shard of a share of these sources.
[[nodiscard]] Shard shard_of(Share share, const std::string& root, std::span<const trace::SourceFile> sources);
/// "003-of-016-1a2b3c4d.wscope"
[[nodiscard]] std::string shard_name(const Shard& shard);
[[nodiscard]] std::optional<Shard> parse_shard_name(std::string_view file_name);

/// The shards of a job among files.
struct Shards {
  std::vector<std::string> files;    ///< empty if they are not of one job, in one folder
  std::vector<std::string> others;   ///< files that are no shards
  std::vector<std::string> missing;  ///< names

  /// "001-of-016-1a2b3c4d.wscope, … and 7 more"; "" if none is missing
  [[nodiscard]] std::string missing_text() const;
};
[[nodiscard]] Shards shards_among(std::span<const std::string> files);

/// The stores of one profile.
struct ConvertedProfile {
  std::vector<std::string> files;
  std::optional<Shards> shards;  ///< if these are shards
};
/// Returns the converted profile in a directory without traces. Errors: there are several.
[[nodiscard]] Result<ConvertedProfile> one_profile(const std::string& root, std::span<const std::string> converted);

}  // namespace warpscope::ingest
