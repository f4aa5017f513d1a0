#include "core/ingest/formats/trace_events/arguments.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/formats/trace_events/event_parser.hpp"
#include "core/ingest/formats/trace_events/repair.hpp"
#include "core/ingest/json/compact.hpp"
#include "core/ingest/json/scan.hpp"
#include "core/ingest/json/text.hpp"
#include "core/ingest/json/text_window.hpp"
#include "core/trace/event_limit.hpp"

namespace warpscope::ingest {
namespace {

using json::EventParser;
using json::RawField;
using json::Scan;
using json::TextWindow;

constexpr std::size_t kFirstRead = std::size_t{16} << 10;
constexpr std::size_t kReadOfSeveral = std::size_t{256} << 10;

/// The text of a plain file from `first` on; any part can be read without the text before it.
class PlainText final : public json::TextSource {
 public:
  PlainText(const FileSource& file, std::uint64_t first) : file_(file), first_(first) {}
  Result<std::size_t> read(std::uint64_t offset, std::span<char> into) override {
    return file_.read_at(first_ + offset, into);
  }

 private:
  const FileSource& file_;
  std::uint64_t first_;
};

/// Splits the valid object at `at` into its members.
std::vector<RawField> split_object(const char* at, const char* end) {
  std::vector<RawField> fields;
  for (at = json::skip_space(at + 1); at < end && *at == '"'; at = json::skip_space(at)) {
    const json::StringScan key = json::scan_string(at + 1, end);
    if (key.status != Scan::complete) break;
    const char* const colon = json::skip_space(key.close + 1);
    if (colon >= end || *colon != ':') break;
    const char* const value = json::skip_space(colon + 1);
    const json::ValueScan scan = json::scan_value(value, end);
    if (scan.status != Scan::complete) break;
    fields.push_back(
        {{at + 1, static_cast<std::size_t>(key.close - at - 1)}, {value, static_cast<std::size_t>(scan.next - value)}});
    at = json::skip_space(scan.next);
    if (at < end && *at == ',') at = json::skip_space(at + 1);
  }
  return fields;
}

std::string text_of(std::string_view raw) {
  json::Scratch scratch;
  json::Notes notes;
  return std::string(json::decode_string(raw, scratch, notes));
}

std::string value_text(std::string_view value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    return text_of(value.substr(1, value.size() - 2));
  if (value.starts_with('{') || value.starts_with('[')) return json::compact_json(value, json::Words::keep);
  return json::excerpt(value, std::numeric_limits<std::size_t>::max());
}

void append_rows(EventText& text, const std::vector<RawField>& fields, bool damaged) {
  for (const RawField& field : fields) {
    if (field.key != "args" || !field.value.starts_with('{')) {
      text.rows.push_back({text_of(field.key), value_text(field.value)});
      continue;
    }
    std::vector<RawField> arguments;
    json::Notes notes;
    if (damaged)
      json::split_damaged_object(field.value, arguments, notes);
    else
      arguments = split_object(field.value.data(), field.value.data() + field.value.size());
    for (const RawField& argument : arguments)
      text.rows.push_back({"args." + text_of(argument.key), value_text(argument.value)});
  }
}

EventText rows_of(const char* at, const char* next, bool repaired) {
  EventText text;
  text.repaired = repaired;
  std::vector<RawField> fields;
  json::Notes notes;
  if (repaired)
    (void)json::split_damaged_event({at, next, json::Bound::known}, fields, notes);
  else
    fields = split_object(at, next);
  append_rows(text, fields, repaired);
  return text;
}

}  // namespace

EventText event_text_of(std::string_view text, bool repaired) {
  if (!text.starts_with('{')) return {};
  std::string padded(text);
  padded.append(json::kPadding, '\0');
  return rows_of(padded.data(), padded.data() + text.size(), repaired);
}

Failure read_events_at(const trace::SourceFile& source, std::span<const std::uint64_t> offsets,
                       const std::function<void(std::size_t, const EventText&)>& visit, const CancelToken* cancel) {
  if (offsets.empty()) return {};
  OpenOptions options;
  options.cancel = cancel;
  options.expected = {source.size, source.modified_ns, source.inode};
  auto stream = open_byte_stream_at(source.path, offsets.front(), options);
  if (!stream.ok()) return stream.error();
  const FileSource* const plain = (*stream)->plain();
  std::unique_ptr<json::TextSource> text = std::make_unique<json::StreamSource>(**stream);
  if (plain != nullptr) text = std::make_unique<PlainText>(*plain, offsets.front());
  TextWindow window(*text, offsets.size() == 1 ? kFirstRead : kReadOfSeveral, trace::kMostEventText);
  const char* at = window.begin();
  EventParser parser;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Error nothing{source.path, "no event at byte " + std::to_string(offsets[i]), "reload it"};
    const Error stopped{source.path, "reading was cancelled", ""};
    const auto is_cancelled = [&] { return cancel != nullptr && cancel->cancelled(); };
    const std::uint64_t wanted = offsets[i] - offsets.front();  // the window starts there
    if (plain != nullptr && window.offset_of(window.end()) < wanted) (void)window.jump(wanted);
    while (window.offset_of(window.end()) <= wanted) {
      if (is_cancelled()) return stopped;
      if (window.final()) return window.failure() ? *window.failure() : nothing;
      at = window.end();
      (void)window.grow(at);
    }
    at = window.begin() + (wanted - window.offset_of(window.begin()));
    if (*at != '{') return nothing;
    for (;;) {
      if (is_cancelled()) return stopped;
      const EventParser::Outcome parsed = parser.parse(at, window.end(), window.final());
      if (parsed.status == EventParser::Status::complete) {
        visit(i, rows_of(at, parsed.next, parser.event().repaired));
        break;
      }
      if (parsed.status != EventParser::Status::need_more || window.final()) return nothing;
      if (window.grow(at) == TextWindow::Growth::too_long) return nothing;
    }
  }
  return {};
}

}  // namespace warpscope::ingest
