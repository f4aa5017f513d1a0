#pragma once
// Finds the files to read for a path: the file itself, or all files below a directory whose first bytes look like a
// trace or a memory timeline, and SageMaker Debugger's system metrics, by name. Takes milliseconds; parses nothing.
// Files that a format reads together are one source, whose path is that of the group (see file_group.hpp).
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct Discovery {
  std::string root;                        ///< as given, without a trailing slash; absolute
  std::vector<trace::SourceFile> sources;  ///< sorted by path, digits compared as numbers
  std::vector<trace::SourceFile> parts{};  ///< files of groups among the sources, sorted
  std::vector<std::string> converted{};    ///< converted files in a directory, recognized by content or name; sorted
  std::vector<trace::SourceFile> metrics;  ///< system metrics of nodes (see sagemaker/metrics_file.hpp), sorted
  std::vector<trace::SourceFile> documents{};  ///< job descriptions (see job_documents.hpp), sorted
  std::vector<trace::SourceFile> memory{};     ///< timelines of device memory (see memory_timeline.hpp), sorted
  std::vector<trace::SourceFile> python{};     ///< statistics of Python functions (see python_stats.hpp), sorted
  /// Traces of `warpscope counters` in a directory, sorted. They are sources only if there are no others.
  std::vector<trace::SourceFile> counters{};
  Diagnostics diagnostics;  ///< skipped files and the reasons
};

/// Scans recursively, following symbolic links but never visiting the same directory or file twice; skips hidden
/// entries. Fails if the path does not exist, cannot be read, or is neither a file nor a directory. `known` (may be
/// null): result of an earlier scan; sources with the same size, modification time and inode are reused without opening
/// them. `cancel` (may be null): if cancelled, the result is incomplete.
[[nodiscard]] Result<Discovery> discover(const std::filesystem::path& path, const Discovery* known = nullptr,
                                         const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
