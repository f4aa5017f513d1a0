#pragma once
// Reads statistics of Python functions: what cProfile saves with dump_stats (a dictionary in Python's marshal format),
// and pyinstrument's JSON. SageMaker Debugger writes them as python_stats and python_stats.json below
// framework/FRAMEWORK/cprofile and …/pyinstrument; other programs under any name.
//
// The files are untrusted: sizes and counts are bounded, and what is left out has a diagnostic.
#include <cstddef>
#include <memory>
#include <string_view>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/trace/python_stats.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

inline constexpr std::size_t kLargestPythonStats = std::size_t{32} << 20;

/// True for the names that SageMaker Debugger gives: such files are statistics even if corrupt.
[[nodiscard]] bool named_like_python_stats(std::string_view path);
/// Recognizes a file by the first bytes of its text, or by the name that SageMaker Debugger gives it.
[[nodiscard]] bool looks_like_python_stats(std::string_view path, std::string_view head);

/// Reads `file`, plain or compressed; null if nothing is readable. Reports problems to `diagnostics`.
[[nodiscard]] std::shared_ptr<const trace::PythonStats> read_python_stats(const trace::SourceFile& file,
                                                                          Diagnostics& diagnostics,
                                                                          const CancelToken* cancel = nullptr);

/// Parse a whole text into `stats.functions` and `stats.callers`; they leave everything before an error.
void parse_cprofile(std::string_view bytes, trace::PythonStats& stats, Diagnostics& diagnostics);
void parse_pyinstrument(std::string_view json, trace::PythonStats& stats, Diagnostics& diagnostics);

/// Sets node, process, framework, and start and end of the statistics from `stats.path`:
/// FRAMEWORK/PROFILER/PID-NODE/MODE-STEP-PHASE-TIME_MODE-STEP-PHASE-TIME/python_stats, or, from older versions,
/// FRAMEWORK/PROFILER/TIME_TIME_PID-NODE_STEP[-PHASE]/python_stats.
void describe_python_stats(trace::PythonStats& stats);

}  // namespace warpscope::ingest
