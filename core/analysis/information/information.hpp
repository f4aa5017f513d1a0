#pragma once
// Tables of job and trace properties for the Information page, its CSV and the report. The note of an empty table
// explains why it is empty and what to record.
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Shown by devices_table() instead of ranks for devices that are listed in a trace but have no activity.
inline constexpr std::string_view kNoRanks = "none";

/// Properties that identify a job: name, machines, recorded activity, time of recording, versions.
[[nodiscard]] Table overview_table(const trace::Profile& profile);
/// One row per value in the job's documents: name, value, file, in the order of the files.
[[nodiscard]] Table job_table(const trace::Profile& profile);
/// One row per node: host, instance type, ranks, GPUs, models, slices.
[[nodiscard]] Table nodes_table(const trace::Profile& profile);
/// One row per device that is listed in a trace or has activity.
[[nodiscard]] Table devices_table(const trace::Profile& profile);
/// Versions of CUDA, ROCm, drivers, NCCL and the trace format; ranks with equal values share a row.
[[nodiscard]] Table software_table(const trace::Profile& profile);
/// Process groups of the distributed job, from distributedInfo.
[[nodiscard]] Table process_groups_table(const trace::Profile& profile);
/// Options of the profiler.
[[nodiscard]] Table profiler_options_table(const trace::Profile& profile);
/// All other metadata, such as exporter metadata and the profiler's log.
[[nodiscard]] Table metadata_table(const trace::Profile& profile);
/// One row per file read: kind, rank, size, time, counts, clock origin.
[[nodiscard]] Table files_table(const trace::Profile& profile);

/// All of the above plus ranks, any Python function statistics, and diagnostics, in page order.
[[nodiscard]] std::vector<Table> information_tables(const trace::Profile& profile);
/// The same tables as an analysis, for the Information page. find_analysis() finds it, but analyses() does not list it.
namespace registered::information {
extern const Analysis kAnalysis;
}

}  // namespace warpscope::analysis
