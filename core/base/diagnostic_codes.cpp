// Explanations of all diagnostic codes, grouped by the component that reports them. A test compares the table with the
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
                "Loading failed unexpectedly, probably because memory ran out. What was loaded until then is shown. "
                "Close other programs or set a memory limit, then load again."},
    Explanation{
        "unreadable-directory",
        "The directory could not be listed, so its traces are missing. Check its permissions and open it again."},
    Explanation{"unreadable-file",
                "The file could not be opened or decompressed. If it is corrupt, copy it again. If access is denied, "
                "change its permissions. Broken links, pipes and devices cannot be read: open the trace itself."},
    Explanation{"empty-file",
                "The file is named like a trace but is empty: the profiler was probably stopped before it wrote. "
                "Record this rank again."},
    Explanation{"not-a-trace",
                "The file is named like a trace, but its format is not supported. Remove it from the directory, or "
                "record it again."},
    Explanation{"converted-beside-traces",
                "The file is a converted profile, or is named like one (.wscope), next to traces. Only the traces are "
                "read. Open the file by itself to see its contents."},
    Explanation{"job-document-unreadable",
                "The file is named like a description of the training job, or like a report of a rule of SageMaker "
                "Debugger, but cannot be read as one, so its data is missing. Save it again, or remove it."},
    Explanation{"truncated",
                "The file ends in the middle of its events, for example because the job was killed while writing. All "
                "events before that are shown. Record again to get the rest."},
    Explanation{
        "input-damaged",
        "Reading or decompressing failed in the middle of the file, or its checksum is wrong. All "
        "events that could be read are shown, also those after the corruption. Text that was decompressed from corrupt "
        "data may be wrong, so do not rely on the figures of this file. Copy the file again, or record again."},
    Explanation{"cancelled",
                "Loading was cancelled. What was read until then is shown. Open it again to get the rest."},
    Explanation{"events-capped",
                "XLA keeps only a fixed number of events, the earliest. This file has exactly that number, so the end "
                "of the recording is probably missing. Record fewer steps."},
    Explanation{"open-timeline",
                "The process had not closed this file of SageMaker Debugger when the job ended or was copied. Its "
                "events are shown as far as they go. No action needed."},
    Explanation{"event-too-long",
                "Old versions of SageMaker Debugger wrote a duration of days for events without one. These events now "
                "end with the last other event of the file, so do not rely on their durations."},
    Explanation{"no-base-time",
                "TensorFlow counts times from the start of its profiler. SageMaker Debugger writes that start in the "
                "name of a .metadata file, which is missing here, so the trace is not aligned with other data. Copy "
                "the whole folder."},
    Explanation{"sealed-profile",
                "SageMaker Profiler stores its profiles in a format that is not public, so they cannot be read. Record "
                "the job with torch.profiler instead. System metrics of the same job can be read."},
    Explanation{"copy-beside-trace",
                "JAX writes a copy of a trace for Perfetto, with the same events. It was not read, so that no time "
                "counts twice. No action needed."},
    Explanation{"counters-beside-traces",
                "The file has the counters that `warpscope counters` computed from a trace for other viewers. It was "
                "not read, because the Timeline computes the same from the trace. No action needed."},
    Explanation{
        "repeated-lane",
        "Events of a lane that duplicates another one were left out, so that no time counts twice. No action needed."},
    Explanation{"no-slices",
                "The file was read but contains no slices. Check that the profiler was active for at least one step of "
                "its schedule."},
    Explanation{"rank-too-large",
                "The file has more slices than a rank supports (4.29 billion), or more than 1 TiB of text. The rest is "
                "left out. Record fewer steps at a time."},
    Explanation{"too-many-names",
                "There are more than four billion distinct names. The rest are all shown as (other names). Open "
                "fewer files at a time."},
    // Memory timelines
    Explanation{
        "memory-timeline-unreadable",
        "The memory timeline could not be read to its end. Everything before that is shown. Copy or export it again."},
    Explanation{"memory-timeline-cut",
                "The memory timeline is truncated, for example because the job was killed while writing. Everything "
                "before that is shown. Export it again to get the rest."},
    Explanation{"memory-timeline-too-long",
                "The memory timeline has more than 67 million changes. The rest are left out. Record fewer steps."},
    Explanation{"memory-change-unreadable",
                "An entry of the memory timeline is not four integers: time, action, bytes, category. It is left out, "
                "so memory in use is off by its bytes from there on. Export the timeline again."},
    Explanation{"memory-category-unknown",
                "A memory change has an unknown category, perhaps from a newer PyTorch. Its bytes count as Unknown."},
    // Statistics of Python functions
    Explanation{"python-stats-unreadable",
                "The statistics of Python functions could not be decompressed, or the file is larger than 32 MB. It is "
                "left out. Copy it again."},
    Explanation{"python-stats-damaged",
                "The statistics of Python functions are truncated or corrupt at this place, for example because the "
                "job was killed while writing. The functions before it are shown. Copy the file again."},
    Explanation{"python-stats-entry-skipped",
                "An entry of the statistics of Python functions is not a function with counts and times, or has "
                "callers that are not. It is left out. Copy the file again."},
    Explanation{"python-stats-empty",
                "The statistics contain no Python functions: nothing ran while they were recorded, or pyinstrument "
                "failed and SageMaker Debugger saved an empty result. No action needed."},
    // System metrics
    Explanation{"metrics-file-ignored",
                "The file is in the folder of SageMaker Debugger's system metrics but is not named like one of them, "
                "for example because it was set aside as corrupt. To have it read, rename it to EPOCH.algo-N.json."},
    Explanation{"metrics-file-empty",
                "The file of system metrics is empty, for example because its agent was stopped. No action needed."},
    Explanation{"metrics-line-damaged",
                "A line of a node's system metrics is not valid: a JSON object with a type, a name of at most 512 "
                "bytes, a finite value, and a time within a week of its file's. The sample is left out. If there are "
                "many, copy the file again."},
    Explanation{"metrics-line-cut-off",
                "A file of system metrics ends within a line, because its agent is still writing or was stopped. The "
                "sample is left out. No action needed."},
    Explanation{
        "metrics-too-many",
        "The system metrics have more than 8192 series, where a node has some hundreds, or a file, which covers a "
        "minute, has more than 16 million samples. The rest are left out. Remove files that are not from an agent."},
    Explanation{"metrics-clock-reversed",
                "A sample of a node's system metrics is earlier than the one before it, because the node's clock was "
                "set back or files were merged. The count is that of such samples. Samples are sorted by time, so "
                "those of the repeated time are mixed. Synchronize the node's clock."},
    Explanation{"nodes-missing",
                "There are no system metrics of some nodes, according to the numbers of the others or to the job's "
                "configuration. The count is that of missing nodes. Rules and averages cover only the nodes that are "
                "there. Copy the files of all nodes."},
    Explanation{"metrics-joined-by-order",
                "The system metrics identify their node as algo-N, and nothing in the traces maps that to a host. "
                "Hosts are assigned in order of their names. To be sure, put each node's traces into a folder algo-N."},
    // Watching, stores, memory
    Explanation{"still-written",
                "A job is still writing this file. It is shown up to its current end, and read again when it grows and "
                "when it is complete."},
    Explanation{"changed-while-read",
                "The file changed between being found and being read to its end, so what is shown may match neither "
                "version and is not saved in a store. Load it again when it is complete, or follow it with --watch."},
    Explanation{"source-vanished",
                "The file was removed while its directory was watched. What was read stays, but arguments may be "
                "unavailable. Reload to remove it."},
    Explanation{"directory-away",
                "The watched directory cannot be read at the moment. What was read stays, and Warpscope keeps looking "
                "for the directory."},
    Explanation{
        "store-damaged",
        "The store of an earlier load is corrupt and was set aside. The affected traces are read again; nothing is "
        "lost. For an open converted profile (.wscope), its original traces are read instead if they are unchanged (a "
        "warning). Otherwise (an error) analyses of that rank fail: copy the file again, or convert the traces again."},
    Explanation{"stored-part-missing",
                "Part of the converted profile (.wscope) is corrupt, so the rank of this file, or the system metrics "
                "of a node, is missing. The rest is shown. Copy the file again, or convert the traces again."},
    Explanation{"store-outdated",
                "The store of an earlier load was written by another version of Warpscope, so the traces are read "
                "again. Nothing is corrupt. No action needed: the next store replaces it."},
    Explanation{"store-not-kept",
                "The store could not be saved, so the next load will take as long as this one. Free disk space, or set "
                "XDG_CACHE_HOME to a writable folder."},
    Explanation{"arguments-not-kept",
                "The source could not be read a second time to write the store, so the store has its slices without "
                "arguments. Write the store again while the source is available."},
    Explanation{"memory-limit",
                "The profile needs more memory than the limit allows. Ranks wait on disk and load when you look at "
                "them. Raise the limit for a faster first look."},
    Explanation{"memory-limit-not-held",
                "The load exceeded the memory limit, at its peak or afterwards. The memory for reading a rank cannot "
                "be limited, and names, which may be many and long, always stay in memory. Raise the limit to the "
                "amount shown. If no rank was moved to disk, either names take all the memory, or ranks cannot be "
                "stored: free disk space, or set XDG_CACHE_HOME to a writable folder."},
    // JSON
    Explanation{"bare-quote",
                "A string contained an unescaped quotation mark, as some profilers write in names. It was read as "
                "intended. Newer profilers escape it."},
    Explanation{"stray-backslash",
                "A string contained a backslash that escapes nothing, as in Windows paths. It was read as a backslash. "
                "Newer profilers escape it."},
    Explanation{"control-character",
                "A string contained a control character that JSON does not allow. It was kept. No action needed."},
    Explanation{"invalid-utf8",
                "A string was not valid UTF-8. The invalid bytes are shown as \uFFFD. No action needed."},
    Explanation{"not-a-number",
                "A value was NaN or infinite, which JSON does not have. It counts as missing. No action needed."},
    Explanation{"trailing-comma", "There was a comma before a closing bracket. It was ignored. No action needed."},
    Explanation{
        "missing-comma",
        "A comma was missing between two values. Both were read. Check the tool that wrote or merged the file."},
    Explanation{"missing-bracket",
                "The list of events was never closed. All its events were read. Check the tool that wrote or "
                "merged the file."},
    Explanation{"stray-text",
                "There was text where none is allowed. It was ignored. Check the tool that wrote or merged the file."},
    Explanation{"skipped-bytes",
                "Parts of the file were unreadable, for example overwritten, and were skipped. The "
                "count is in bytes and includes events that are partly overwritten. Copy the file again, or record "
                "again if events are missing."},
    Explanation{"unreadable-event",
                "An event could not be read even with repairs, and was left out. Record again if it matters."},
    Explanation{"event-too-long",
                "An event was longer than any that a profiler writes, and was left out. Check the tool "
                "that wrote or merged the file."},
    Explanation{"not-an-event",
                "The list of events contained an entry that is not an event. It was left out. Check the tool that "
                "wrote or merged the file."},
    Explanation{"array-not-closed",
                "The list of events was never closed, which the format allows while a trace is being written. All its "
                "events are shown. The recording may have stopped early."},
    Explanation{
        "text-after-end",
        "Text follows the end of the document, as in concatenated files. It was not read. Open the files one by one."},
    Explanation{"metadata-damaged",
                "The metadata of the file could not be read to its end. Rank, host and devices may be guesses from the "
                "file name."},
    Explanation{"metadata-unreadable",
                "A metadata entry of the file did not have the expected form. It counts as missing."},
    Explanation{"duplicate-key", "An event had the same key twice. The last value is used. No action needed."},
    Explanation{"time-unreadable", "A time or duration was not a number. It counts as missing."},
    Explanation{"time-out-of-range",
                "A time or duration did not fit into 64 bits of nanoseconds. It counts as missing."},
    Explanation{"correlation-unreadable",
                "A correlation id was not an integer. The slice is shown without its connection."},
    // Events
    Explanation{"missing-time",
                "An event had no time. Slices are shown among those with impossible times, counters are left out."},
    Explanation{"missing-duration", "A slice had no duration. It is shown with none."},
    Explanation{"missing-phase", "An event had no phase (ph), and was left out."},
    Explanation{"unknown-phase", "An event had a phase (ph) that the trace format does not define, and was left out."},
    Explanation{"object-event", "The trace contains object snapshots, which are not shown."},
    Explanation{"begin-without-end",
                "A slice started and never ended, probably because the recording stopped first. It is shown as a mark "
                "at its start."},
    Explanation{"end-without-begin",
                "A slice ended without a start, probably because the recording started later. It was left out."},
    // Slices
    Explanation{"negative-duration",
                "A slice ended before it started, so its times are wrong. It is shown in a separate row and does not "
                "count. A newer profiler may record it correctly."},
    Explanation{"absurd-duration",
                "A slice was far longer than the whole recording, so its times are wrong. It is shown in a separate "
                "row and does not count."},
    Explanation{"begins-at-zero",
                "A slice started at time zero, long before the recording: the profiler never got its start. It is "
                "shown in a separate row and does not count."},
    Explanation{"run-without-duration",
                "A kernel, memcpy or memset took 0 ns: rounded in a recording of whole microseconds, or its end was "
                "never seen. It is shown, and counts with no time."},
    Explanation{"overlapping-slices",
                "Slices of a thread or stream overlapped without nesting. Each is shown in full, in an additional row. "
                "Utilization counts the time once."},
    // Connections
    Explanation{"several-launches-of-one-id",
                "Several launches had the same correlation id, as in merged files or after ids wrapped around. GPU "
                "activity is connected to the nearest launch before it."},
    Explanation{"launches-of-several-processes",
                "GPU activity of one device was launched by several processes under the same correlation ids: the "
                "file holds several ranks, but no labels to distinguish them. A launch may belong to another rank, "
                "so GPU activity of the device is not connected to launches. Open the files that were merged, or "
                "merge them with a tool that labels the ranks."},
    Explanation{"loose-flow", "An arrow of the trace started or ended where there is no slice. It is not shown."},
    // Ranks
    Explanation{"ranks-missing",
                "According to the traces, their job has more ranks. The count is that of ranks without a trace. A rank "
                "that the others waited for may be among them, and sums over the job are incomplete. Add their files "
                "to the directory, or record them. No action needed if they were left out on purpose."},
    Explanation{"time-base-ignored",
                "The file has a time base although its times are absolute already. The base was not added. Check that "
                "this rank lines up with the others."},
    Explanation{"clocks-apart",
                "The rank was recorded more than a day apart from the others, or has the same steps as another rank "
                "without overlapping it in time. Either the clocks of the hosts disagree, so shares of the time common "
                "to all ranks are too low, or the directory contains traces of several jobs. Synchronize the clocks "
                "before the next recording, or open each job by itself."},
    Explanation{"clocks-unverified",
                "The rank is from a merged file, which keeps the time base of at most one rank, so it is not known "
                "whether the clocks of its ranks agree. The count is that of the ranks. To compare times of ranks, "
                "check the ends of collectives, or open the files that were merged."},
    Explanation{"merged-beside-traces",
                "The file holds the same ranks as the files next to it, from which it was merged. It was not read. "
                "Open the file itself to see it."},
    Explanation{"world-sizes-differ",
                "The world size in this file differs from that of most files, so the directory contains traces of "
                "several jobs. Ranks of different jobs are not compared. Open each job by itself."},
    Explanation{"several-recordings",
                "A rank has several files, recorded one after the other, as the profiler writes them when its schedule "
                "repeats. The count is that of the additional files. Each is shown at its time, and ranks are compared "
                "within one recording. To look at one recording alone, open its files."},
    Explanation{"ranks-assumed",
                "Neither these files nor their names contain their rank, so processes are numbered in the order of "
                "their files. Files of one process are one rank. The count is that of the files. If these are several "
                "runs, open each by itself. If they are ranks, set RANK in the environment of each process, or put the "
                "rank into the name of its file, such as rank3.json."},
    Explanation{"same-content",
                "The file has the same content as another, for example a trace next to its compressed copy. It counts "
                "once. Remove one of them to load faster."},
    Explanation{"duplicate-rank",
                "Several files claim the same rank at the same time. The count is that of the additional files. All "
                "are shown. To have each rank once, open a directory of one recording."},
};

}  // namespace

std::string_view explain(std::string_view code) {
  for (const Explanation& explanation : kExplanations)
    if (explanation.code == code) return explanation.text;
  return {};
}

}  // namespace warpscope
