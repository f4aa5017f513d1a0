#include "core/ingest/profile_listing_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include "core/base/ascii.hpp"
#include "core/ingest/byte_stream.hpp"
#include "core/ingest/file_name.hpp"
#include "core/ingest/job_documents.hpp"
#include "core/ingest/kineto/metadata.hpp"
#include "core/ingest/kineto/parse_kineto.hpp"
#include "core/ingest/text_stream.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kHead = std::size_t{32} << 10;  // of text, looked at
constexpr std::size_t kTail = 512;
constexpr std::uint64_t kHighestRatio = 1032;  // of deflate

/// What the begin of a trace tells.
class HeadSink final : public EventSink {
 public:
  void event(const RawEvent& event) override {
    if (event.phase == 'X' || event.phase == 'B' || event.phase == 'E' || event.phase == 'i') {
      if (event.has_time) first = std::min(first.value_or(event.time), event.time);
    }
    if (event.phase != 0) ++events;
    if (processes.size() < 16 && !event.process.empty()) processes.emplace(event.process);
  }
  void metadata(std::string_view key, std::string_view json) override { keys.emplace_back(key, json); }

  std::size_t events = 0;
  std::optional<Ns> first;
  std::set<std::string, std::less<>> processes;
  std::vector<std::pair<std::string, std::string>> keys;
};

struct Head {
  std::string text;
  const FileSource* plain = nullptr;
  std::unique_ptr<ByteStream> stream;
};

std::optional<Head> read_head(const std::string& path) {
  auto stream = open_byte_stream(path);
  if (!stream) return std::nullopt;
  Head head;
  head.text.resize(kHead);
  std::size_t filled = 0;
  while (filled < kHead) {
    const auto got = (*stream)->read(std::span(head.text).subspan(filled));
    if (!got || *got == 0) break;
    filled += *got;
  }
  head.text.resize(filled);
  head.plain = (*stream)->plain();
  head.stream = std::move(*stream);
  return head;
}

std::string_view without_blanks_at_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n\0");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

// Only what is certain: a whole object ends in a brace, and no deflated text is more than 1032 times its file.
bool ends_too_early(const std::string& path, const Head& head, std::uint64_t bytes) {
  const std::size_t first = head.text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  std::array<char, kTail> tail{};
  const auto read_tail = [&](const FileSource& file) {
    const std::size_t size = std::min<std::uint64_t>(kTail, bytes);
    const auto got = file.read_at(bytes - size, std::span(tail).first(size));
    return got ? std::string_view(tail.data(), *got) : std::string_view();
  };
  if (head.plain != nullptr) {
    if (first == std::string::npos || head.text[first] != '{') return false;  // bare arrays need no end
    const std::string_view end = without_blanks_at_end(read_tail(*head.plain));
    return !end.empty() && end.back() != '}';
  }
  const auto file = FileSource::open(path);
  if (!file || bytes < 18) return false;
  std::array<char, 2> magic{};
  const auto got = file->read_at(0, magic);
  if (!got || *got < 2 || magic[0] != '\x1F' || magic[1] != '\x8B') return false;
  const std::string_view end = read_tail(*file);
  if (end.size() < 4) return false;
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length |= std::uint64_t{static_cast<unsigned char>(end[end.size() - 4 + i])} << (8 * i);
  return length > bytes * kHighestRatio;
}

/// The number behind `key` in `text`, which may be quoted; as decimal text.
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

void look_at_timeline(ListedFile& file, std::string_view text) {
  const std::string_view base = number_behind(text, "\"start_time_since_epoch_in_micros\"");
  Ns micros = 0;
  if (base.empty() || std::from_chars(base.data(), base.data() + base.size(), micros).ec != std::errc{}) return;
  TextStream stream(text);
  HeadSink sink;
  Diagnostics ignored;
  static_cast<void>(parse_kineto(stream, sink, ignored, ""));
  const Ns begin = micros * 1000 + sink.first.value_or(0);
  if (plausible_time(begin)) file.begin = begin;
}

}  // namespace

void look_into(ListedFile& file) {
  file.role = ListedRole::nothing;
  const auto head = read_head(file.path);
  if (!head) return;
  if (looks_like_job_document(file.path, file.bytes, head->text)) {
    file.role = ListedRole::description;
    return;
  }
  TextStream stream(head->text);
  HeadSink sink;
  Diagnostics ignored;  // whoever reads the whole file tells what is odd in it
  const ParseOutcome outcome = parse_kineto(stream, sink, ignored, file.path);
  FileMetadata metadata;
  for (const auto& [key, json] : sink.keys) add_metadata(metadata, key, json, ignored, file.path);
  const bool events = outcome.shape == ParseOutcome::Shape::trace;
  if (!events && !metadata.schema_version && metadata.devices.empty() && !metadata.rank) return;
  file.role = ListedRole::trace;

  const std::filesystem::path path(file.path);
  const std::string name = path.filename().string();
  file.rank = metadata.rank ? metadata.rank : rank_in_file_name(name);
  if (!file.rank && names_a_part(path.parent_path().filename().string()))
    file.rank = rank_in_file_name(path.parent_path().filename().string());
  file.world_size = std::max<std::int64_t>(metadata.world_size.value_or(0), 0);
  file.devices = metadata.devices.size();
  file.node = metadata.host;
  if (const auto host = host_in_file_name(name);
      file.node.empty() && host && sink.processes.contains(std::to_string(host->process)))
    file.node = host->host;
  if (sink.first) {
    const Ns begin = metadata.base_time.value_or(0) + *sink.first;
    if (plausible_time(begin)) file.begin = begin;
  }
  file.truncated = ends_too_early(file.path, *head, file.bytes);
}

void look_at_begin(ListedFile& file) {
  const auto head = read_head(file.path);
  if (!head) return;
  if (file.role == ListedRole::metrics) look_at_metrics(file, head->text);
  if (file.role == ListedRole::timeline || file.role == ListedRole::open_file) look_at_timeline(file, head->text);
}

}  // namespace warpscope::ingest
