#include "core/ingest/formats/python_stats/python_stats.hpp"

#include <string>

#include "core/base/ascii.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/bytes/content_kind.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kStatsBlock = std::size_t{64} << 10;

bool starts_like_pyinstrument(std::string_view head) {
  return head.find("\"root_frame\"") != std::string_view::npos &&
         head.find("\"traceEvents\"") == std::string_view::npos;
}

Result<std::string> whole_text(const std::string& path, const CancelToken* cancel) {
  auto stream = open_byte_stream(path, {.cancel = cancel});
  if (!stream) return stream.error();
  std::string text;
  std::string block(kStatsBlock, '\0');
  for (;;) {
    const auto got = (*stream)->read(block);
    if (!got) return got.error();
    if (*got == 0) return text;
    text.append(block, 0, *got);
    if (text.size() > kLargestPythonStats) return Error{path, "larger than 32 MB", ""};
  }
}

}  // namespace

std::optional<NamedFile> PythonStatsFormat::look_at_name(std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  if (name != "python_stats" && name != "python_stats.json") return std::nullopt;
  const std::string folders = lower(path.substr(0, path.size() - name.size()));
  if (folders.find("/cprofile/") == std::string::npos && folders.find("/pyinstrument/") == std::string::npos)
    return std::nullopt;
  return NamedFile{};
}

bool PythonStatsFormat::sniff(const FileHead& head) const {
  return is_marshal_dictionary(head.text) || starts_like_pyinstrument(head.text) || look_at_name(head.path);
}

std::unique_ptr<TraceReader> PythonStatsFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                     std::function<void()> /*on_units*/) const {
  return data_reader([&source, &options](FileContents& contents) {
    contents.data.python = read_python_stats(source, contents.pending.diagnostics, options.cancel);
  });
}

std::shared_ptr<const trace::PythonStats> read_python_stats(const trace::SourceFile& file, Diagnostics& diagnostics,
                                                            const CancelToken* cancel) {
  const auto text = whole_text(file.path, cancel);
  if (!text) {
    diagnostics.add("python-stats-unreadable", Severity::warning, file.path, Diagnostic::kNoOffset, text.error().what);
    return nullptr;
  }
  auto stats = std::make_shared<trace::PythonStats>();
  stats->path = file.path;
  stats->size = file.size;
  const bool json = starts_like_pyinstrument(*text) || file.path.ends_with(".json");
  stats->profiler = json ? trace::PythonProfiler::pyinstrument : trace::PythonProfiler::cprofile;
  Diagnostics found;
  (json ? parse_pyinstrument : parse_cprofile)(*text, *stats, found);
  const bool damaged = !found.empty();
  diagnostics.merge(found);
  if (stats->functions.empty()) {
    if (!damaged) diagnostics.add("python-stats-empty", Severity::info, file.path, Diagnostic::kNoOffset, "");
    return nullptr;
  }
  describe_python_stats(*stats);
  return stats;
}

}  // namespace warpscope::ingest
