#pragma once
// Start time of TensorFlow's profiler, the time base for traces collected by SageMaker Debugger. It is stored not in
// the trace but in the name of an empty file four folders up: WRITER_START_END.metadata, in µs.
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.hpp"
#include "core/ingest/events/pending_rank.hpp"

namespace warpscope::ingest::chrome {

/// True for a path such as "…/detailed_profiling/2020080513/000000000/plugins/profile/TIME/HOST.trace.json.gz".
[[nodiscard]] bool gathered_by_debugger(std::string_view path);

struct ProfilerStart {
  Ns time = 0;         ///< since the Unix epoch
  std::string writer;  ///< "905-algo-1"

  /// Adds the base time and the host to the metadata.
  void describe(PendingRank& pending) const;
};

/// Parses "WRITER_START_END.metadata"; nullopt if the last component of `path` does not match.
[[nodiscard]] std::optional<ProfilerStart> start_in_name(std::string_view path);
/// Returns the start of the profiler that wrote the trace at `path`; nullopt if there is no .metadata file, or if there
/// are several but none matches the trace's host.
[[nodiscard]] std::optional<ProfilerStart> profiler_start(const std::string& path);

}  // namespace warpscope::ingest::chrome
