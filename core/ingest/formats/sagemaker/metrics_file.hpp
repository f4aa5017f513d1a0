#pragma once
// File names of SageMaker Debugger system metrics: system/incremental/…/EPOCH.algo-N.json, one file per node
// per minute; EPOCH is the Unix time, in seconds, at which the minute starts. Each job writes thousands of files, so
// they are recognized by name alone. All files of a node form one source.
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ingest::smdebug {

struct MetricsFileName {
  std::string node;  ///< "algo-1"
  Ns minute = 0;     ///< start of the file's minute, since the Unix epoch
};

/// Parses a path; nullopt if the last component does not match.
[[nodiscard]] std::optional<MetricsFileName> metrics_file_name(std::string_view path);
/// Returns the path of the group (see file_group.hpp) of all files of the same node: those under the
/// "system/incremental" folder, or those in the file's own folder if it is elsewhere.
[[nodiscard]] std::string group_of_metrics(std::string_view path, std::string_view node);
/// Returns the node of a group with this path; "" for other paths.
[[nodiscard]] std::string node_of_group(std::string_view path);
/// Returns true if `path` is under a "system/incremental" folder, which should contain only metrics files.
[[nodiscard]] bool in_metrics_folder(std::string_view path);

}  // namespace warpscope::ingest::smdebug
