#include "core/ingest/formats/pevents/timeline_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file_group.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/events/joined_events.hpp"
#include "core/ingest/formats/pevents/timeline_name.hpp"
#include "core/ingest/formats/pevents/timeline_translator.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest::pevents {

namespace {

struct TimelineFile {
  std::string path;
  std::string kind;
  std::uint64_t begin = 0;  ///< offset of its text
};

std::vector<TimelineFile> files_of_source(const trace::SourceFile& source) {
  std::vector<TimelineFile> files;
  std::uint64_t begin = 0;
  const auto add = [&](const std::string& path, std::uint64_t size) {
    const auto name = timeline_name(path);
    files.push_back({path, name ? name->kind : "", begin});
    begin += size;
  };
  if (!is_group(source.path))
    add(source.path, source.size);
  else
    for (const GroupFile& file : files_of_group(source.path)) add(file.path, file.size);
  return files;
}

/// Adds one file's diagnostics, with offsets converted to group offsets. Files that are still open are not reported as
/// truncated.
void add_diagnostics(const Diagnostics& found, const TimelineFile& file, Diagnostics& to) {
  for (const Diagnostic& one : found.all()) {
    const std::uint64_t offset = one.offset == Diagnostic::kNoOffset ? one.offset : one.offset + file.begin;
    if (one.code == "truncated" && is_open_file(file.path))
      to.add("open-timeline", Severity::info, one.file, offset, one.example, one.count);
    else
      to.add(one.code, one.severity, one.file, offset, one.example, one.count);
  }
}

/// Describes the process. File names contain its rank, or its process id if it has no rank.
void describe(PendingRank& pending, const Writer& writer, const TimelineSurvey& survey) {
  describe_writer(pending, writer);
  if (writer.number && survey.process() && *survey.process() != *writer.number)
    pending.metadata["distributedInfo"] = "{\"rank\": " + std::to_string(*writer.number) + "}";
}

}  // namespace

Result<std::unique_ptr<FileContents>> read_timelines(const trace::SourceFile& source, const ReadOptions& options) {
  const std::vector<TimelineFile> files = files_of_source(source);
  const bool group = is_group(source.path);
  if (files.empty()) return Error{source.path, "no such files", "check the path"};
  auto text = std::make_unique<FileContents>();
  PendingRank& pending = text->pending;
  pending.file = source.path;

  TimelineSurvey survey;
  for (const TimelineFile& file : files) {
    survey.begin_file(file.kind);
    auto stream = open_byte_stream(file.path, options.cancel);
    if (!stream && !group) return stream.error();
    if (!stream) continue;
    Pass pass(**stream, 3);
    Diagnostics ignored;  // the second pass reports problems
    static_cast<void>(parse_trace_events(pass, survey, ignored, file.path, options.progress, options.cancel,
                                         options.limits, ArgumentCheck::all));
  }
  survey.finish();

  const Writer writer = writer_in_path(source.path);
  PhaseTracks tracks(std::to_string(survey.process().value_or(writer.number.value_or(0))));
  BatchJoiner joiner(pending, text->categories, options.most_slices);
  bool any = false;
  std::optional<Error> why_none;
  for (std::size_t i = 0; i < files.size() && !text->cancelled; ++i) {
    const TimelineFile& file = files[i];
    JoinedEvents joined(file.path, joiner, i, SliceFields::none);
    OpenOptions how;
    how.cancel = options.cancel;
    auto stream = open_byte_stream(file.path, how);
    if (!stream) {
      if (!group) return stream.error();
      // Discovery reports empty files.
      if (const auto stamp = stamp_at(file.path); !stamp || stamp->size > 0)
        joined.diagnostics().add("unreadable-file", Severity::error, file.path, Diagnostic::kNoOffset,
                                 stream.error().what);
      joined.join();
      continue;
    }
    TimelineTranslator translator(survey, i, file.kind, file.begin, tracks, joined);
    Diagnostics diagnostics;
    Pass pass(**stream, 3);
    const ParseOutcome outcome = parse_trace_events(pass, translator, diagnostics, file.path, options.progress,
                                                    options.cancel, options.limits, ArgumentCheck::all);
    if (const auto why = outcome.why_no_trace(file.path)) {
      if (group) diagnostics.add("not-a-trace", Severity::warning, file.path, Diagnostic::kNoOffset, why->what);
      if (!why_none) why_none = why;
    } else {
      any = true;
    }
    const auto report = [&](std::string_view code, const TimelineTranslator::Events& events) {
      if (events.count > 0)
        joined.diagnostics().add(code, Severity::warning, file.path, events.offset, events.name, events.count);
    };
    report("duration-of-days", translator.clamped());
    report("missing-field", translator.incomplete());
    add_diagnostics(diagnostics, file, joined.diagnostics());
    joined.join();
    text->text_bytes = file.begin + outcome.text_bytes;
    text->cancelled = outcome.cancelled;
  }
  joiner.finish();
  if (!any) text->no_trace = std::move(why_none);
  for (const auto& [track, label] : tracks.labels()) pending.thread_names[track] = label;
  if (group)
    for (const TimelineFile& file : files) pending.parts.push_back({file.path, file.begin});
  describe(pending, writer, survey);
  return text;
}

}  // namespace warpscope::ingest::pevents
