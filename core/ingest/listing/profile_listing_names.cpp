// Facts that a listing derives from file names.
#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/ascii.hpp"
#include "core/ingest/formats/sagemaker/metrics_file.hpp"
#include "core/ingest/listing/profile_listing_file.hpp"

namespace warpscope::ingest {

namespace {

std::optional<Ns> time_of_digits(std::string_view digits) {
  Ns value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) return std::nullopt;
  const Ns unit = digits.size() == 10   ? 1'000'000'000
                  : digits.size() == 13 ? 1'000'000
                  : digits.size() == 16 ? 1'000
                  : digits.size() == 19 ? 1
                                        : 0;
  if (unit == 0 || value > kLatestRecording / unit) return std::nullopt;
  return plausible_time(value * unit) ? std::optional(value * unit) : std::nullopt;
}

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

// MICROSECONDS_WRITER[_…]_KIND.json
bool take_timeline_name(ListedFile& file, std::string_view name) {
  constexpr std::array<std::string_view, 4> kKinds = {"_pythontimeline.json", "_model_timeline.json",
                                                      "_horovod_timeline.json", "_smdataparallel_timeline.json"};
  const bool open = name.ends_with(".json.tmp");
  const std::string_view whole = open ? name.substr(0, name.size() - 4) : name;
  const auto kind = std::ranges::find_if(kKinds, [&](std::string_view one) { return whole.ends_with(one); });
  if (kind == kKinds.end()) return false;
  const std::size_t digits = digits_at(name, 0);
  if (digits < 16 && !open) return false;
  if (digits >= 16) {
    const std::string_view writer =
        whole.substr(digits + 1, whole.size() - std::min(whole.size(), digits + 1) - kind->size());
    file.node = node_of_writer(writer.substr(0, writer.find('_')));
    file.in_name = time_of_digits(name.substr(0, digits));
  } else {
    file.node = node_of_writer(whole.substr(0, whole.size() - kind->size()));
  }
  file.role = open ? ListedRole::open_file : ListedRole::timeline;
  return true;
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
  } else if (path.find("/DetailedProfilerProcessingJobConfig-") != std::string::npos) {
    file.role = ListedRole::sealed;
  } else if (take_metrics_name(file) || take_timeline_name(file, name) || take_span_name(file, name)) {
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
