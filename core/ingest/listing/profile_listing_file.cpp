#include "core/ingest/listing/profile_listing_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/base/ascii.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/bytes/early_end.hpp"
#include "core/ingest/bytes/file_name.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/formats/trace_events/counter_mark.hpp"
#include "core/ingest/listing/job_documents.hpp"

namespace warpscope::ingest {

namespace {

/// Returns the number after `key` in `text`, optionally quoted, as decimal text.
std::string_view number_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = text.find_first_of("0123456789", at + key.size());
  if (begin == std::string_view::npos || begin > at + key.size() + 8) return {};
  std::size_t end = begin;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  return text.substr(begin, end - begin);
}

std::optional<Ns> seconds_of(std::string_view digits) {
  double seconds = 0;
  if (digits.empty() || std::from_chars(digits.data(), digits.data() + digits.size(), seconds).ec != std::errc{})
    return std::nullopt;
  if (seconds < 1e9 || seconds > 4.2e9) return std::nullopt;
  return static_cast<Ns>(std::llround(seconds * 1e6)) * 1000;
}

void look_at_metrics(ListedFile& file, std::string_view text) {
  file.begin = seconds_of(number_behind(text, "\"Timestamp\""));
  std::set<std::string> gpus;
  constexpr std::string_view kMark = "\"gpu";
  for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at + 1)) {
    const std::size_t digits = digits_at(text, at + kMark.size());
    if (digits > 0) gpus.emplace(text.substr(at + 1, kMark.size() - 1 + digits));
  }
  file.gpus.assign(gpus.begin(), gpus.end());
}

}  // namespace

void look_into(ListedFile& file) {
  file.role = ListedRole::nothing;
  const auto head = read_head(file.path);
  if (!head || is_counter_trace(*head)) return;
  if (looks_like_job_document(file.path, file.bytes, *head)) {
    file.role = ListedRole::description;
    return;
  }
  const TraceFormat& format = format_of(FileHead{file.path, *head});
  auto summary = format.summarize({file.path, *head});
  if (!summary) return;
  file.role = ListedRole::trace;
  file.format = format.name();
  summary->in_name = file.in_name;
  static_cast<FileSummary&>(file) = std::move(*summary);
  const std::filesystem::path path(file.path);
  if (!file.rank) file.rank = rank_in_file_name(path.filename().string());
  if (!file.rank && names_a_part(path.parent_path().filename().string()))
    file.rank = rank_in_file_name(path.parent_path().filename().string());
  if (const auto source = FileSource::open(file.path)) file.truncated = ends_too_early(*source, *head);
}

std::optional<Ns> begin_by_tail(const ListedFile& file, std::uint64_t most, const CancelToken* cancel) {
  const auto stream = open_byte_stream(file.path, cancel);
  if (!stream) return std::nullopt;
  std::string tail;
  if (const FileSource* plain = (*stream)->plain()) {
    const std::uint64_t size = plain->stamp().size;
    tail.resize(std::min<std::uint64_t>(kFormatTail, size));
    const auto got = plain->read_at(size - tail.size(), tail);
    tail.resize(got ? *got : 0);
  } else if (file.bytes <= most) {
    std::vector<char> block(kInputBlock);
    for (;;) {
      const auto got = (*stream)->read(block);
      if (!got) return std::nullopt;
      if (*got == 0) break;
      tail.append(block.data(), *got);
      if (tail.size() > kFormatTail) tail.erase(0, tail.size() - kFormatTail);
    }
  }
  const auto head = read_head(file.path);
  if (!head || tail.empty()) return std::nullopt;
  const auto summary = format_of(FileHead{file.path, *head}).summarize({file.path, *head, tail});
  return summary ? summary->begin : std::nullopt;
}

void look_at_begin(ListedFile& file) {
  const auto head = read_head(file.path);
  if (!head) return;
  if (file.role == ListedRole::metrics) look_at_metrics(file, *head);
  if (file.named_by == nullptr) return;
  if (const auto summary = file.named_by->summarize({file.path, *head})) file.begin = summary->begin;
}

}  // namespace warpscope::ingest
