// Facts a listing derives from file names.
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/listing/debugger_files.hpp"
#include "core/ingest/listing/profile_listing_file.hpp"

namespace warpscope::ingest {

namespace {

bool named_like_a_trace(const std::string& folded) {
  constexpr std::array<std::string_view, 6> kEndings = {".json",     ".json.gz",  ".json.zst",
                                                        ".trace.gz", ".pt.trace", ".json.zstd"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return folded.ends_with(ending); });
}

bool take_name(ListedFile& file) {
  auto named = format_by_name(file.path);
  if (!named) return false;
  if (named->file.use == NamedFile::Use::ignore) return true;
  static_cast<FileSummary&>(file) = std::move(named->file);
  file.format = named->format;
  file.marks_end = named->file.marks_end;
  file.role = ListedRole::named;
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
  } else if (!take_name(file) && named_like_a_trace(folded)) {
    file.role = ListedRole::candidate;
    file.in_name = time_in_name(name);
  }
  return file;
}

}  // namespace warpscope::ingest
