#pragma once
// Groups ranks that were recorded together. A directory may contain several recordings: the profiler writes one file
// per rank in each cycle of its schedule, and traces of jobs with different world sizes may be in one directory. Only
// ranks of the same recording can be compared.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

class Profile;

struct Recordings {
  std::vector<std::uint32_t> of_rank;  ///< by rank index: 0, 1, …; in time order within a job
  std::uint32_t count = 0;
};

/// Files of one rank and host at disjoint times are different recordings, as are ranks with different world sizes. If a
/// rank has fewer files than others, its files are assigned to the recordings nearest in time. O(ranks · log ranks),
/// plus O(files of a rank) for each rank with missing files.
[[nodiscard]] Recordings recordings_of(std::span<const std::shared_ptr<const Rank>> ranks);

/// Returns the number of ranks. Multiple files for the same rank of a job count once.
[[nodiscard]] std::size_t count_ranks(std::span<const std::shared_ptr<const Rank>> ranks);

/// Metadata written by smprof and the annotation library: the program that recorded the file and, for a forked process,
/// its parent process, which has the same rank.
inline constexpr const char* kRecorderProperty = "recordedBy";
inline constexpr const char* kParentProperty = "parentProcess";
/// Returns the id of the parent process if the file is from a forked process; "" for other files.
[[nodiscard]] std::string_view forked_from(const Rank& rank);

/// Returns "Ranks are numbered in file order: the traces do not contain them." if this is true of several ranks;
/// otherwise "".
[[nodiscard]] std::string_view assumed_ranks_note(std::span<const std::shared_ptr<const Rank>> ranks);

/// Returns, by rank index, whether the file only records the capture of CUDA graphs, next to files that record their
/// replays. Such files explain kernels, but are no ranks of their own. O(names), plus O(slices) of files without GPU
/// activity if anything is captured.
[[nodiscard]] std::vector<char> graph_captures(const Profile& profile);

/// Adds the diagnostics "several-recordings" and "duplicate-rank" (for ranks with several files), "graph-capture",
/// "world-sizes-differ" and "ranks-assumed".
void note_recordings(Profile& profile, const Recordings& recordings);

}  // namespace warpscope::trace
