#pragma once
// File names of the system metrics of SageMaker Debugger: system/incremental/…/EPOCH.algo-N.json, one file per node and
// minute; EPOCH is the UTC second at which the minute starts. A job has thousands, so they are recognized by name
// alone.
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ingest::smdebug {

/// Origin of a file's samples. Files with the same folder and node belong together.
struct MetricsFileName {
  std::string folder;  ///< the parent of "system"; else the file's own folder
  std::string node;    ///< "algo-1"
  Ns minute = 0;       ///< start of the file's minute, since the Unix epoch
};

/// Parses a path; nullopt if its last part is not such a name.
[[nodiscard]] std::optional<MetricsFileName> metrics_file_name(std::string_view path);
/// Returns a pattern that matches all files of a node, for display.
[[nodiscard]] std::string metrics_pattern(std::string_view folder, std::string_view node);
/// Returns true if `path` is below a folder "system/incremental", which should contain only such files.
[[nodiscard]] bool in_metrics_folder(std::string_view path);

}  // namespace warpscope::ingest::smdebug
