#pragma once
// The names under which SageMaker Debugger's agents write what a node measures: system/incremental/…/EPOCH.algo-N.json,
// one file a node and minute, EPOCH the UTC second at which the minute begins. Thousands of them are usual, so they are
// told by their names alone.
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ingest::smdebug {

/// Whose samples a file holds: files of one folder and node belong together.
struct MetricsFileName {
  std::string folder;  ///< that "system" lies in; else the file's own
  std::string node;    ///< "algo-1"
  Ns minute = 0;       ///< when the minute begins that it is of, since the Unix epoch
};

/// Of a path; nothing if the last part of it is no such name.
[[nodiscard]] std::optional<MetricsFileName> metrics_file_name(std::string_view path);
/// What all files of a node are named like, as one would tell a person.
[[nodiscard]] std::string metrics_pattern(std::string_view folder, std::string_view node);
/// True if `path` lies below a folder "system/incremental", where nothing but such files is expected.
[[nodiscard]] bool in_metrics_folder(std::string_view path);

}  // namespace warpscope::ingest::smdebug
