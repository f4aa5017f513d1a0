#pragma once
// Finds the files to read for a path: the file itself, or all files under a directory that a format recognizes or whose
// first bytes look like JSON. Parses nothing, so it takes only milliseconds. Files that a format reads together
// form one source, identified by the path of the group (see file_group.hpp).
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

/// A file that the next scan does not have to reopen.
struct FoundFile {
  enum class As : std::uint8_t {
    source,
    part,      ///< of a group
    document,  ///< describes the job (see job_documents.hpp)
  };
  trace::SourceFile source;
  As as = As::source;
  std::optional<Copy> copy;  ///< if set, the file is a source only if there are no traces
};

struct Discovery {
  std::string root;                            ///< as given, without a trailing slash; absolute
  std::vector<trace::SourceFile> sources{};    ///< sorted by path, digits compared as numbers
  std::vector<trace::SourceFile> documents{};  ///< job descriptions, sorted
  std::vector<std::string> converted{};  ///< converted files in a directory, recognized by content or name; sorted
  std::vector<FoundFile> files{};        ///< all files of a directory except converted ones, sorted
  Diagnostics diagnostics{};             ///< skipped files, with reasons
};

/// Returns the reason nothing exists at `path`; nullopt if something does.
[[nodiscard]] Failure missing_path(const std::filesystem::path& path);

/// Scans recursively, following symbolic links but never visiting the same directory or file twice; skips hidden
/// entries. Fails if the path does not exist, cannot be read, or is neither a file nor a directory. `known` (may be
/// null): result of an earlier scan; sources with the same size, modification time and inode are reused without opening
/// them. `cancel` (may be null): if cancelled, the result is incomplete.
[[nodiscard]] Result<Discovery> discover(const std::filesystem::path& path, const Discovery* known = nullptr,
                                         const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
