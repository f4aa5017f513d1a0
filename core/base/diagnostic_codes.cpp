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
    Explanation{"unreadable-directory",
                "The directory could not be listed, so traces in it are missing here. "
                "Check its permissions and open it again."},
    Explanation{"unreadable-file",
                "The file could not be opened or decompressed. "
                "If it is damaged, copy it again; if it may not be read, check its permissions; a link that leads "
                "nowhere, a pipe or a device has nothing to read: give the trace itself."},
    Explanation{"empty-file",
                "The file is named like a trace and holds nothing: the profiler was most likely stopped "
                "before it wrote. Record this rank again."},
    Explanation{"not-a-trace",
                "The file is named like a trace, but what is in it is none that can be read. "
                "Remove it from the directory, or record it again."},
    Explanation{
        "converted-beside-traces",
        "The file is a converted profile, or is named like one (.wscope), and lies beside traces, which are read; "
        "it is not. Open it by itself to see what is in it."},
    Explanation{"job-document-unreadable",
                "The file is named like one that describes the training job, and is not: what it tells is missing on "
                "the Information page. Save it again, or remove it."},
    Explanation{"truncated",
                "The file ends in the middle of its events, as when a job is killed while it writes. "
                "All that stands before is shown; record again for the rest."},
    Explanation{
        "input-damaged",
        "Reading or decompressing failed in the middle of the file, or its checksum is not that of the text. What "
        "was decompressed is shown up to 64 KiB before the first place that makes no sense, and what can be read "
        "behind the damage; without such a place all is shown, and some of it may be wrong. Copy the file again, "
        "or record again."},
    Explanation{"cancelled",
                "Reading was stopped on request. What was read by then is shown; open it again for the rest."},
    Explanation{
        "events-capped",
        "XLA keeps only a fixed number of events, the earliest. This file has exactly that number, so the end of "
        "the recording is probably missing. Record fewer steps."},
    Explanation{"copy-beside-trace",
                "JAX writes a copy of a trace for Perfetto, with the same events. It was not read, so that no time "
                "counts twice. Nothing needs to be done."},
    Explanation{"repeated-lane",
                "Events of a lane that repeats what another lane shows were left out, so that no time counts twice. "
                "Nothing needs to be done."},
    Explanation{"no-slices",
                "The file was read, and has no slice in it. Check that the profiler was active for at least "
                "one step of its schedule."},
    Explanation{"rank-too-large",
                "The file has more slices than one rank can hold (4.29 billion), or its text is longer than 1 TiB. "
                "What comes behind is left out; record fewer steps at a time."},
    Explanation{
        "too-many-names",
        "There are more distinct names than can be told apart, over four thousand million. The further ones are "
        "all called (further names); open fewer files at a time."},
    // Memory timelines
    Explanation{
        "memory-timeline-unreadable",
        "The memory timeline could not be read to its end; what stands before is shown. Copy it again, or export "
        "it again."},
    Explanation{"memory-timeline-cut",
                "The memory timeline ends within its list, as when a job is killed while it writes. What stands before "
                "is shown; export it again for the rest."},
    Explanation{"memory-timeline-too-long",
                "The memory timeline has more than 67 million changes. The further ones are left out; record fewer "
                "steps."},
    Explanation{"memory-change-unreadable",
                "An entry of the memory timeline is not four whole numbers: time, action, bytes, category. It is left "
                "out, so that what is in use is wrong by it from there on; export the timeline again."},
    Explanation{"memory-category-unknown",
                "A change of memory is of a category that is not known here, as a newer PyTorch may have. Its bytes "
                "count as Unknown."},
    // System metrics
    Explanation{
        "metrics-file-ignored",
        "The file lies among the system metrics of SageMaker Debugger and is not named like one of them, as when "
        "it was set aside because it is damaged. Give it its name EPOCH.algo-N.json if it is to be read."},
    Explanation{"metrics-file-empty",
                "The file of system metrics holds nothing, as when its agent was stopped. Nothing is to be done."},
    Explanation{
        "metrics-line-damaged",
        "A line of a node's system metrics makes no sense: it is no JSON object with a type and a name of at most 512 "
        "bytes, a finite value and a time within a week of its file's. The sample is left out; copy the file again if "
        "there are many."},
    Explanation{"metrics-line-cut-off",
                "A file of system metrics ends within a line, as when its agent still writes it or was stopped. The "
                "sample is left out; nothing is to be done."},
    Explanation{"metrics-too-many",
                "There are more than 8192 different series in the system metrics, where a node has some hundreds, or "
                "more than 16 million samples in a file, which is of a minute. The further ones are left out; remove "
                "the files that are not from an agent."},
    Explanation{
        "metrics-joined-by-order",
        "The system metrics know their node as algo-N, and nothing in the traces says which host that is. Hosts "
        "are taken in the order of their names; put each node's traces into a folder algo-N to be sure."},
    // Watching, stores, memory
    Explanation{"still-written",
                "A job still writes this file. It is shown as far as it goes, and read again when it has grown and "
                "when it is done."},
    Explanation{"changed-while-read",
                "The file changed between being found and being read to its end, so what is shown of it may be neither "
                "what it was nor what it is, and is not kept for the next time. Load it again when what writes it is "
                "done, or follow it with --watch."},
    Explanation{"source-vanished",
                "The file was removed while its directory was watched. What was read of it stays; arguments may not be "
                "had any more. Reload to be rid of it."},
    Explanation{"directory-away",
                "The directory that is watched cannot be looked through at the moment. What was read stays, and it is "
                "looked for until it is back."},
    Explanation{"store-damaged",
                "What was kept of an earlier load was damaged and is set aside. The traces concerned are read "
                "again; nothing is lost. Of a converted profile (.wscope) that is open itself, the traces it was made "
                "from are read instead if they are unchanged (a warning). Else (an error) analyses of that rank fail: "
                "copy the file again, or convert the traces again."},
    Explanation{
        "stored-part-missing",
        "A part of the converted profile (.wscope) is damaged, so the rank of this file, or what a node measured, "
        "is missing here; the rest is shown. Copy the file again, or convert the traces again."},
    Explanation{
        "store-outdated",
        "What was kept of an earlier load was written by another version of the program, so the traces are read "
        "again. Nothing is damaged, and nothing is to be done: what is kept next takes its place."},
    Explanation{"store-not-kept",
                "What was read could not be kept for the next time, which will take as long as this one. Make room on "
                "the disk, or set XDG_CACHE_HOME to a folder that can be written."},
    Explanation{"arguments-not-kept",
                "The source could not be read a second time when the store was written, so the store has its slices "
                "without their arguments. Write the store again while the source is there."},
    Explanation{"memory-limit",
                "More would have to be in memory than the limit allows. Ranks are kept on the disk and brought in when "
                "they are looked at; raise the limit for a faster first look."},
    Explanation{"memory-limit-not-held",
                "More stays in memory after the load than the limit allows, or more had to be there at once: reading a "
                "rank takes what it takes, and names, which may be many and long, stay in memory whatever the limit. "
                "Raise the limit to what is said here. Where no rank was moved to the disk, either names take it all, "
                "or there is no place for ranks there: make room, or set XDG_CACHE_HOME to a folder that can be "
                "written."},
    // JSON
    Explanation{"bare-quote",
                "A text held a quotation mark that was not escaped, as some profilers write them in names. "
                "The text was read as it was meant; a newer profiler writes it right."},
    Explanation{"stray-backslash",
                "A text held a backslash that escapes nothing, as in Windows paths. It was read as a "
                "backslash; a newer profiler writes it right."},
    Explanation{"control-character",
                "A text held a control character that JSON does not allow. It was kept; nothing "
                "needs to be done."},
    Explanation{"invalid-utf8",
                "A text was not valid UTF-8. The bad bytes are shown as \uFFFD; nothing needs to be "
                "done."},
    Explanation{"not-a-number",
                "A value was NaN or infinite, which JSON does not have. It was taken as missing; nothing "
                "needs to be done."},
    Explanation{"trailing-comma",
                "A comma stood before a closing bracket. It was passed over; nothing needs to be done."},
    Explanation{"missing-comma",
                "Two values stood side by side without a comma. Both were read; check the tool that wrote "
                "or merged the file."},
    Explanation{"missing-bracket",
                "A bracket was never closed. It was closed where the next event begins; check the tool "
                "that wrote or merged the file."},
    Explanation{"stray-text",
                "Text stood where none belongs. It was passed over; check the tool that wrote or merged the "
                "file."},
    Explanation{"skipped-bytes",
                "Stretches of the file made no sense, as when something was written over them, and were passed over; "
                "the count is their bytes, those of events that reach into them included. Copy the file again, or "
                "record again if events are missing."},
    Explanation{"unreadable-event",
                "An event could not be read even with repairs, and was left out. Record again if it "
                "matters what it was."},
    Explanation{"event-too-long",
                "An event was longer than any that a profiler writes, and was left out. Check the tool "
                "that wrote or merged the file."},
    Explanation{"event-split",
                "An event was longer than 64 MB and what looks like events stands in it. Whether its end is missing or "
                "they are its arguments cannot be told at that length: it was ended there, and they are shown as "
                "events of their own. Check the tool that wrote the file; let it write less into one event."},
    Explanation{"not-an-event",
                "The list of events held something that is none, and it was left out. Check the tool that "
                "wrote or merged the file."},
    Explanation{"array-not-closed",
                "The list of events was never closed, as the format allows while a trace is being "
                "written. All events in it are shown; the recording may have stopped early."},
    Explanation{"text-after-end",
                "Text followed the end of the document, as when files are joined. It was not read; open "
                "the files one by one."},
    Explanation{"metadata-damaged",
                "What the file says of itself beside its events could not be read to its end. Rank, "
                "host and devices may be guesses from the file's name."},
    Explanation{"metadata-unreadable",
                "One of the things that the file says of itself was not of the expected form, and "
                "was taken as missing."},
    Explanation{"duplicate-key",
                "An event had the same key twice. The last value was taken; nothing needs to be done."},
    Explanation{"time-unreadable", "A time or duration was not a number. It was taken as missing."},
    Explanation{"time-out-of-range",
                "A time or duration was beyond what 64 bits of nanoseconds hold. It was taken as "
                "missing."},
    Explanation{"correlation-unreadable",
                "A correlation id was not a whole number. The slice is shown without its "
                "connection."},
    // Events
    Explanation{"missing-time",
                "An event had no time. Slices are shown among the impossible ones, counters are left "
                "out."},
    Explanation{"missing-duration", "A slice had no duration. It is shown with none."},
    Explanation{"missing-phase", "An event did not say of what kind it is, and was left out."},
    Explanation{"unknown-phase", "An event was of a kind that the trace format does not have, and was left out."},
    Explanation{"object-event", "The trace has snapshots of objects, which are not shown."},
    Explanation{"begin-without-end",
                "A slice began and never ended, most likely because the recording stopped first. It "
                "is shown as a mark where it began."},
    Explanation{"end-without-begin",
                "A slice ended that never began, most likely because the recording started later. It "
                "was left out."},
    // Slices
    Explanation{"negative-duration",
                "A slice ended before it began, so its times are wrong. It is shown in a row of its "
                "own and counts for nothing; a newer profiler may record it right."},
    Explanation{"absurd-duration",
                "A slice was far longer than the whole recording, so its times are wrong. It is shown in "
                "a row of its own and counts for nothing."},
    Explanation{"begins-at-zero",
                "A slice began at time zero in a recording that begins elsewhere: the profiler never got "
                "its begin. It is shown in a row of its own and counts for nothing."},
    Explanation{"far-off-slice",
                "A slice of a damaged file lay far off from all others, so its times are most likely not what was "
                "recorded. It is shown in a row of its own and counts for nothing; copy the file again."},
    Explanation{"run-without-duration",
                "A kernel, copy or set lasted 0 ns: rounded so in a recording of whole microseconds, or its end "
                "was never seen. It is shown, and counts with no time."},
    Explanation{"overlapping-slices",
                "Slices of one thread or stream overlapped without lying within each other. Each is "
                "shown whole, in a further row; utilisation counts the time once."},
    // Connections
    Explanation{"several-launches-of-one-id",
                "Several launches had the same correlation id, as in merged files or after the "
                "id wrapped around. Each run was connected to the nearest launch before it."},
    Explanation{"loose-flow", "An arrow of the trace began or ended where no slice is. It is not shown."},
    // Ranks
    Explanation{"ranks-missing",
                "The traces say that their job has more ranks than are here; the count is of those without a trace. "
                "What the others waited for may be one of them, and sums over the job lack their part. Put their files "
                "into the directory, or record them; nothing is to be done where they were left out on purpose."},
    Explanation{"time-base-ignored",
                "The file names a time base although its times are absolute already. The base was not "
                "added; check that this rank lines up with the others."},
    Explanation{"clocks-apart",
                "The rank was recorded more than a day from the others, or its steps, although the same as those of "
                "another rank, do not overlap them in time. Either the clocks of the hosts do not agree, so shares of "
                "the time common to all ranks are too low, or the directory holds the traces of several jobs. "
                "Synchronize the clocks before the next recording, or open each job by itself."},
    Explanation{"world-sizes-differ",
                "The file says that its job has another number of ranks than most files here do, so the directory "
                "holds traces of several jobs. Ranks of different jobs are not compared; open each job by itself."},
    Explanation{"several-recordings",
                "A rank has several files, recorded one after the other, as the profiler writes them when its schedule "
                "repeats; the count is of the further ones. Each is shown at its time, and ranks are compared within "
                "one recording; open the files of one recording to look at it alone."},
    Explanation{"same-content",
                "The file has the same content as another, as when a trace and its compressed copy lie side by side. "
                "It counts once; remove one of them to load faster."},
    Explanation{"duplicate-rank",
                "Files say that they are the same rank as another, at the same time; the count is of such files. All "
                "are shown; open a directory of one recording to have each rank once."},
};

}  // namespace

std::string_view explain(std::string_view code) {
  for (const Explanation& explanation : kExplanations)
    if (explanation.code == code) return explanation.text;
  return {};
}

}  // namespace warpscope
