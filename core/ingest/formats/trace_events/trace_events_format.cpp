#include "core/ingest/formats/trace_events/trace_events_format.hpp"

#include <string>

#include "core/base/file_group.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest {

std::optional<Copy> TraceEventsFormat::copy_of(const FileHead& head) const {
  if (!head.text.starts_with(kCounterMark)) return std::nullopt;
  return Copy{"counters-beside-traces", "computed from a trace by `warpscope counters`"};
}

std::optional<std::uint64_t> TraceEventsFormat::event_at(const std::string& source, std::string_view file,
                                                         std::uint64_t offset) const {
  if (file == source) return offset;
  for (const GroupFile& each : files_of_group(source)) {
    if (each.path == file) return offset;
    offset += each.size;
  }
  return std::nullopt;
}

}  // namespace warpscope::ingest
