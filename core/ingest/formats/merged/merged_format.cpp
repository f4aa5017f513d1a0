#include "core/ingest/formats/merged/merged_format.hpp"

#include <string>

#include "core/ingest/formats/merged/merged_reader.hpp"
#include "core/ingest/formats/trace_events/merged_layout.hpp"

namespace warpscope::ingest {

bool MergedFormat::sniff(const FileHead& head) const { return merged::layout_of(head.text) != merged::Layout::none; }

std::optional<Copy> MergedFormat::copy_of(const FileHead& head) const {
  constexpr std::string_view kStart = "merged-";
  constexpr std::string_view kEnd = ".trace.json.gz";
  std::string_view name = head.path.substr(head.path.rfind('/') + 1);
  if (!name.starts_with(kStart) || !name.ends_with(kEnd) || name.size() <= kStart.size() + kEnd.size() ||
      merged::layout_of(head.text, true) == merged::Layout::none)
    return std::nullopt;
  name = name.substr(kStart.size(), name.size() - kStart.size() - kEnd.size());
  return Copy{"merged-beside-traces", "merged by SGLang from the per-rank traces next to it", true,
              std::string(name) + "-"};
}

std::unique_ptr<TraceReader> MergedFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                std::function<void()> /*on_units*/) const {
  return reader_of([&source, &options] { return merged::read_merged(source, options); });
}

bool MergedFormat::is_named(const EventText& event, std::string_view slice) const {
  if (TraceEventsFormat::is_named(event, slice)) return true;
  const std::string* const name = event.find("name");
  const auto before = name == nullptr ? std::nullopt : merged::split_rank(*name);
  return before && before->rest == slice;
}

}  // namespace warpscope::ingest
