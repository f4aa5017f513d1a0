#pragma once
// File names of SageMaker Debugger framework timelines: MICROSECONDS_WRITER_KIND.json, and WRITER_KIND.json.tmp while
// the file is being written. WRITER identifies a process as "RANK-HOST" or "PID-HOST". Names describe and group files;
// their content determines how they are read.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ingest/events/pending_rank.hpp"

namespace warpscope::ingest::pevents {

struct TimelineName {
  std::string folder;  ///< contains all timelines of the job: the parent of "pevents", or the file's own folder
  std::string writer;  ///< "905-algo-1"
  std::string kind;    ///< "pythontimeline", "model_timeline", …
};

/// Parses a path; nullopt if the last component does not match.
[[nodiscard]] std::optional<TimelineName> timeline_name(std::string_view path);
/// Returns the path of the group that contains all timelines of this process.
[[nodiscard]] std::string group_of_writer(const TimelineName& name);
/// True for the path of a group of timelines.
[[nodiscard]] bool is_timeline_group(std::string_view path);

struct Writer {
  std::optional<std::int64_t> number;  ///< rank or process id
  std::string host;                    ///< "" if unknown
  std::string label;                   ///< as SageMaker shows it: "algo-1-905"
};

/// Splits a writer such as "905-algo-1".
[[nodiscard]] Writer writer_of(std::string_view writer);
/// Adds the process's host and label to its rank's metadata.
void describe_writer(PendingRank& pending, const Writer& writer);
/// Returns the writer of a file or group; all fields are empty if the path does not contain a writer.
[[nodiscard]] Writer writer_in_path(std::string_view path);

}  // namespace warpscope::ingest::pevents
