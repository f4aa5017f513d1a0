#include "core/ingest/formats/sagemaker/system_metrics_format.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "core/ingest/format/recording_time.hpp"
#include "core/ingest/formats/sagemaker/metrics_file.hpp"
#include "core/ingest/formats/sagemaker/metrics_reader.hpp"
#include "core/ingest/formats/sagemaker/metrics_text.hpp"

namespace warpscope::ingest {

namespace {

/// True for a renamed metrics file: EPOCH.algo-N.json with a suffix.
bool is_renamed(std::string_view path) {
  constexpr std::string_view kJson = ".json";
  const std::size_t json = path.rfind(kJson);
  return json != std::string_view::npos && smdebug::metrics_file_name(path.substr(0, json + kJson.size()));
}

/// True for text that starts with a line of system metrics.
bool is_metrics_line(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with('{') && std::ranges::all_of(std::array{R"("Dimension")", R"("NodeId")", R"("Timestamp")"},
                                                      [&](const char* key) { return line.find(key) != line.npos; });
}

}  // namespace

bool SystemMetricsFormat::sniff(const FileHead& head) const {
  const auto named = look_at_name(head.path);
  return named ? named->use == NamedFile::Use::take : is_metrics_line(head.text);
}

std::optional<FileSummary> SystemMetricsFormat::summarize(const FileHead& head) const {
  const std::string path(head.path);
  smdebug::MetricNames names;
  smdebug::MetricsText text(names, path);
  text.push(head.text);
  FileSummary summary;
  std::set<std::string> gpus;
  for (const smdebug::MetricsPart::Column& column : text.finish().columns) {
    const Ns begin = column.times.front();
    if (plausible_time(begin) && (!summary.begin || begin < *summary.begin)) summary.begin = begin;
    for (const std::uint32_t series : column.series)
      if (const auto name = names[series]; name.type == "gpu") gpus.insert(name.name);
  }
  if (!gpus.empty()) summary.devices = gpus.size();
  return summary;
}

std::optional<NamedFile> SystemMetricsFormat::look_at_name(std::string_view path) const {
  NamedFile file;
  file.use = NamedFile::Use::take;
  file.marks_end = true;
  file.code = "metrics-file-empty";
  if (const auto name = smdebug::metrics_file_name(path)) {
    file.node = name->node;
    if (plausible_time(name->minute)) file.in_name = name->minute;
  } else if (std::string node = smdebug::node_of_group(path); !node.empty()) {
    file.node = std::move(node);
  } else if (smdebug::in_metrics_folder(path) || is_renamed(path)) {
    file.use = NamedFile::Use::ignore;
    file.code = "metrics-file-ignored";
    file.why = "not named EPOCH.algo-N.json";
  } else {
    return std::nullopt;
  }
  return file;
}

std::optional<std::string> SystemMetricsFormat::group_of(std::string_view path) const {
  const auto name = smdebug::metrics_file_name(path);
  return name ? std::optional(smdebug::group_of_metrics(path, name->node)) : std::nullopt;
}

std::unique_ptr<TraceReader> SystemMetricsFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                       std::function<void()> on_units) const {
  return std::make_unique<smdebug::MetricsReader>(source, options, std::move(on_units));
}

}  // namespace warpscope::ingest
