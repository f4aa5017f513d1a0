#include "core/ingest/formats/chrome/chrome_format.hpp"

#include "core/ingest/formats/chrome/chrome_reader.hpp"
#include "core/ingest/formats/chrome/lanes.hpp"
#include "core/ingest/formats/trace_events/head_look.hpp"

namespace warpscope::ingest {

bool ChromeFormat::sniff(const FileHead& head) const {
  const HeadLook look = look_at_head(head.text);
  return look.shape == ParseOutcome::Shape::trace && look.events > 0;
}

std::optional<FileSummary> ChromeFormat::summarize(const FileHead& head) const {
  auto summary = TraceEventsFormat::summarize(head);
  if (!summary) return std::nullopt;
  std::size_t devices = 0;
  for (const auto& [process, name] : look_at_head(head.text).process_names) devices += chrome::device_in(name) ? 1 : 0;
  if (devices > 0) summary->devices = devices;
  return summary;
}

std::unique_ptr<TraceReader> ChromeFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                std::function<void()> /*on_units*/) const {
  return std::make_unique<chrome::ChromeReader>(source, options);
}

}  // namespace warpscope::ingest
