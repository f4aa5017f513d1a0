#include "core/ingest/formats/pevents/pevents_format.hpp"

#include "core/base/file_group.hpp"
#include "core/ingest/formats/pevents/phase.hpp"
#include "core/ingest/formats/pevents/timeline_name.hpp"
#include "core/ingest/formats/pevents/timeline_reader.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::string_view kBaseMember = "\"start_time_since_epoch_in_micros\"";

/// Finds the base of a timeline.
class TimelineBase final : public EventSink {
 public:
  explicit TimelineBase(std::string_view text) {
    if (text.find(kBaseMember) != std::string_view::npos) look_at_events(text, *this);
  }
  void event(const RawEvent& event) override {
    if (!base) base = pevents::base_in(event);
  }

  std::optional<Ns> base;
};

}  // namespace

bool PeventsFormat::sniff(const FileHead& head) const {
  // Discovery groups only recognized files, but the first of them may be corrupt.
  return pevents::is_timeline_group(head.path) || TimelineBase(head.text).base.has_value();
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
