#include "core/ingest/formats/format_list.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/file_group.hpp"
#include "core/ingest/formats/chrome/chrome_format.hpp"
#include "core/ingest/formats/kineto/kineto_format.hpp"
#include "core/ingest/formats/memory_timeline/memory_timeline.hpp"
#include "core/ingest/formats/merged/merged_format.hpp"
#include "core/ingest/formats/pevents/pevents_format.hpp"
#include "core/ingest/formats/python_stats/python_stats.hpp"
#include "core/ingest/formats/sagemaker/system_metrics_format.hpp"

namespace warpscope::ingest {

namespace {

template <class Format>
const TraceFormat* shared() {
  static const Format format;
  return &format;
}

}  // namespace

std::span<const TraceFormat* const> trace_formats() {
  static const std::array all{
      shared<KinetoFormat>(),      shared<MergedFormat>(),        shared<PeventsFormat>(),
      shared<ChromeFormat>(),      shared<SystemMetricsFormat>(), shared<MemoryTimelineFormat>(),
      shared<PythonStatsFormat>(),
  };
  return all;
}

std::optional<NamedFormat> format_by_name(std::string_view path) {
  for (const TraceFormat* format : trace_formats())
    if (auto file = format->look_at_name(path)) return NamedFormat{format, std::move(*file)};
  return std::nullopt;
}

bool is_recognized(const FileHead& head) {
  return std::ranges::any_of(trace_formats(), [&](const TraceFormat* format) { return format->sniff(head); });
}

const TraceFormat& format_of(const FileHead& head) {
  const auto formats = trace_formats();
  const auto found = std::ranges::find_if(formats, [&](const TraceFormat* format) { return format->sniff(head); });
  return found == formats.end() ? *formats.front() : **found;
}

const TraceFormat& format_of(const std::string& path) {
  const auto named = format_by_name(path);
  if (named && !named->file.ignore) return *named->format;
  const auto head = read_head(path);
  return format_of(FileHead{path, head ? std::string_view(*head) : std::string_view()});
}

bool is_pytorch(const TraceFormat& format) {
  return &format == trace_formats().front() || &format == shared<MergedFormat>();
}

const TraceFormat& format_of(const trace::Rank& rank) {
  if (!label_in_merged(rank.source.path).empty()) return *shared<MergedFormat>();
  const auto formats = trace_formats();
  const auto named = rank.properties.find(std::string(kFormatProperty));
  if (named == rank.properties.end()) return *formats.front();
  const auto found = std::ranges::find_if(
      formats, [&](const TraceFormat* format) { return named->second == '"' + std::string(format->name()) + '"'; });
  return found == formats.end() ? *formats.front() : **found;
}

std::optional<std::string> group_of(std::string_view path) {
  for (const TraceFormat* format : trace_formats())
    if (auto group = format->group_of(path)) return group;
  return std::nullopt;
}

std::optional<Copy> copy_of(const FileHead& head) {
  for (const TraceFormat* format : trace_formats())
    if (const auto copy = format->copy_of(head)) return copy;
  return std::nullopt;
}

}  // namespace warpscope::ingest
