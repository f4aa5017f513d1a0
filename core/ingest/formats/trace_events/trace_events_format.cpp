#include "core/ingest/formats/trace_events/trace_events_format.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>

#include "core/base/file_group.hpp"
#include "core/ingest/build/metadata.hpp"
#include "core/ingest/bytes/file_name.hpp"
#include "core/ingest/format/recording_time.hpp"
#include "core/ingest/formats/trace_events/head_look.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest {

namespace {

/// Finds the time base in the last bytes of a file, because newer profilers write it after the events.
std::optional<std::int64_t> base_time_in(std::string_view tail) {
  constexpr std::string_view kKey = "\"baseTimeNanoseconds\"";
  const std::size_t at = tail.rfind(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  tail.remove_prefix(at + kKey.size());
  tail.remove_prefix(std::min(tail.size(), tail.find_first_not_of(" \t\r\n:\"")));
  std::int64_t base = 0;
  if (std::from_chars(tail.data(), tail.data() + tail.size(), base).ec != std::errc{}) return std::nullopt;
  return base;
}

}  // namespace

std::optional<FileSummary> TraceEventsFormat::summarize(const FileHead& head) const {
  const HeadLook look = look_at_head(head.text);
  Diagnostics ignored;  // a full read reports problems
  FileMetadata metadata;
  for (const auto& [key, json] : look.keys) add_metadata(metadata, key, json, ignored, std::string(head.path));
  if (!metadata.base_time) metadata.base_time = base_time_in(head.tail);
  const bool events = look.shape == ParseOutcome::Shape::trace;
  if (!events && !metadata.schema_version && metadata.devices.empty() && !metadata.rank) return std::nullopt;

  FileSummary summary;
  summary.rank = metadata.rank;
  summary.world_size = std::max<std::int64_t>(metadata.world_size.value_or(0), 0);
  if (look.has_key("deviceProperties")) summary.devices = metadata.devices.size();
  summary.device_backend = metadata.backend.find("ccl") != std::string::npos;  // NCCL, RCCL, oneCCL
  summary.distributed = summary.device_backend || summary.world_size > 1 || metadata.rank;
  summary.node = metadata.host;
  const auto host = host_in_file_name(std::filesystem::path(head.path).filename().string());
  if (summary.node.empty() && host && look.processes.contains(std::to_string(host->process))) summary.node = host->host;
  if (look.first) {
    const Ns begin = saturating_add(metadata.base_time.value_or(0), *look.first);
    if (plausible_time(begin))
      summary.begin = begin;
    else if (!metadata.base_time)
      summary.offset = look.first;
  }
  return summary;
}

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
