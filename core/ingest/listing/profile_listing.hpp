#pragma once
// Lists the profiles under a folder without loading them. A scan reads the first bytes of traces until it knows which
// folders contain any, and only the names of all other files.
//
// Each of these is listed as one profile:
//   SageMaker job      a folder that contains "profiler-output", "system/incremental" or "framework", and everything
//                      under it
//   separate ranks     a folder with two or more subfolders for parts of a job ("rank-0", "algo-1", "node_3")
//   traces             a folder that contains trace files, and everything under it, as when the folder is opened. Its
//                      subfolders are also listed separately
//   converted file     NAME.wscope, on its own
//   shards             a folder with the shards of a job (share.hpp)
// A file is considered a trace if its name and first bytes look like those of a trace. The output of `warpscope
// counters` is not considered a trace.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

namespace warpscope::ingest {

struct FoundProfile {
  std::string path;         ///< path to open; absolute
  std::string name;         ///< of the folder or file
  Ns modified = 0;          ///< when its files were last modified, since the Unix epoch
  std::size_t files = 0;    ///< files that belong to the profile
  std::uint64_t bytes = 0;  ///< their size on disk

  friend bool operator==(const FoundProfile&, const FoundProfile&) = default;
};

struct ListingLimits {
  std::size_t depth = 16;            ///< nesting depth
  std::size_t directories = 50'000;  ///< folders scanned
  std::size_t files = 500'000;       ///< entries seen
};

struct ListingOptions {
  const CancelToken* cancel = nullptr;               ///< may be null
  std::function<void(const FoundProfile&)> found{};  ///< called for each profile as soon as it is found; may be empty
  ListingLimits limits{};
};

struct ProfileListing {
  std::vector<FoundProfile> profiles;  ///< sorted by path, digits compared as numbers
  std::string cut;                     ///< if not empty: the limit reached, and what to do
};

/// Scans recursively, following symbolic links but never entering the same folder twice; skips hidden entries. Fails if
/// `root` is not a folder or cannot be read.
[[nodiscard]] Result<ProfileListing> list_profiles(const std::filesystem::path& root,
                                                   const ListingOptions& options = {});

/// Returns true if `path` is a single profile, false if it looks like a folder of profiles. Checks only names in the
/// folder and one level below.
[[nodiscard]] bool is_one_profile(const std::filesystem::path& path);

}  // namespace warpscope::ingest
