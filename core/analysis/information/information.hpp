#pragma once
// What is known about a job and its traces, beside what happened in them: the Information page, its CSV, the report. A
// table for each kind of thing; one that has nothing to tell says in its note why, and what would help.
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// In devices_table(), for a device that a trace names and that ran nothing.
inline constexpr std::string_view kNoRanks = "none";

/// The few facts that tell one job from another: name, machines, what was recorded and when, versions.
[[nodiscard]] Table overview_table(const trace::Profile& profile);
/// Every value of the job's documents: part, name, value, file. Values of the job itself and its machines come first,
/// then hyper-parameters, the profiler's configuration, its rules, the rest.
[[nodiscard]] Table job_table(const trace::Profile& profile);
/// A row a node: host, instance type, ranks, GPUs, models, slices, share of time its GPUs were busy.
[[nodiscard]] Table nodes_table(const trace::Profile& profile);
/// A row for each device of a node that a trace names or that ran something.
[[nodiscard]] Table devices_table(const trace::Profile& profile);
/// Every property that traces tell of devices; devices that agree share a row.
[[nodiscard]] Table device_properties_table(const trace::Profile& profile);
/// Versions of CUDA, ROCm, drivers, NCCL and the trace format; ranks that agree share a row.
[[nodiscard]] Table software_table(const trace::Profile& profile);
/// Process groups of the distributed job, from distributedInfo.
[[nodiscard]] Table process_groups_table(const trace::Profile& profile);
/// What the profiler was asked to record.
[[nodiscard]] Table profiler_options_table(const trace::Profile& profile);
/// Everything else that stands beside the events: own metadata of exporters, and the profiler's log.
[[nodiscard]] Table metadata_table(const trace::Profile& profile);
/// Every file that was read: kind, rank, size, time, counts, what its clock counts from.
[[nodiscard]] Table files_table(const trace::Profile& profile);

/// All of the above with ranks and diagnostics, in the order of the page.
[[nodiscard]] std::vector<Table> information_tables(const trace::Profile& profile);

}  // namespace warpscope::analysis
