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
                "Loading failed unexpectedly, probably because memory ran out. Everything loaded before that is shown. "
                "Close other programs or set a memory limit, then load again."},
    Explanation{
        "unreadable-directory",
        "The directory could not be listed, so its traces are missing. Check its permissions and open it again."},
    Explanation{
        "unreadable-file",
        "The file could not be opened or decompressed. If it is corrupt, copy it again. If access is denied, "
        "change its permissions. Broken symbolic links, pipes and devices cannot be read; open the trace file itself."},
    Explanation{"empty-file",
                "The file is named like a trace but is empty: the profiler probably stopped before writing it. Record "
                "this rank again."},
    Explanation{"not-a-trace",
                "The file is named like a trace, but its format is not supported. Remove it from the directory, or "
                "record it again."},
    Explanation{"converted-beside-traces",
                "The directory contains both traces and .wscope files (converted profiles). Only the traces are read. "
                "To see the contents of a .wscope file, open the file itself."},
    Explanation{"job-document-unreadable",
                "The file name suggests a training job description or a SageMaker Debugger rule report, but the file "
                "could not be parsed as one, so its data is missing. Save it again, or remove it."},
    Explanation{"truncated",
                "The file ends abruptly, perhaps because the job was killed while writing it. All "
                "events before that point are shown. Record again to get the rest."},
    Explanation{
        "input-damaged",
        "Reading or decompressing failed in the middle of the file, or its checksum is wrong. All events that could be "
        "read are shown, including those after the corruption. Text that was decompressed from corrupt data may be "
        "wrong, so results for this file are unreliable. Copy the file again, or record again."},
    Explanation{"cancelled",
                "Loading was cancelled. Everything read before that is shown. To get the rest, open it again."},
    Explanation{"events-capped",
                "XLA keeps only a fixed number of events, starting with the earliest. This file has exactly that "
                "number, so the end of the recording is probably missing. Record fewer steps."},
    Explanation{
        "open-timeline",
        "This SageMaker Debugger file was still open for writing when the job ended or the file was copied. All events "
        "in it are shown. No action needed."},
    Explanation{"duration-of-days",
                "Old versions of SageMaker Debugger wrote a duration of several days for events without a duration. "
                "These events are truncated at the end of the last normal event, so do not rely on their durations."},
    Explanation{
        "no-base-time",
        "TensorFlow's times are relative to the start of its profiler. SageMaker Debugger stores that start time in "
        "the name of a .metadata file. That file is missing, so the trace is not aligned with other data. Copy "
        "the whole folder."},
    Explanation{"sealed-profile",
                "SageMaker Profiler stores its profiles in a proprietary format that cannot be read. Record the job "
                "with torch.profiler instead. The system metrics of the same job can be read."},
    Explanation{"copy-beside-trace",
                "JAX writes a copy of the trace for Perfetto, with the same events. The copy was not read, so no time "
                "is counted twice. No action needed."},
    Explanation{"counters-beside-traces",
                "The file contains counters that `warpscope counters` computed from a trace for other viewers. It was "
                "not read, because the Timeline computes the same counters from the trace. No action needed."},
    Explanation{
        "repeated-lane",
        "Events in a lane that duplicates another lane were left out, so no time is counted twice. No action needed."},
    Explanation{"no-slices",
                "The file was read but contains no slices. Check that the profiler was active for at least one step of "
                "its schedule."},
    Explanation{"rank-too-large",
                "The file has more slices than a rank supports (4.29 billion), or more than 1 TiB of text. The rest is "
                "left out. Record fewer steps at a time."},
    Explanation{
        "too-many-names",
        "There are more than four billion distinct names. All additional names are shown as (other names). Open fewer "
        "files at a time."},
    // Memory timelines
    Explanation{
        "memory-timeline-unreadable",
        "The memory timeline could not be read to the end. Everything before that is shown. Copy or export it again."},
    Explanation{"memory-timeline-cut",
                "The memory timeline is truncated, perhaps because the job was killed while writing it. Everything "
                "before that is shown. Export it again to get the rest."},
    Explanation{"memory-timeline-too-long",
                "The memory timeline has more than 67 million changes. Any changes after that are left out. Record "
                "fewer steps."},
    Explanation{"memory-change-unreadable",
                "An entry in the memory timeline is not a list of four integers (time, action, bytes, category). It is "
                "left out, so memory in use is off by its size from then on. Export the timeline again."},
    Explanation{
        "memory-category-unknown",
        "A memory change has an unknown category, perhaps from a newer PyTorch. Its bytes are counted as Unknown."},
    // Statistics of Python functions
    Explanation{"python-stats-unreadable",
                "The Python function statistics could not be decompressed, or the file is larger than 32 MB. It is "
                "left out. Copy it again."},
    Explanation{"python-stats-damaged",
                "The Python function statistics are truncated or corrupt at this offset, perhaps because the job was "
                "killed while writing them. Functions up to that point are shown. Copy the file again."},
    Explanation{"python-stats-entry-skipped",
                "An entry in the Python function statistics, or one of its callers, is malformed (expected a function "
                "with call counts and times). It is left out. Copy the file again."},
    Explanation{"python-stats-empty",
                "The statistics contain no Python functions: nothing ran while they were recorded, or pyinstrument "
                "failed and SageMaker Debugger saved an empty result. No action needed."},
    // System metrics
    Explanation{
        "metrics-file-ignored",
        "The file is in SageMaker Debugger's system metrics folder, but is not named like a metrics file, perhaps "
        "because it was renamed after being found corrupt. To include it, rename it to EPOCH.algo-N.json."},
    Explanation{
        "metrics-file-empty",
        "The system metrics file is empty, perhaps because the agent writing it was stopped. No action needed."},
    Explanation{"metrics-line-damaged",
                "A line in a node's system metrics is invalid. It must be a JSON object with a type, a name of at most "
                "512 bytes, a finite value, and a time within a week of the time in the file name. The sample is left "
                "out. If many samples are affected, copy the file again."},
    Explanation{"metrics-line-cut-off",
                "A system metrics file ends in the middle of a line, because the agent is still writing it or was "
                "stopped. The sample is left out. No action needed."},
    Explanation{"metrics-too-many",
                "The system metrics have more than 8192 series (a node typically has a few hundred), or a file, which "
                "covers only one minute, has more than 16 million samples. The rest is left out. Remove files that "
                "were not written by an agent."},
    Explanation{
        "metrics-clock-reversed",
        "A sample of a node's system metrics is earlier than the one before it, because the node's clock was "
        "set back or files were merged. The count is the number of such samples. Samples are sorted by time, so "
        "samples from the repeated period are interleaved. Synchronize the node's clock."},
    Explanation{"nodes-missing",
                "Some nodes have no system metrics, judging by the other nodes' numbers or the job's configuration. "
                "The count is the number of missing nodes. Rules and averages cover only the other nodes. Copy the "
                "files of all nodes."},
    Explanation{
        "metrics-joined-by-order",
        "The system metrics identify their node as algo-N, and nothing in the traces maps that to a host. Hosts are "
        "matched to nodes in name order. To be sure, put each node's traces into a folder named algo-N."},
    // Watching, stores, memory
    Explanation{
        "still-written",
        "A job is still writing this file. The data written so far is shown. The file is read again when it grows and "
        "when it is complete."},
    Explanation{"changed-while-read",
                "The file changed while it was being read, so its data may match neither version and is not saved in a "
                "store. Load it again when it is complete, or follow it with --watch."},
    Explanation{
        "source-vanished",
        "The file was removed while its directory was being watched. Data already read stays visible, but arguments "
        "may be unavailable. Reload to remove it from the profile."},
    Explanation{"directory-away",
                "The watched directory currently cannot be read. Data already read stays visible, and Warpscope "
                "keeps looking for the directory."},
    Explanation{"store-damaged",
                "The store of an earlier load is corrupt and was set aside. The affected traces are read again; "
                "nothing is lost. For a converted profile (.wscope), the original traces are read instead if they are "
                "unchanged (a warning). Otherwise, analyses of the affected rank fail (an error): copy the file again, "
                "or convert the traces again."},
    Explanation{"stored-part-missing",
                "Part of the converted profile (.wscope) is corrupt, so this file's rank or a node's system metrics "
                "are missing. The rest is shown. Copy the file again, or convert the traces again."},
    Explanation{"store-outdated",
                "The store of an earlier load was written by another version of Warpscope, so the traces are read "
                "again. Nothing is corrupt. No action needed: the next store replaces it."},
    Explanation{"store-not-kept",
                "The store could not be saved, so the next load will take as long as this one. Free disk space, or set "
                "XDG_CACHE_HOME to a writable folder."},
    Explanation{"arguments-not-kept",
                "The source could not be read a second time to write the store, so the store has its slices but not "
                "their arguments. Write the store again while the source is available."},
    Explanation{"memory-limit",
                "The profile needs more memory than the limit allows. Ranks stay on disk and load when you view "
                "them. Raise the limit for a faster first look."},
    Explanation{
        "memory-limit-not-held",
        "The load exceeded the memory limit, at its peak or afterwards. The memory needed to read a rank cannot be "
        "limited, and names, which can be numerous and long, always stay in memory. Raise the limit to the "
        "amount shown. If no rank was moved to disk, either names use all the memory or ranks cannot be "
        "stored: free disk space, or set XDG_CACHE_HOME to a writable folder."},
    // JSON
    Explanation{"bare-quote",
                "A string contained an unescaped quotation mark, which some profilers write in names. It was read as "
                "intended. Newer profilers escape it."},
    Explanation{"stray-backslash",
                "A string contained a backslash that is not part of an escape sequence, as in Windows paths. It was "
                "read as a backslash. Newer profilers escape it."},
    Explanation{"control-character",
                "A string contained a control character that JSON does not allow. It was kept. No action needed."},
    Explanation{"invalid-utf8",
                "A string was not valid UTF-8. The invalid bytes are shown as \uFFFD. No action needed."},
    Explanation{
        "not-a-number",
        "A value was NaN or infinite, which JSON does not support. It is treated as missing. No action needed."},
    Explanation{"trailing-comma", "There was a comma before a closing bracket. It was ignored. No action needed."},
    Explanation{
        "missing-comma",
        "A comma was missing between two values. Both were read. Check the tool that wrote or merged the file."},
    Explanation{"missing-bracket",
                "The list of events was never closed. All its events were read. Check the tool that wrote or "
                "merged the file."},
    Explanation{"stray-text",
                "There was text where JSON allows none. It was ignored. Check the tool that wrote or merged the file."},
    Explanation{"skipped-bytes",
                "Parts of the file were unreadable, for example overwritten, and were skipped. The count is in bytes "
                "and includes partly overwritten events. Copy the file again, or record again if events are missing."},
    Explanation{"unreadable-event",
                "An event could not be read even after repairs and was left out. If you need it, record again."},
    Explanation{"event-too-long",
                "An event was implausibly long and was left out. Check the tool that wrote or merged "
                "the file."},
    Explanation{"not-an-event",
                "The list of events contained an entry that is not an event. It was left out. Check the tool that "
                "wrote or merged the file."},
    Explanation{"array-not-closed",
                "The list of events was never closed; the format allows this while a trace is being written. All its "
                "events are shown. The recording may have stopped early."},
    Explanation{
        "text-after-end",
        "Text follows the end of the document, as in concatenated files. It was not read. Open the files one by one."},
    Explanation{"metadata-damaged",
                "The metadata of the file could not be read to the end. The rank, host and devices shown may be "
                "guesses based on the file name."},
    Explanation{"metadata-unreadable",
                "A metadata entry in the file had an unexpected form. It is treated as missing."},
    Explanation{"duplicate-key", "An event had the same key twice. The last value is used. No action needed."},
    Explanation{"time-unreadable", "A time or duration was not a number. It is treated as missing."},
    Explanation{"time-out-of-range",
                "A time or duration in nanoseconds did not fit into 64 bits. It is treated as missing."},
    Explanation{"correlation-unreadable",
                "A correlation id was not an integer. The slice is shown without its connection."},
    // Events
    Explanation{"missing-time",
                "An event had no time. Slices without a time are shown in the row for slices with invalid times; "
                "counters without a time are left out."},
    Explanation{"missing-duration", "A slice had no duration. It is kept with a duration of 0."},
    Explanation{"missing-phase", "An event had no phase (ph) and was left out."},
    Explanation{"unknown-phase", "An event had a phase (ph) that the trace format does not define. It was left out."},
    Explanation{"object-event", "The trace contains object snapshots, which are not shown."},
    Explanation{"begin-without-end",
                "A slice started but never ended, probably because the recording stopped first. It is shown as a mark "
                "at its start."},
    Explanation{"end-without-begin",
                "A slice ended but never started, probably because the recording started later. It was left out."},
    // Slices
    Explanation{"negative-duration",
                "A slice ended before it started, so its times are wrong. It is shown in a separate row and is not "
                "counted. A newer profiler may record it correctly."},
    Explanation{"absurd-duration",
                "A slice was far longer than the whole recording, so its times are wrong. It is shown in a separate "
                "row and is not counted."},
    Explanation{"begins-at-zero",
                "A slice started at time zero, long before the recording, because the profiler never recorded its "
                "start. It is shown in a separate row and is not counted."},
    Explanation{"run-without-duration",
                "A kernel, memcpy or memset took 0 ns: its duration was rounded to whole microseconds, or its end was "
                "not recorded. It is shown and counted, but adds no time."},
    Explanation{"overlapping-slices",
                "Slices of a thread or stream overlapped without nesting. Each is shown in full, in an additional row. "
                "Utilization counts overlapping time once."},
    // Connections
    Explanation{"several-launches-of-one-id",
                "Several launches had the same correlation id, as happens in merged files or after ids wrap around. "
                "GPU activity is connected to the nearest preceding launch."},
    Explanation{"launches-of-several-processes",
                "GPU activity on one device was launched by several processes with the same correlation ids: the file "
                "contains several ranks without labels to distinguish them. A launch may belong to another rank, so "
                "GPU activity on the device is not connected to launches. Open the files that were merged, or merge "
                "them with a tool that labels the ranks."},
    Explanation{"loose-flow", "An arrow in the trace started or ended where there is no slice. It is not shown."},
    // Ranks
    Explanation{"ranks-missing",
                "According to the traces, the job has more ranks. The count is the number of ranks without a trace. "
                "The late rank may be among them, and sums over the job are incomplete. Add the traces of the missing "
                "ranks to the directory, or record them. No action needed if they were left out on purpose."},
    Explanation{"time-base-ignored",
                "The file has a time base although its times are already absolute. The time base was not added. Check "
                "that this rank lines up with the others."},
    Explanation{"clocks-apart",
                "The rank was recorded more than a day apart from the others, or has the same steps as another rank "
                "without overlapping it in time. Either the hosts' clocks disagree, so percentages of the profile's "
                "time span, such as utilization, are too low, or the directory contains traces of several jobs. "
                "Synchronize the clocks before the next recording, or open each job separately."},
    Explanation{"clocks-unverified",
                "The rank is from a merged file, which keeps the time base of at most one rank, so it is unknown "
                "whether its ranks' clocks agree. The count is the number of ranks. To compare times across ranks, "
                "compare the ends of collectives, or open the files that were merged."},
    Explanation{
        "merged-beside-traces",
        "The file was merged from the per-rank traces in the same directory. It was not read, because it contains "
        "the same ranks. To view it, open it directly."},
    Explanation{"world-sizes-differ",
                "The world size in this file differs from that of most files, so the directory contains traces of "
                "several jobs. Ranks of different jobs are not compared. Open each job separately."},
    Explanation{"several-recordings",
                "A rank has several files, recorded one after the other, because the profiler's schedule repeats. The "
                "count is the number of additional files. Each recording is shown at its own time, and ranks are "
                "compared only within the same recording. To look at a single recording, open its files."},
    Explanation{
        "ranks-assumed",
        "Neither these files nor their names contain their rank, so processes are numbered in the order of "
        "their files. All files of a process are treated as one rank. The count is the number of files. If the files "
        "come from different runs, open each run separately. If they are ranks, set RANK in the environment of each "
        "process, or put the rank into the file name, for example rank3.json."},
    Explanation{"same-content",
                "The file has the same content as another, for example a trace next to its compressed copy. The data "
                "is counted only once. To load faster, remove one of the files."},
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
