#include "core/ingest/formats/trace_events/arguments.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/formats/trace_events/event_parser.hpp"
#include "core/ingest/formats/trace_events/repair.hpp"
#include "core/ingest/formats/trace_events/trace_events_format.hpp"
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

/// The text of a plain file starting at `first`; any part can be read without reading the text before it.
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

std::string text_of(std::string_view raw) {
  json::Scratch scratch;
  json::Notes notes;
  return std::string(json::decode_string(raw, scratch, notes));
}

bool is_quoted(std::string_view value) { return value.size() >= 2 && value.front() == '"' && value.back() == '"'; }

std::string value_text(std::string_view value) {
  if (is_quoted(value)) return text_of(value.substr(1, value.size() - 2));
  if (value.starts_with('{') || value.starts_with('[')) return json::compact_json(value, json::Words::keep);
  return json::excerpt(value, std::numeric_limits<std::size_t>::max());
}

/// Converts event text to rows.
class RowReader {
 public:
  explicit RowReader(WantedRows wanted) : wanted_(wanted) {}

  /// Returns the rows of the event, valid until the next call.
  const EventText& read(const char* at, const char* next, bool repaired) {
    text_.rows.clear();
    text_.repaired = repaired;
    if (repaired)
      add_damaged(at, next);
    else
      (void)add_members(at, next, "");
    return text_;
  }
  [[nodiscard]] EventText take() { return std::move(text_); }

 private:
  static constexpr std::string_view kArguments = "args";
  static constexpr std::string_view kOfArguments = "args.";

  /// Adds the members of the valid object at `at`, in one pass. Returns the end of the object, or null if it has none.
  const char* add_members(const char* at, const char* end, std::string_view parent) {
    for (at = json::skip_space(at + 1); at < end && *at == '"'; at = json::skip_space(at)) {
      const json::StringScan scanned = json::scan_string(at + 1, end);
      if (scanned.status != Scan::complete) return nullptr;
      const std::string_view key(at + 1, static_cast<std::size_t>(scanned.close - at - 1));
      const char* const colon = json::skip_space(scanned.close + 1);
      if (colon >= end || *colon != ':') return nullptr;
      const char* const value = json::skip_space(colon + 1);
      const bool arguments = parent.empty() && key == kArguments && *value == '{';
      const char* next = arguments ? add_members(value, end, kOfArguments) : nullptr;
      if (next == nullptr) {
        const json::ValueScan scan = json::scan_value(value, end);
        if (scan.status != Scan::complete) return nullptr;
        next = scan.next;
        if (!arguments) add(parent, {key, {value, static_cast<std::size_t>(next - value)}});
      }
      at = json::skip_space(next);
      if (at < end && *at == ',') at = json::skip_space(at + 1);
    }
    return at < end && *at == '}' ? at + 1 : nullptr;
  }

  void add_damaged(const char* at, const char* next) {
    json::Notes notes;
    std::vector<RawField> fields;
    (void)json::split_damaged_event({at, next, json::Bound::known}, fields, notes);
    for (const RawField& field : fields) {
      if (field.key != kArguments || !field.value.starts_with('{')) {
        add("", field);
        continue;
      }
      std::vector<RawField> arguments;
      json::split_damaged_object(field.value, arguments, notes);
      for (const RawField& argument : arguments) add(kOfArguments, argument);
    }
  }

  void add(std::string_view parent, const RawField& field) {
    if (!is_wanted(parent, field.key)) return;
    text_.rows.push_back({std::string(parent) + text_of(field.key), value_text(field.value), is_quoted(field.value)});
  }

  [[nodiscard]] bool is_wanted(std::string_view parent, std::string_view raw) const {
    if (wanted_.empty()) return true;
    const bool plain = raw.find('\\') == std::string_view::npos;
    const std::string decoded = plain ? std::string() : text_of(raw);
    const std::string_view key = plain ? raw : decoded;
    return std::ranges::any_of(wanted_, [&](std::string_view path) {
      return path.size() == parent.size() + key.size() && path.ends_with(key) && path.starts_with(parent);
    });
  }

  WantedRows wanted_;
  EventText text_;
};

}  // namespace

EventText event_text_of(std::string_view text, bool repaired, WantedRows wanted) {
  if (!text.starts_with('{')) return {};
  std::string padded;
  padded.reserve(text.size() + json::kPadding);
  padded.append(text).append(json::kPadding, '\0');
  RowReader reader(wanted);
  reader.read(padded.data(), padded.data() + text.size(), repaired);
  return reader.take();
}

/// Reads plain files directly at the offsets. Decompresses other files once, from the start, so reading many events
/// costs little more than reading the last one. Sources whose size, modification time and inode are all 0 are not
/// compared with the file.
Failure TraceEventsFormat::read_events(const trace::SourceFile& source, std::span<const std::uint64_t> offsets,
                                       const std::function<void(std::size_t, const EventText&)>& visit,
                                       WantedRows wanted, const CancelToken* cancel) const {
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
  RowReader rows(wanted);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Error nothing{source.path, "no event at byte " + std::to_string(offsets[i]), "reload it"};
    const Error stopped{source.path, "reading was cancelled", ""};
    const auto is_cancelled = [&] { return cancel != nullptr && cancel->cancelled(); };
    const std::uint64_t position = offsets[i] - offsets.front();  // the window starts there
    if (plain != nullptr && window.offset_of(window.end()) < position) (void)window.jump(position);
    while (window.offset_of(window.end()) <= position) {
      if (is_cancelled()) return stopped;
      if (window.final()) return window.failure() ? *window.failure() : nothing;
      at = window.end();
      (void)window.grow(at);
    }
    at = window.begin() + (position - window.offset_of(window.begin()));
    if (*at != '{') return nothing;
    for (;;) {
      if (is_cancelled()) return stopped;
      const EventParser::Outcome parsed = parser.parse(at, window.end(), window.final());
      if (parsed.status == EventParser::Status::complete) {
        visit(i, rows.read(at, parsed.next, parser.event().repaired));
        break;
      }
      if (parsed.status != EventParser::Status::need_more || window.final()) return nothing;
      if (window.grow(at) == TextWindow::Growth::too_long) return nothing;
    }
  }
  return {};
}

}  // namespace warpscope::ingest
