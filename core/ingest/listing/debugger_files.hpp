#pragma once
// SageMaker files that are recognized by name: reports of Debugger's rules, and output of SageMaker Profiler, whose
// format is proprietary.
#include <string_view>

namespace warpscope::ingest {

/// Describes SageMaker Profiler files in their diagnostic.
inline constexpr std::string_view kSealed = "written by SageMaker Profiler in a proprietary format";

/// True for "DetailedProfilerProcessingJobConfig-1700000000" and everything below it.
[[nodiscard]] bool in_sealed_folder(std::string_view path);
/// True for "smpfile_PID_TIME.raw", which SageMaker Profiler records.
[[nodiscard]] bool is_sealed_file(std::string_view path);

/// True for JSON files in "profiler-reports": each is the report of a rule, or corrupt.
[[nodiscard]] bool is_named_report(std::string_view path);
/// True for notebooks, such as the one SageMaker Debugger writes next to its reports: JSON without a trace.
[[nodiscard]] bool is_notebook(std::string_view path);

}  // namespace warpscope::ingest
