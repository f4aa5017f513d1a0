#pragma once
// Recognizes SageMaker files by name: reports of Debugger rules, and output of SageMaker Profiler, whose format is
// proprietary.
#include <string_view>

namespace warpscope::ingest {

/// Diagnostic text for SageMaker Profiler files.
inline constexpr std::string_view kSealed = "written by SageMaker Profiler in a proprietary format";

/// True for folders such as "DetailedProfilerProcessingJobConfig-1700000000" and everything in them.
[[nodiscard]] bool in_sealed_folder(std::string_view path);
/// True for "smpfile_PID_TIME.raw" files, which SageMaker Profiler writes.
[[nodiscard]] bool is_sealed_file(std::string_view path);

/// True for JSON files in "profiler-reports". Each contains the report of one rule and may be corrupt.
[[nodiscard]] bool is_named_report(std::string_view path);
/// True for notebooks, such as the one that SageMaker Debugger writes next to its reports. They are JSON but not
/// traces.
[[nodiscard]] bool is_notebook(std::string_view path);

}  // namespace warpscope::ingest
