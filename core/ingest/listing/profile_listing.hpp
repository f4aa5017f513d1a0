#pragma once
// Lists the profiles under a folder without loading them. Scanning thousands of files takes about as long as opening
// each file once: a scan reads the first 32 KiB of text and the last bytes of each trace, one system metrics file per
// node, and only the names of all other files. In newer traces, times are relative to a base stored at the end of the
// file. For these, one file per profile is read to the end if it is small; for plain text, reading the last bytes
// suffices.
//
// Each of these is listed as one profile:
//   SageMaker job      a folder that contains "profiler-output", "system/incremental" or "framework", and everything
//                      under it
//   separate ranks     a folder with two or more subfolders for parts of a job ("rank-0", "algo-1", "node_3")
//   traces             a folder that contains trace files, and everything under it, as when the folder is opened. Its
//                      subfolders are also listed separately
//   converted file     NAME.wscope, on its own
// A file is considered a trace if its name and first bytes look like those of a trace. The output of `warpscope
// counters` is not considered a trace.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

namespace warpscope::ingest {

/// Kinds of profile content other than traces.
enum class ListedKind : std::uint8_t {
  converted,        ///< output of `warpscope convert`
  profiler_report,  ///< SageMaker's ProfilerReport
  sealed,           ///< output of SageMaker Profiler, whose format is proprietary
};
inline constexpr std::size_t kListedKinds = 3;
/// "converted", "ProfilerReport" …
[[nodiscard]] std::string_view to_string(ListedKind kind);

/// Incomplete: ranks or an end marker are missing. Partial: files are truncated.
enum class ProfileStatus : std::uint8_t { in_progress, completed, failed, stopped, stopping, incomplete, partial };
/// "In progress", "Completed" …
[[nodiscard]] std::string_view to_string(ProfileStatus status);

/// Source of the creation time.
enum class TimeOrigin : std::uint8_t {
  unknown,
  content,      ///< the first time found at the start of the traces
  name,         ///< a time in a file name
  description,  ///< the service's description of the job
  modified,     ///< the modification time of the oldest file
};
/// "the first timestamp in the traces", "a time in the file names" …
[[nodiscard]] std::string_view to_string(TimeOrigin origin);

/// Unknown fields are empty.
struct FoundProfile {
  std::string path;           ///< path to open; absolute
  std::string name;           ///< name of the training job if known, otherwise of the directory or file
  std::optional<Ns> created;  ///< since the Unix epoch
  TimeOrigin created_from = TimeOrigin::unknown;
  ProfileStatus status = ProfileStatus::completed;
  std::string reason;  ///< why the profile is not complete, if known: "ranks 2, 5–7 of 8 are missing"
  std::optional<std::size_t> nodes;
  std::optional<std::size_t> ranks;
  std::optional<std::size_t> gpus;
  std::size_t files = 0;                    ///< files that belong to the profile
  std::uint64_t bytes = 0;                  ///< their size on disk
  std::vector<std::string_view> formats{};  ///< names of the formats (TraceFormat::name) of its files
  std::uint32_t kinds = 0;                  ///< a bit for each ListedKind
  bool marks_end = false;                   ///< its job writes a file on exit

  [[nodiscard]] bool has(ListedKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1u) != 0; }
  friend bool operator==(const FoundProfile&, const FoundProfile&) = default;
};
/// "PyTorch profiler, system metrics"
[[nodiscard]] std::string sources_text(const FoundProfile& profile);

struct ListingLimits {
  std::size_t depth = 16;             ///< nesting depth
  std::size_t directories = 50'000;   ///< folders scanned
  std::size_t files = 500'000;        ///< entries seen
  std::uint64_t longest_wait_s = 60;  ///< a job counts as stopped if its files have not changed for this long
  /// Maximum size on disk of a compressed trace that is read to the end to find its base time, and of all such traces
  /// combined.
  std::uint64_t unpacked_file = std::uint64_t{8} << 20;
  std::uint64_t unpacked = std::uint64_t{256} << 20;
};

struct ListingOptions {
  const CancelToken* cancel = nullptr;               ///< may be null
  std::function<void(const FoundProfile&)> found{};  ///< called for each profile as soon as it is found; may be empty
  std::function<void(std::size_t directories)> looked{};  ///< called after each folder; may be empty
  std::optional<Ns> now{};                                ///< since the Unix epoch; empty: the current time
  ListingLimits limits{};
};

struct ProfileListing {
  std::vector<FoundProfile> profiles;  ///< sorted by path, digits compared as numbers
  std::size_t directories = 0;         ///< scanned
  std::string cut;                     ///< if not empty: the limit reached, and what to do
  bool cancelled = false;
};

/// Scans recursively, following symbolic links but never entering the same folder twice; skips hidden entries. Lists a
/// single file regardless of its name. Fails if `root` does not exist or cannot be read.
[[nodiscard]] Result<ProfileListing> list_profiles(const std::filesystem::path& root,
                                                   const ListingOptions& options = {});

/// Returns true if `path` is a single profile, false if it looks like a folder of profiles. Checks only names in the
/// folder and one level below.
[[nodiscard]] bool is_one_profile(const std::filesystem::path& path);

}  // namespace warpscope::ingest
