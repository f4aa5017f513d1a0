// Facts that a listing derives from file names.
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/base/file_group.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/formats/sagemaker/metrics_file.hpp"
#include "core/ingest/listing/debugger_files.hpp"
#include "core/ingest/listing/profile_listing_file.hpp"

namespace warpscope::ingest {

namespace {

bool named_like_a_trace(const std::string& folded) {
  constexpr std::array<std::string_view, 6> kEndings = {".json",     ".json.gz",  ".json.zst",
                                                        ".trace.gz", ".pt.trace", ".json.zstd"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return folded.ends_with(ending); });
}

// "905-algo-1" → "algo-1", "88359-host.example.com" → the host; a bare number identifies no node.
std::string node_of_writer(std::string_view writer) {
  const std::size_t digits = digits_at(writer, 0);
  if (digits == 0) return std::string(writer);
  return digits + 1 < writer.size() && writer[digits] == '-' ? std::string(writer.substr(digits + 1)) : std::string();
}

bool take_metrics_name(ListedFile& file) {
  auto name = smdebug::metrics_file_name(file.path);
  if (!name) return false;
  file.role = ListedRole::metrics;
  file.node = std::move(name->node);
  if (plausible_time(name->minute)) file.in_name = name->minute;
  return true;
}

bool take_timeline_name(ListedFile& file) {
  for (const TraceFormat* format : trace_formats()) {
    auto summary = format->summarize_name(file.path);
    if (!summary) continue;
    static_cast<FileSummary&>(file) = std::move(*summary);
    file.named_by = format;
    file.role = is_open_file(file.path) ? ListedRole::open_file : ListedRole::timeline;
    return true;
  }
  return false;
}

// WRITER_BEGIN_END.metadata; the name is its content.
bool take_span_name(ListedFile& file, std::string_view name) {
  if (!name.ends_with(".metadata")) return false;
  const std::size_t last = name.rfind('_');
  if (last == std::string_view::npos || last == 0) return false;
  const std::size_t first = name.rfind('_', last - 1);
  if (first == std::string_view::npos) return false;
  file.begin = time_of_digits(name.substr(first + 1, last - first - 1));
  file.node = node_of_writer(name.substr(0, first));
  file.role = file.begin ? ListedRole::span : ListedRole::nothing;
  return true;
}

}  // namespace

std::optional<Ns> time_in_name(std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t digits = digits_at(name, at);
    if (const auto time = digits > 0 ? time_of_digits(name.substr(at, digits)) : std::nullopt) return time;
    at += std::max<std::size_t>(digits, 1);
  }
  return std::nullopt;
}

bool names_a_part(std::string_view folder) {
  constexpr std::array<std::string_view, 8> kStems = {"rank",  "local_rank", "algo", "node",
                                                      "nodes", "worker",     "gpu",  "host"};
  const std::string folded = lower(folder);
  std::size_t digits = folded.size();
  while (digits > 0 && is_digit(folded[digits - 1])) --digits;
  if (digits == folded.size()) return false;
  std::string_view stem(folded.data(), digits);
  if (!stem.empty() && std::string_view("-_.").find(stem.back()) != std::string_view::npos) stem.remove_suffix(1);
  return std::ranges::find(kStems, stem) != kStems.end();
}

ListedFile file_by_name(const std::string& path) {
  ListedFile file;
  file.path = path;
  const std::size_t slash = path.rfind('/');
  const std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
  const std::string folded = lower(name);
  if (name == "training_job_end.ts") {
    file.role = ListedRole::end_marker;
  } else if (folded.ends_with(".wscope")) {
    file.role = ListedRole::converted;
  } else if (path.find("/profiler-reports/") != std::string::npos || name == "profiler-report.html" ||
             name == "profiler-report.ipynb") {
    file.role = ListedRole::report;
  } else if (in_sealed_folder(path) || is_sealed_file(path)) {
    file.role = ListedRole::sealed;
  } else if (take_metrics_name(file) || take_timeline_name(file) || take_span_name(file, name)) {
    return file;
  } else if (path.find("/detailed_profiling/") != std::string::npos) {
    constexpr std::string_view kEnding = ".trace.json.gz";
    if (!folded.ends_with(kEnding)) return file;
    file.role = ListedRole::timeline;
    file.node = name.substr(0, name.size() - kEnding.size());
  } else if (named_like_a_trace(folded)) {
    file.role = ListedRole::candidate;
    file.in_name = time_in_name(name);
  }
  return file;
}

}  // namespace warpscope::ingest
