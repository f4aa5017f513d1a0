// Explanations of all diagnostic codes, grouped by the component that reports them. A test compares this table with the
// codes used in the sources.
#include <array>

#include "core/base/diagnostics.hpp"

namespace warpscope {

namespace {

struct Explanation {
  std::string_view code;
  std::string_view text;
};

constexpr std::array kExplanations{
    // Files
    Explanation{"load-failed",
                "Loading failed unexpectedly, probably because the system ran out of memory. Everything loaded before "
                "the failure is shown. Close other programs or set a memory limit, then load again."},
    Explanation{
        "unreadable-directory",
        "The directory could not be listed, so its traces are missing. Check its permissions and open it again."},
    Explanation{
        "unreadable-file",
        "The file could not be opened or decompressed. If it is corrupt, copy it again. If access is denied, "
        "change its permissions. Broken symbolic links, pipes and devices cannot be read; open the trace file itself."},
    Explanation{"empty-file",
                "The file is named like a trace file but is empty: the profiler probably stopped before writing "
                "it. Record this rank again."},
    Explanation{"not-a-trace",
                "The file is named like a trace file, but its format is not supported. Remove it from the directory "
                "or record it again."},
    Explanation{"converted-beside-traces",
                "The directory contains both traces and .wscope files (converted profiles). Only the traces are read. "
                "To view a .wscope file, open it directly."},
    Explanation{"shard-missing",
                "A part of a job that was converted in shares is not there, so its ranks are missing. Run `warpscope "
                "convert` again with that share."},
    Explanation{"job-document-unreadable",
                "The file name suggests a training job description or a SageMaker Debugger rule report, but the file "
                "could not be parsed as either, so its data is missing. Save it again or remove it."},
    Explanation{"truncated",
                "The file ends abruptly, perhaps because the job was killed while writing it. All "
                "events before that point are shown. Record again to get the rest."},
    Explanation{"input-damaged",
                "Reading or decompression failed partway through the file, or its checksum is wrong. All readable "
                "events are shown, including those after the corruption. Text decompressed from corrupt data may be "
                "wrong, so results for this file are unreliable. Copy the file again or record again."},
    Explanation{
        "cancelled",
        "Loading was cancelled. Everything read up to that point is shown. To get the rest, reload the profile."},
    Explanation{"events-capped",
                "XLA keeps only a fixed number of events, starting with the earliest. This file has exactly that "
                "number, so the end of the recording is probably missing. Record fewer steps."},
    Explanation{"open-timeline",
                "This SageMaker Debugger file was still open for writing when the job ended or the file was copied. "
                "All its events are shown. No action needed."},
    Explanation{"duration-of-days",
                "Old versions of SageMaker Debugger wrote a duration of several days for events without a duration. "
                "These events are truncated at the end of the last normal event, so do not rely on their durations."},
    Explanation{"no-base-time",
                "TensorFlow timestamps are relative to the start of its profiler. SageMaker Debugger stores that start "
                "time in the name of a .metadata file. The .metadata file is missing, so the trace is not aligned with "
                "other data. Copy the whole folder."},
    Explanation{"sealed-profile",
                "SageMaker Profiler stores its profiles in a proprietary format that cannot be read. Record the job "
                "with torch.profiler instead. The job's system metrics can still be read."},
    Explanation{"copy-beside-trace",
                "JAX writes a copy of the trace for Perfetto, with the same events. The copy was skipped to avoid "
                "counting time twice. No action needed."},
    Explanation{"counters-beside-traces",
                "The file contains counters that `warpscope counters` computed from a trace for other viewers. It was "
                "skipped, because the Timeline computes the same counters from the trace. No action needed."},
    Explanation{
        "repeated-lane",
        "Skipped events in a lane that duplicates another lane, to avoid counting time twice. No action needed."},
    Explanation{"no-slices",
                "The file was read but contains no slices. Check that the profiler was active for at least one step of "
                "its schedule."},
    Explanation{"rank-too-large",
                "The file exceeds the limit of 4.29 billion slices or 1 TiB of text per rank. The rest is skipped. "
                "Record fewer steps at a time."},
    Explanation{
        "too-many-names",
        "There are more than four billion distinct names. All additional names are shown as (other names). Open fewer "
        "files at a time."},
    // Memory timelines
    Explanation{"memory-timeline-unreadable",
                "Reading the memory timeline failed partway through. Everything before that point is shown. Copy or "
                "export it again."},
    Explanation{"memory-timeline-cut",
                "The memory timeline is truncated, perhaps because the job was killed while writing it. Everything "
                "before that point is shown. Export it again to get the rest."},
    Explanation{"memory-timeline-too-long",
                "The memory timeline has more than 67 million changes. The rest is skipped. Record fewer steps."},
    Explanation{"memory-change-unreadable",
                "Skipped a memory timeline entry that is not a list of four integers (time, action, bytes, category). "
                "From then on, memory in use is off by the size of that change. Export the timeline again."},
    Explanation{"memory-category-unknown",
                "A memory change has an unknown category, perhaps from a newer PyTorch version. Its bytes are counted "
                "as Unknown."},
    // Statistics of Python functions
    Explanation{"python-stats-unreadable",
                "Skipped Python function statistics that could not be decompressed or are larger than 32 MB. Copy the "
                "file again."},
    Explanation{"python-stats-damaged",
                "The Python function statistics are truncated or corrupt at this offset, perhaps because the job was "
                "killed while writing them. Functions before that point are shown. Copy the file again."},
    Explanation{"python-stats-entry-skipped",
                "Skipped a malformed function or caller in the Python function statistics (expected a function with "
                "call counts and times). Copy the file again."},
    Explanation{"python-stats-empty",
                "The statistics contain no Python functions: nothing ran during recording, or pyinstrument failed and "
                "SageMaker Debugger saved an empty result. No action needed."},
    // System metrics
    Explanation{"metrics-file-ignored",
                "The file is in SageMaker Debugger's system metrics folder, but its name does not match the metrics "
                "file pattern, perhaps because it was renamed after being found corrupt. To include it, rename it to "
                "EPOCH.algo-N.json."},
    Explanation{
        "metrics-file-empty",
        "The system metrics file is empty, perhaps because the agent writing it was stopped. No action needed."},
    Explanation{"metrics-line-damaged",
                "Skipped an invalid line in a node's system metrics. Each line must be a JSON object with a type, a "
                "name of at most 512 bytes, a dimension, a finite value, and a time within a week of the time in the "
                "file name, each once. If many samples are affected, copy the file again."},
    Explanation{"metrics-line-cut-off",
                "Skipped an incomplete line at the end of a system metrics file: the agent is still writing the file "
                "or was stopped. No action needed."},
    Explanation{"metrics-too-many",
                "The system metrics have more than 8192 series (a node typically has a few hundred), or a file has "
                "more than 16 million samples, even though each file covers only one minute. The rest is skipped. "
                "Remove files that were not written by an agent."},
    Explanation{"metrics-clock-reversed",
                "A node's system metrics contain a sample that is earlier than the previous one, because the node's "
                "clock was set back or files were merged. The count is the number of such samples. Samples are sorted "
                "by time, so those from the repeated period are interleaved. Synchronize the node's clock."},
    Explanation{
        "nodes-missing",
        "Some nodes appear to have no system metrics, based on the other nodes' numbers or the job's configuration. "
        "The count is the number of missing nodes. Rules and averages cover only the other nodes. Copy the "
        "files from all nodes."},
    Explanation{"metrics-joined-by-order",
                "The system metrics identify their node as algo-N, but the traces do not map this name to a host. "
                "Nodes are matched to hosts in name order. To make the mapping explicit, put each node's traces into a "
                "folder named algo-N."},
    // Watching, stores, memory
    Explanation{
        "still-written",
        "A job is still writing this file. The data written so far is shown. The file is read again when it grows and "
        "when it is complete."},
    Explanation{"changed-while-read",
                "The file changed while it was being read, so its data may match neither version and is not saved in a "
                "store. Load the file again when it is complete, or follow it with --watch."},
    Explanation{"source-vanished",
                "The file was removed while its directory was being watched. Data already read remains visible, but "
                "arguments may be unavailable. Reload to remove the file from the profile."},
    Explanation{"directory-away",
                "The watched directory cannot be read at the moment. Data already read remains visible, and Warpscope "
                "keeps checking for the directory."},
    Explanation{
        "store-damaged",
        "An info: the store saved by an earlier load is corrupt and was deleted. The traces are read again; no data "
        "is lost. An error: of a converted profile (.wscope), this file's rank, its arguments or a node's "
        "system metrics are missing or incomplete; the rest is shown. Copy the file again or convert the "
        "traces again. If the connection to another machine was lost, reload the profile."},
    Explanation{"store-outdated",
                "The store saved by an earlier load was written by another version of Warpscope, so the traces are "
                "read again. Nothing is corrupt. No action needed: the next store replaces it."},
    Explanation{"store-not-kept",
                "The store could not be saved, so the next load will take as long as this one. Free disk space or set "
                "XDG_CACHE_HOME to a writable folder."},
    Explanation{"arguments-not-kept",
                "The source could not be read a second time to write the store, so the store contains its slices but "
                "not their arguments. Write the store again while the source is available."},
    Explanation{"memory-limit",
                "The profile needs more memory than the limit allows. Ranks stay on disk and load when you view "
                "them. Raise the limit to avoid this delay."},
    Explanation{"memory-limit-not-held",
                "Loading exceeded the memory limit, either at its peak or afterward. The memory needed to read a rank "
                "cannot be limited, and names, which can be numerous and long, always stay in memory. Raise the limit "
                "to the amount shown. If no rank was moved to disk, either names use all the memory or ranks cannot be "
                "stored: free disk space or set XDG_CACHE_HOME to a writable folder."},
    // JSON
    Explanation{"bare-quote",
                "A string contained an unescaped quotation mark; some profilers emit these in names. The string was "
                "read as intended. Newer profilers escape quotation marks."},
    Explanation{"stray-backslash",
                "A string contained a backslash that is not part of an escape sequence, for example in a Windows path. "
                "It was read as a literal backslash. Newer profilers escape backslashes."},
    Explanation{
        "control-character",
        "A string contained a control character that JSON does not allow. The character was kept. No action needed."},
    Explanation{"invalid-utf8", "A string was not valid UTF-8. Invalid bytes are shown as \uFFFD. No action needed."},
    Explanation{
        "not-a-number",
        "A value was NaN or infinite, which JSON does not support. It is treated as missing. No action needed."},
    Explanation{"trailing-comma", "Ignored a comma before a closing bracket. No action needed."},
    Explanation{
        "missing-comma",
        "A comma was missing between two values. Both were read. Check the tool that wrote or merged the file."},
    Explanation{"missing-bracket",
                "The event list was never closed. All its events were read. Check the tool that wrote or "
                "merged the file."},
    Explanation{"stray-text",
                "Ignored text where JSON does not allow any. Check the tool that wrote or merged the file."},
    Explanation{"skipped-bytes",
                "Skipped unreadable parts of the file, for example parts that were overwritten. The count is in bytes "
                "and includes partly overwritten events. Copy the file again, or record again if events are missing."},
    Explanation{"unreadable-event",
                "Skipped an event that could not be read, even after repair attempts. If you need it, record again."},
    Explanation{"event-too-long", "Skipped an implausibly long event. Check the tool that wrote or merged the file."},
    Explanation{
        "not-an-event",
        "Skipped an entry in the event list that is not an event. Check the tool that wrote or merged the file."},
    Explanation{"array-not-closed",
                "The event list was never closed; the format allows this while a trace is being written. All its "
                "events are shown. The recording may have stopped early."},
    Explanation{"text-after-end",
                "Skipped text after the end of the document, as in concatenated files. Open the original files "
                "separately."},
    Explanation{"metadata-damaged",
                "Reading the file's metadata failed partway through. The rank, host and devices shown may be guesses "
                "based on the file name."},
    Explanation{"metadata-unreadable",
                "A metadata entry in the file had an unexpected format. It is treated as missing."},
    Explanation{"duplicate-key", "An event contained a duplicate key. The last value is used. No action needed."},
    Explanation{"time-unreadable", "A time or duration was not a number. It is treated as missing."},
    Explanation{"time-out-of-range",
                "A time or duration in nanoseconds did not fit into 64 bits. It is treated as missing."},
    Explanation{"correlation-unreadable",
                "A correlation id was not an integer. The slice is shown without its connection."},
    Explanation{"arguments-damaged",
                "The arguments of an event are not valid JSON. Perhaps a part of the file is missing there, with all "
                "its events, so the arguments and the connection may belong to another event. Copy the file again, or "
                "record again if events are missing."},
    // Events
    Explanation{"missing-time",
                "An event had no timestamp. Slices without a timestamp are shown in the row for slices with invalid "
                "times; counters without a timestamp are skipped."},
    Explanation{"missing-duration", "A slice had no duration. It is kept with a duration of 0."},
    Explanation{
        "missing-field",
        "An event had no process, thread, category or name, or an id that cannot be read, perhaps because that part "
        "of the file is corrupt. Slices without a name are shown without one. Other events are skipped, because their "
        "track is unknown. Copy the file again, or record again if events are missing."},
    Explanation{"missing-phase", "Skipped an event with no phase (ph)."},
    Explanation{"unknown-phase", "Skipped an event with a phase (ph) that the trace format does not define."},
    Explanation{"object-event", "The trace contains object snapshots, which are not shown."},
    Explanation{"begin-without-end",
                "A slice started but never ended, probably because the recording stopped first. It is shown as a mark "
                "at its start."},
    Explanation{"end-without-begin",
                "Skipped a slice that ended but never started, probably because the recording started later."},
    // Slices
    Explanation{"negative-duration",
                "A slice ended before it started, so its times are wrong. It is shown in a separate row and is not "
                "counted. A newer profiler may record it correctly."},
    Explanation{"absurd-duration",
                "A slice was far longer than the whole recording, so its times are wrong. It is shown in a separate "
                "row and is not counted."},
    Explanation{"begins-at-zero",
                "A slice started at time zero, long before the recording, because the profiler did not record its "
                "start. It is shown in a separate row and is not counted."},
    Explanation{"stray-slice",
                "A slice started more than a day before or after the rest of the recording, so its times are wrong. It "
                "is shown in a separate row and is not counted."},
    Explanation{
        "mostly-gaps",
        "The recording consists almost entirely of gaps of more than a day, so some times are wrong or the file "
        "contains several recordings. Slices on both sides of a gap are too many to decide which times are "
        "right, so all of them are shown and counted. Select a range of time to exclude gaps."},
    Explanation{"stray-sample",
                "Skipped a sample of a counter that was taken more than a day before or after the rest of "
                "the recording, so its time is wrong."},
    Explanation{"run-without-duration",
                "A kernel, memcpy or memset has a duration of 0 ns: the duration was rounded to whole microseconds, or "
                "the end was not recorded. It is shown and counted, but adds no time."},
    Explanation{"kernel-overflow",
                "A kernel lasted until long after later kernels on its stream had run, so its end is wrong. It is "
                "shown and counted until the next kernel starts. A newer driver may record it correctly."},
    Explanation{"overlapping-slices",
                "Slices of a thread or stream overlapped without nesting. Each overlapping slice is shown in full, in "
                "an additional row. Utilization counts overlapping time once."},
    // Connections
    Explanation{"several-launches-of-one-id",
                "Several launches had the same correlation id, as happens in merged files or after ids wrap around. "
                "GPU activity is connected to the nearest preceding launch."},
    Explanation{"launches-of-several-processes",
                "Several processes used the same correlation ids to launch GPU activity on one device: the file "
                "contains several ranks without labels to distinguish them. Because a launch may belong to another "
                "rank, GPU activity on the device is not connected to launches. Open the original files, or merge them "
                "with a tool that labels the ranks."},
    Explanation{"graph-node-without-launch",
                "The profiler lost the launch of these host callbacks in CUDA graphs, which happens if a graph is "
                "launched while an earlier launch of it is still running. The callbacks are shown, but are not "
                "connected to the graph's other nodes."},
    Explanation{"graph-dependency-dropped",
                "Skipped dependencies between the nodes of a CUDA graph: a node is missing, the nodes belong to "
                "different launches, or the first one ends after the second one starts because their clocks differ."},
    Explanation{"loose-flow", "Skipped a flow arrow that starts or ends where there is no slice."},
    // Ranks
    Explanation{"ranks-missing",
                "According to the traces, the job has more ranks. The count is the number of ranks without a trace. "
                "The missing ranks may include the late one, and totals for the job are incomplete. Add their traces "
                "to the directory or record them. No action needed if they were omitted on purpose."},
    Explanation{"time-base-ignored",
                "The file has a time base even though its timestamps are already absolute. The time base was ignored. "
                "Check that this rank lines up with the others."},
    Explanation{"clocks-apart",
                "The rank was recorded more than a day apart from the others, or has the same steps as another rank "
                "without overlapping it in time. Either the hosts' clocks disagree, which makes percentages of the "
                "profile's time span, such as utilization, too low, or the directory contains traces from several "
                "jobs. Synchronize the clocks before the next recording, or open each job separately."},
    Explanation{"clocks-unverified",
                "The rank comes from a merged file. Merged files keep the time base of at most one rank, so the ranks' "
                "clocks may disagree. The count is the number of ranks. To compare times across ranks, compare the "
                "ends of collectives or open the original files."},
    Explanation{"merged-beside-traces",
                "The file was merged from the per-rank traces in the same directory. It was skipped, because it "
                "contains the same ranks. To view it, open it directly."},
    Explanation{"world-sizes-differ",
                "The world size in this file differs from that in most files, so the directory contains traces from "
                "several jobs. Ranks from different jobs are not compared. Open each job separately."},
    Explanation{"several-recordings",
                "A rank has several files, recorded one after another, because the profiler's schedule repeats. The "
                "count is the number of additional files. Each recording is shown at its own time, and ranks are "
                "compared only within the same recording. To view a single recording, open its files."},
    Explanation{"ranks-assumed",
                "Neither the files nor their names contain a rank, so processes are numbered in file order. All files "
                "from a process are treated as one rank. The count is the number of files. If the files come from "
                "different runs, open each run separately. If they are ranks, set RANK in each process's environment "
                "or put the rank in the file name, for example rank3.json."},
    Explanation{"same-content",
                "The file has the same contents as another, for example a trace next to its compressed copy. The data "
                "is counted only once. To load faster, remove one of the files."},
    Explanation{"time-base-of-others",
                "The file is truncated and lacks its time base, which is at the end. It takes the base of the other "
                "ranks."},
    Explanation{"unsupported-device",
                "The trace records a device that is not supported, so its tasks are not shown, and all GPU figures are "
                "missing."},
    Explanation{"graph-capture",
                "The file records the capture of CUDA graphs, without GPU activity, next to files that record their "
                "replays. It is not a rank; its time does not count toward the span."},
    Explanation{"duplicate-rank",
                "Several files claim the same rank at the same time. The count is the number of additional files. All "
                "are shown. To see each rank once, open a directory with a single recording."},
};

}  // namespace

std::string_view explain(std::string_view code) {
  for (const Explanation& explanation : kExplanations)
    if (explanation.code == code) return explanation.text;
  return {};
}

}  // namespace warpscope
