#pragma once
// Helpers shared by the tables of Python function statistics.
#include <string>

#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Note for a table that is empty because there are no statistics.
inline constexpr std::string_view kNoPythonStats =
    "There are no Python function statistics. To record them, use SageMaker Debugger's PythonProfilingConfig or "
    "cProfile's dump_stats(), and save them in the trace directory. Converted profiles (.wscope) do not include them.";

/// Describes a point in time, such as "train 9 stepend"; "" if unknown.
[[nodiscard]] std::string moment_text(const trace::PythonMoment& moment);
/// Describes when a file's recording started, or returns its path if the start is unknown.
[[nodiscard]] std::string from_text(const trace::Profile& profile, const trace::PythonStats& stats);

struct PythonTotals {
  std::int64_t calls = 0;
  std::int64_t primitive_calls = 0;
  bool counted = false;  ///< false if the profiler does not count calls
  Ns self = 0;           ///< sum over all functions, which is the profiled time
};

[[nodiscard]] PythonTotals totals_of(const trace::PythonStats& stats);

/// Returns one row per file: node, process, profiler, start and end, functions, calls, time.
[[nodiscard]] Table python_profiles_table(const trace::Profile& profile);
/// Adds the row for one file.
void add_python_profile(const trace::Profile& profile, const trace::PythonStats& stats, Table& table);
/// Returns python_profiles_table() without rows.
[[nodiscard]] Table empty_python_profiles_table();

}  // namespace warpscope::analysis
