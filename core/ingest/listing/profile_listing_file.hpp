#pragma once
// Properties of one file for the listing: its kind of source, based on the name, and facts from its first and last
// bytes.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"
#include "core/ingest/format/recording_time.hpp"
#include "core/ingest/format/trace_format.hpp"
#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ingest {

enum class ListedRole : std::uint8_t {
  nothing,    ///< irrelevant to the listing
  candidate,  ///< has a trace's name; its first bytes decide
  trace,      ///< in any format of formats/format_list.hpp
  named,      ///< in a format whose files are recognized by name
  converted,
  report,
  sealed,
  end_marker,   ///< the job has ended
  description,  ///< job description (see job_documents.hpp)
};

struct ListedFile : FileSummary {
  std::string path;
  ListedRole role = ListedRole::nothing;
  const TraceFormat* format = nullptr;  ///< of a trace or a named file
  bool marks_end = false;               ///< see NamedFile
  std::uint64_t bytes = 0;
  Ns modified = 0;         ///< since the Unix epoch
  bool truncated = false;  ///< the text is definitely truncated
};

/// Extracts the kind, role, node and time from the names of the file and its folders.
[[nodiscard]] ListedFile file_by_name(const std::string& path);

/// Reads the start of a file and classifies it as a trace, a job description, or neither.
void look_into(ListedFile& file);
/// Reads the start time and devices from the head of a file whose name identifies its format.
void look_at_begin(ListedFile& file);

/// Returns the first time in a trace whose time base is stored at the end. Plain text: reads the last bytes.
/// Compressed: reads the whole file if it is at most `most` bytes on disk. Returns nullopt if cancelled.
[[nodiscard]] std::optional<Ns> begin_by_tail(const ListedFile& file, std::uint64_t most, const CancelToken* cancel);

/// Returns the time in a file name: 10 digits for seconds, 13 for milliseconds, 16 for microseconds or 19 for
/// nanoseconds since the Unix epoch, between the years 2001 and 2100.
[[nodiscard]] std::optional<Ns> time_in_name(std::string_view name);
/// Returns true for names of folders that hold part of a job, such as "rank-0", "algo-1", "node_3", "worker7".
[[nodiscard]] bool names_a_part(std::string_view folder);

}  // namespace warpscope::ingest
