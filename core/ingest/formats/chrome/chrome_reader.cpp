#include "core/ingest/formats/chrome/chrome_reader.hpp"

#include <algorithm>
#include <string>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/events/batch_joiner.hpp"
#include "core/ingest/events/event_collector.hpp"
#include "core/ingest/formats/chrome/translator.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest::chrome {

namespace {

constexpr std::uint64_t kPortion = 4096;  // events joined at a time

/// Collects events and joins them in portions.
class Joined final : public EventSink {
 public:
  Joined(const std::string& file, BatchJoiner& joiner) : joiner_(joiner), collector_(file) { collector_.fill(batch_); }
  void event(const RawEvent& event) override {
    collector_.event(event);
    if (batch_.events >= kPortion) join();
  }
  void metadata(std::string_view key, std::string_view json) override { collector_.metadata(key, json); }
  void join() {
    joiner_.join(0, batch_);
    batch_.clear();
  }
  [[nodiscard]] Diagnostics& diagnostics() { return batch_.diagnostics; }

 private:
  BatchJoiner& joiner_;
  EventCollector collector_;
  EventBatch batch_;
};

/// XLA keeps the earliest events up to one of these counts, without saying so.
bool is_cap(std::uint64_t slices) { return slices == 1'000'000 || slices == 5'000'000; }

}  // namespace

Result<std::unique_ptr<FileContents>> ChromeReader::read() {
  Failure failure;
  const auto look = [&](EventSink& sink) {
    auto stream = open_byte_stream(source_.path, options_.cancel);
    if (!stream) {
      failure = stream.error();
      return;
    }
    Diagnostics ignored;  // the last pass reports problems
    static_cast<void>(
        parse_trace_events(**stream, sink, ignored, source_.path, nullptr, options_.cancel, options_.limits));
  };
  Survey survey;
  look(survey);
  survey.finish();
  LaunchFlowEnds ends(survey);
  if (!failure && survey.has_launch_flows()) look(ends);
  FlowLaunches launches(ends.take());
  if (!failure && survey.has_launch_flows()) look(launches);
  launches.finish();
  if (failure) return *failure;

  OpenOptions how;
  how.cancel = options_.cancel;
  how.keep_checkpoints = options_.keep_checkpoints;
  auto stream = open_byte_stream(source_.path, how);
  if (!stream) return stream.error();
  auto text = std::make_unique<FileContents>();
  text->pending.file = source_.path;
  BatchJoiner joiner(text->pending, text->categories, options_.most_slices);
  Joined joined(text->pending.file, joiner);
  Translator translator(survey, launches, joined);
  Diagnostics diagnostics;
  const ParseOutcome outcome = parse_trace_events(**stream, translator, diagnostics, text->pending.file,
                                                  options_.progress, options_.cancel, options_.limits);
  if (survey.lanes().of_xla() && is_cap(survey.slices()))
    diagnostics.add("events-capped", Severity::warning, source_.path, Diagnostic::kNoOffset,
                    "exactly " + std::to_string(survey.slices()) + " events");
  if (translator.dropped() > 0)
    diagnostics.add("repeated-lane", Severity::info, source_.path, Diagnostic::kNoOffset, "Async XLA Ops",
                    translator.dropped());
  joined.diagnostics().merge(diagnostics);
  joined.join();
  joiner.finish();
  for (auto& [lane, label] : survey.lanes().labels()) text->pending.thread_names[lane] = label;
  text->text_bytes = outcome.text_bytes;
  text->cancelled = outcome.cancelled;
  text->no_trace = outcome.why_no_trace(source_.path);
  text->damaged = std::ranges::any_of((*stream)->damage(), [](const InputDamage& each) { return !each.cut_off; });
  text->checkpoints = (*stream)->checkpoints();
  return text;
}

}  // namespace warpscope::ingest::chrome
