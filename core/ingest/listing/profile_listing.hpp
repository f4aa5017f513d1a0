#pragma once
// The profiles that lie below a folder, for a list to choose from: what can be told of each without reading it. A
// directory of thousands of files is looked through in the time that it takes to open each once: of a trace the first
// 32 KiB of text and the last bytes, of system metrics one file a node, of everything else the name. Newer traces count
// their times from a base that stands at their very end; of those one file a profile is read to its end, where it is
// plain text (the last bytes do) or small.
//
// What one profile is:
//   SageMaker's job     a folder with "profiler-output", "system/incremental" or "framework" in it, and all below
//   ranks apart         a folder whose folders are named like parts ("rank-0", "algo-1", "node_3"), two or more
//   traces              a folder that holds trace files, with all below: that is what opening it reads. What lies in
//                       folders of it is listed by itself too
//   a converted file    NAME.wscope, by itself
// A file counts as a trace by how it is named and by how it begins.
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

namespace warpscope::trace {
class Profile;
}

namespace warpscope::ingest {

enum class ListedKind : std::uint8_t {
  kineto,               ///< traces of PyTorch, and what is written like them
  system_metrics,       ///< SageMaker Debugger's samples of a node
  framework_timelines,  ///< SageMaker Debugger's pevents and TensorFlow's profiles
  converted,            ///< what `warpscope convert` wrote
  profiler_report,      ///< SageMaker's ProfilerReport
  sealed,               ///< what SageMaker Profiler wrote; its format is not published
};
inline constexpr std::size_t kListedKinds = 6;
/// "Kineto", "system metrics" …
[[nodiscard]] std::string_view to_string(ListedKind kind);

/// Incomplete: ranks or an end marker are missing. Partial: files end early.
enum class ProfileStatus : std::uint8_t { in_progress, completed, failed, stopped, stopping, incomplete, partial };
inline constexpr std::size_t kProfileStatuses = 7;
/// "In progress", "Completed" …
[[nodiscard]] std::string_view to_string(ProfileStatus status);

/// Where the time of creation is from.
enum class TimeOrigin : std::uint8_t {
  unknown,
  content,      ///< the first time in the traces, as far as their begin tells
  name,         ///< a time in the name of a file
  description,  ///< what the service says of the job
  modified,     ///< when the oldest file was written
};
/// "the first time in the traces", "the files' names" …
[[nodiscard]] std::string_view to_string(TimeOrigin origin);

/// What is not known is empty.
struct FoundProfile {
  std::string path;           ///< what to open; absolute
  std::string name;           ///< of the training job, else of the directory or file
  std::optional<Ns> created;  ///< since the Unix epoch
  TimeOrigin created_from = TimeOrigin::unknown;
  ProfileStatus status = ProfileStatus::completed;
  std::string reason;  ///< why it is not completed, as far as it is known: "ranks 2, 5–7 of 8 are missing"
  std::optional<std::size_t> nodes;
  std::optional<std::size_t> ranks;
  std::optional<std::size_t> gpus;
  std::size_t files = 0;    ///< that have to do with it
  std::uint64_t bytes = 0;  ///< of them, on disk
  std::uint32_t kinds = 0;  ///< a bit for each ListedKind

  [[nodiscard]] bool has(ListedKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1u) != 0; }
  friend bool operator==(const FoundProfile&, const FoundProfile&) = default;
};
/// "Kineto, system metrics"
[[nodiscard]] std::string kinds_text(const FoundProfile& profile);

struct ListingLimits {
  std::size_t depth = 16;             ///< folders below each other
  std::size_t directories = 50'000;   ///< folders looked into
  std::size_t files = 500'000;        ///< entries seen
  std::uint64_t longest_wait_s = 60;  ///< a job whose files were not written to for so long does not go on
  /// Bytes on disk of a compressed trace that is read to its end for its base time; of all such traces.
  std::uint64_t unpacked_file = std::uint64_t{8} << 20;
  std::uint64_t unpacked = std::uint64_t{256} << 20;
};

struct ListingOptions {
  const CancelToken* cancel = nullptr;                    ///< may be null
  std::function<void(const FoundProfile&)> found{};       ///< each as soon as it is known; may be empty
  std::function<void(std::size_t directories)> looked{};  ///< after each folder; may be empty
  std::optional<Ns> now{};                                ///< since the Unix epoch; the clock's if empty
  ListingLimits limits{};
};

struct ProfileListing {
  std::vector<FoundProfile> profiles;  ///< by path, digits in it as numbers
  std::size_t directories = 0;         ///< looked into
  std::string cut;                     ///< not empty: the limit that was reached, and what to do
  bool cancelled = false;
};

/// Looks recursively, through symbolic links but never twice into the same folder; hidden entries are passed over. An
/// Error if `root` does not exist or cannot be read. A file is listed by itself, whatever its name.
[[nodiscard]] Result<ProfileListing> list_profiles(const std::filesystem::path& root,
                                                   const ListingOptions& options = {});

/// What is known of a listed profile once all of it was read: figures and the time of the first slice are what the
/// load found, and whether ranks or ends of files are missing is no longer a guess. What a service or an end marker
/// says of the job stays. `unfinished`: files whose end is missing.
[[nodiscard]] FoundProfile after_load(FoundProfile listed, const trace::Profile& loaded, std::size_t unfinished);

/// True if `path` is one profile as it stands, false if it rather is a folder of profiles: told from the names in it
/// and right below it.
[[nodiscard]] bool is_one_profile(const std::filesystem::path& path);

}  // namespace warpscope::ingest
