#include "core/ingest/formats/sagemaker/system_metrics_format.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/ingest/formats/sagemaker/metrics_file.hpp"
#include "core/ingest/formats/sagemaker/metrics_reader.hpp"

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
  return named ? !named->ignore : is_metrics_line(head.text);
}

std::optional<NamedFile> SystemMetricsFormat::look_at_name(std::string_view path) const {
  NamedFile file;
  file.code = "metrics-file-empty";
  if (smdebug::metrics_file_name(path) || !smdebug::node_of_group(path).empty()) return file;
  if (!smdebug::in_metrics_folder(path) && !is_renamed(path)) return std::nullopt;
  return NamedFile{true, "metrics-file-ignored", "not named EPOCH.algo-N.json"};
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
