#pragma once
// Files that each contain one rank: their names within a folder, and how one is written.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/ingest/bytes/text_writer.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

/// Returns names without suffix for the files of `ranks` (indices), all different: NAME of the trace NAME.json.gz, plus
/// the rank if several traces share the name. For a file group, the "*" is removed from the pattern; for a rank of a
/// merged file, the rank's label is added. `numbered`: "rank3" instead.
[[nodiscard]] std::vector<std::string> rank_file_names(const trace::Profile& profile,
                                                       std::span<const std::uint32_t> ranks, bool numbered);

/// True for .json and .json.gz.
[[nodiscard]] bool named_like_json(std::string_view path);

/// Writes `file`, packed if it ends in ".gz", and returns its size. Errors: those of `write` and of TextWriter;
/// cancelled; a column of the rank is corrupt. The file then does not appear.
[[nodiscard]] Result<std::uint64_t> write_rank_file(const trace::Profile& profile, std::uint32_t rank,
                                                    const std::string& file, const CancelToken& cancel,
                                                    const std::function<Failure(TextWriter&)>& write);

}  // namespace warpscope::ingest
