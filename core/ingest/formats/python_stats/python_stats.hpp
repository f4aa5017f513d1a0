#pragma once
// Reads Python function statistics: the output of cProfile's dump_stats (a dictionary in Python's marshal format), and
// pyinstrument's JSON. SageMaker Debugger writes them as python_stats and python_stats.json under
// framework/FRAMEWORK/cprofile and …/pyinstrument; other programs may use any name.
//
// The files are untrusted: sizes and counts are bounded, and omissions are reported as diagnostics.
#include <cstddef>
#include <memory>
#include <string_view>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

inline constexpr std::size_t kLargestPythonStats = std::size_t{32} << 20;

class PythonStatsFormat final : public TraceFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "Python statistics"; }
  [[nodiscard]] bool sniff(const FileHead& head) const override;
  /// Recognizes files with SageMaker Debugger's names as statistics, even if they are corrupt.
  [[nodiscard]] std::optional<NamedFile> look_at_name(std::string_view path) const override;
  [[nodiscard]] std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                  std::function<void()> on_units) const override;
};

/// Reads `file`, plain or compressed; returns null if nothing is readable. Reports problems to `diagnostics`.
[[nodiscard]] std::shared_ptr<const trace::PythonStats> read_python_stats(const trace::SourceFile& file,
                                                                          Diagnostics& diagnostics,
                                                                          const CancelToken* cancel = nullptr);

/// Parses the complete text into `stats.functions` and `stats.callers`. After an error, these contain everything parsed
/// before it.
void parse_cprofile(std::string_view bytes, trace::PythonStats& stats, Diagnostics& diagnostics);
void parse_pyinstrument(std::string_view json, trace::PythonStats& stats, Diagnostics& diagnostics);

/// Sets the node, process, framework, start and end of the statistics from `stats.path`:
/// FRAMEWORK/PROFILER/PID-NODE/MODE-STEP-PHASE-TIME_MODE-STEP-PHASE-TIME/python_stats, or, from older versions,
/// FRAMEWORK/PROFILER/TIME_TIME_PID-NODE_STEP[-PHASE]/python_stats.
void describe_python_stats(trace::PythonStats& stats);

}  // namespace warpscope::ingest
