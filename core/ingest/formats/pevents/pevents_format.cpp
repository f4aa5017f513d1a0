#include "core/ingest/formats/pevents/pevents_format.hpp"

#include <algorithm>

#include "core/base/file_group.hpp"
#include "core/ingest/format/recording_time.hpp"
#include "core/ingest/formats/pevents/phase.hpp"
#include "core/ingest/formats/pevents/timeline_name.hpp"
#include "core/ingest/formats/pevents/timeline_reader.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::string_view kBaseMember = "\"start_time_since_epoch_in_micros\"";

/// The base of a timeline and the first time after it.
class TimelineHead final : public EventSink {
 public:
  explicit TimelineHead(std::string_view text) {
    if (text.find(kBaseMember) != std::string_view::npos) look_at_events(text, *this);
  }
  void event(const RawEvent& event) override {
    if (!base) base = pevents::base_in(event);
    if (base && event.phase != 'M' && event.has_time) {
      const Ns time = saturating_add(*base, event.time);
      first = std::min(first.value_or(time), time);
    }
  }

  std::optional<Ns> base;
  std::optional<Ns> first;
};

}  // namespace

bool PeventsFormat::sniff(const FileHead& head) const {
  // Discovery groups only recognized files, but the first of them may be corrupt.
  return pevents::is_timeline_group(head.path) || TimelineHead(head.text).base.has_value();
}

std::optional<FileSummary> PeventsFormat::summarize(const FileHead& head) const {
  const TimelineHead look(head.text);
  if (!look.base) return std::nullopt;
  FileSummary summary;
  summary.node = pevents::writer_in_path(head.path).host;
  const Ns begin = look.first.value_or(*look.base);
  if (plausible_time(begin)) summary.begin = begin;
  return summary;
}

std::optional<NamedFile> PeventsFormat::look_at_name(std::string_view path) const {
  const auto name = pevents::timeline_name(path);
  if (!name || (!name->time && !is_open_file(path))) return std::nullopt;
  const pevents::Writer writer = pevents::writer_of(name->writer);
  NamedFile file;
  file.node = writer.host;
  file.in_name = name->time;
  file.marks_end = true;
  return file;
}

std::optional<std::string> PeventsFormat::group_of(std::string_view path) const {
  const auto name = pevents::timeline_name(path);
  return name ? std::optional(pevents::group_of_writer(*name)) : std::nullopt;
}

std::unique_ptr<TraceReader> PeventsFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                 std::function<void()> /*on_units*/) const {
  return reader_of([&source, &options] { return pevents::read_timelines(source, options); });
}

bool PeventsFormat::is_named(const EventText& event, std::string_view slice) const {
  const auto value = [&](std::string_view path) {
    const std::string* const found = event.find(path);
    return found == nullptr ? std::string() : *found;
  };
  const std::string layer = value("args.layer_name");
  return event.repaired || pevents::slice_name(value("name"), layer.empty() ? value("args.name") : layer,
                                               value("args.step_num")) == slice;
}

}  // namespace warpscope::ingest
