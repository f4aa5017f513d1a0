#pragma once
// A group of files read as one source, such as the timelines of a process: SageMaker Debugger starts a new file every
// minute. A group is represented by a path, so code that identifies sources by path (the store, watching, diagnostics)
// also works for groups: "FOLDER/**/*_905-algo-1_*timeline.json" means all files under FOLDER whose names start with
// "905-algo-1_" or contain "_905-algo-1_", and end with "timeline.json" or "timeline.json.tmp" (still open).
// "FOLDER/**/*.algo-1.json" means all files under FOLDER with that ending; "FOLDER/*.algo-1.json" means only those
// directly in FOLDER.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

/// Returns the group path for the files under `folder` whose names contain `part` before `ending`.
[[nodiscard]] std::string group_path(std::string_view folder, std::string_view part, std::string_view ending);
/// Returns the group path for files whose names end with `ending` (".algo-1.json") and are longer than `ending`.
/// `below`: includes files at any depth under `folder`; otherwise, only files directly in it.
[[nodiscard]] std::string group_path_of_ending(std::string_view folder, std::string_view ending, bool below);
/// True if `path` is a group path.
[[nodiscard]] bool is_group(std::string_view path);
/// True if `file` belongs to the group. Compares text only.
[[nodiscard]] bool in_group(std::string_view group, std::string_view file);
/// True if `path` ends with ".tmp", which means that the writer has not closed the file yet.
[[nodiscard]] bool is_open_file(std::string_view path);

struct GroupFile {
  std::string path;
  std::uint64_t size = 0;        ///< bytes
  std::int64_t modified_ns = 0;  ///< modification time
  std::uint64_t inode = 0;

  friend bool operator==(const GroupFile&, const GroupFile&) = default;
};

/// Searches the folder for the group's files. Returns closed files in name order, followed by open ones. Skips hidden
/// entries and symbolic links to folders. O(F) for F files under the folder.
[[nodiscard]] std::vector<GroupFile> files_of_group(std::string_view group);

// The reverse case: a single file that contains several ranks merged by a tool. Each rank is a separate source with the
// path "FILE#rank 3" or "FILE#TP00-DP01", so arguments, stores and selections identify it like any other source.

/// Returns the path of one rank of a merged file. `label`: see is_rank_label.
[[nodiscard]] std::string path_in_merged(std::string_view file, std::string_view label);
/// Returns the label in a path from path_in_merged(); "" for any other path. Compares text only.
[[nodiscard]] std::string_view label_in_merged(std::string_view path);
/// Returns the merged file in a path from path_in_merged(); returns any other path unchanged.
[[nodiscard]] std::string_view file_of(std::string_view path);
/// True for "rank 3" and for positions along parallelism axes such as "TP00-DP01".
[[nodiscard]] bool is_rank_label(std::string_view text);

/// Fingerprint of all files in a group. Changes if a file is added, removed, replaced or modified.
struct GroupStamp {
  std::uint64_t size = 0;        ///< bytes of all files
  std::int64_t modified_ns = 0;  ///< of the most recently modified file
  std::uint64_t hash = 0;        ///< of names, sizes and modification times
};
[[nodiscard]] GroupStamp stamp_of_group(std::span<const GroupFile> files);

}  // namespace warpscope
