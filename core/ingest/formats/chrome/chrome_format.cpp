#include "core/ingest/formats/chrome/chrome_format.hpp"

#include <functional>
#include <string>
#include <utility>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/events/batch_joiner.hpp"
#include "core/ingest/events/event_collector.hpp"
#include "core/ingest/events/joined_events.hpp"
#include "core/ingest/formats/chrome/lanes.hpp"
#include "core/ingest/formats/chrome/profiler_start.hpp"
#include "core/ingest/formats/chrome/translator.hpp"
#include "core/ingest/formats/merged/merged_reader.hpp"
#include "core/ingest/formats/pevents/timeline_name.hpp"
#include "core/ingest/formats/trace_events/head_look.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest::chrome {

namespace {

/// XLA silently keeps only the earliest events, up to one of these counts.
bool is_cap(std::uint64_t slices) { return slices == 1'000'000 || slices == 5'000'000; }

/// Reads a Chrome trace in two passes. The first reads process and lane names, ids and flows, because they may follow
/// the events they refer to; the second reads the events and rewrites each as Kineto would have written it: kernels and
/// memcpys on device streams, launches, annotations, steps, counters. Single-threaded, because such files have at most
/// a few million events.
Result<std::unique_ptr<FileContents>> read_chrome_trace(const trace::SourceFile& source, const ReadOptions& options) {
  Failure failure;
  const auto look = [&](EventSink& sink, std::uint64_t sixths, std::function<bool()> enough) {
    auto stream = open_byte_stream(source.path, options.cancel);
    if (!stream) {
      failure = stream.error();
      return;
    }
    Diagnostics ignored;  // the last pass reports problems
    Pass pass(**stream, sixths, std::move(enough));
    static_cast<void>(parse_trace_events(pass, sink, ignored, source.path, options.progress, options.cancel,
                                         options.limits, ArgumentCheck::all));
  };
  Survey survey;
  look(survey, 3, [&] { return survey.of_pytorch(); });
  // A PyTorch trace not recognized from its start, because metadata events come first.
  if (!failure && survey.of_pytorch()) return merged::read_merged(source, options);
  survey.finish();
  auto ends = survey.take_launch_ends();
  const bool flows = !ends.empty();
  FlowLaunches launches(std::move(ends));
  if (!failure && flows) look(launches, 1, {});
  launches.finish();
  if (failure) return *failure;

  auto stream = open_byte_stream(source.path, options.cancel);
  if (!stream) return stream.error();
  auto text = std::make_unique<FileContents>();
  text->pending.file = source.path;
  BatchJoiner joiner(text->pending, text->categories, options.most_slices);
  JoinedEvents joined(text->pending.file, joiner, 0, SliceFields::none);
  Diagnostics diagnostics;
  Translator translator(survey, launches, joined, diagnostics, text->pending.file);
  Pass pass(**stream, flows ? 2 : 3);
  const ParseOutcome outcome = parse_trace_events(pass, translator, diagnostics, text->pending.file, options.progress,
                                                  options.cancel, options.limits, ArgumentCheck::all);
  if (survey.lanes().of_xla() && is_cap(survey.slices()))
    diagnostics.add("events-capped", Severity::warning, source.path, Diagnostic::kNoOffset,
                    "exactly " + std::to_string(survey.slices()) + " events");
  if (translator.dropped() > 0)
    diagnostics.add("repeated-lane", Severity::info, source.path, Diagnostic::kNoOffset, "Async XLA Ops",
                    translator.dropped());
  if (const auto start = profiler_start(source.path))
    start->describe(text->pending);
  else if (gathered_by_debugger(source.path))
    diagnostics.add("no-base-time", Severity::info, source.path, Diagnostic::kNoOffset, "no .metadata file");
  joined.diagnostics().merge(diagnostics);
  joined.join();
  joiner.finish();
  for (auto& [lane, label] : survey.lanes().labels()) text->pending.thread_names[lane] = label;
  record_outcome(outcome, source.path, *text);
  return text;
}

}  // namespace

}  // namespace warpscope::ingest::chrome

namespace warpscope::ingest {

bool ChromeFormat::sniff(const FileHead& head) const {
  const HeadLook look = look_at_head(head.text);
  return look.shape == ParseOutcome::Shape::trace && look.events > 0;
}

std::optional<Copy> ChromeFormat::copy_of(const FileHead& head) const {
  if (!head.path.ends_with("/perfetto_trace.json.gz")) return std::nullopt;
  return Copy{"copy-beside-trace", "duplicates the other trace written by JAX", true};
}

std::unique_ptr<TraceReader> ChromeFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                std::function<void()> /*on_units*/) const {
  return reader_of([&source, &options] { return chrome::read_chrome_trace(source, options); });
}

bool ChromeFormat::is_named(const EventText& event, std::string_view slice) const {
  if (TraceEventsFormat::is_named(event, slice)) return true;
  // The reader adds words to steps: "7" → "step 7", "train" with step_num 7 → "train step 7".
  const std::string* const name = event.find("name");
  if (name == nullptr) return false;
  const std::string* const step = event.find("args.step_num");
  return slice == "step " + *name || (step != nullptr && slice.starts_with(*name) && slice.ends_with(" " + *step));
}

}  // namespace warpscope::ingest
