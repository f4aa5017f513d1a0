#pragma once
// From a path to the files that are read: the file itself, or whatever below a directory looks like a trace by its
// first bytes; memory timelines, told likewise; and, by their names, the system metrics of SageMaker Debugger.
// Milliseconds, and nothing is parsed.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/result.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct Discovery {
  std::string root;                        ///< as given, without a trailing slash; absolute
  std::vector<trace::SourceFile> sources;  ///< sorted by path, digits in it as numbers
  std::vector<std::string> converted{};    ///< files in a directory that convert wrote, or that are named so; sorted
  std::vector<trace::SourceFile> metrics;  ///< what nodes measured of themselves (see smdebug/metrics_file.hpp), sorted
  std::vector<trace::SourceFile> documents{};  ///< what tells of the job (see job_documents.hpp), sorted
  std::vector<trace::SourceFile> memory{};     ///< timelines of device memory (see memory_timeline.hpp), sorted
  Diagnostics diagnostics;                     ///< files that were passed over, and why
};

/// Looks recursively, through symbolic links but never twice at the same directory or file. Hidden entries are passed
/// over. An Error if the path does not exist, cannot be read, or is neither a file nor a directory. `known` (may be
/// null): sources of an earlier look; those whose size, modification time and inode are the same are taken over without
/// being opened.
[[nodiscard]] Result<Discovery> discover(const std::filesystem::path& path, const Discovery* known = nullptr);

}  // namespace warpscope::ingest
