#include "tests/bench/floor.hpp"

#include <simdjson.h>
#include <time.h>

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/bytes/content_kind.hpp"
#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::bench {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kEventsKey = "\"traceEvents\"";
constexpr std::string_view kDocumentHead = "{\"traceEvents\":[";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Measures CPU time of one thread and wall time while it runs.
class Stopwatch {
 public:
  void start() {
    wall_ = std::chrono::steady_clock::now();
    cpu_ = thread_seconds();
  }
  void stop(FloorFigures& figures) const {
    figures.cpu_seconds += thread_seconds() - cpu_;
    figures.wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
  }

 private:
  static double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  std::chrono::steady_clock::time_point wall_;
  double cpu_ = 0;
};

// Text of one file. Reading a plain file counts towards the floor; inflating a compressed one does not.
class Text {
 public:
  static Result<Text> open(const std::string& path) {
    Text text;
    auto source = ingest::FileSource::open(path);
    if (!source) return source.error();
    std::array<char, 512> head{};
    const auto got = source->read_at(0, head);
    if (!got) return got.error();
    if (ingest::content_kind({head.data(), *got}) == ingest::ContentKind::text) {
      text.plain_.emplace(std::move(*source));
      return text;
    }
    auto stream = ingest::open_byte_stream(path);
    if (!stream) return stream.error();
    text.stream_ = std::move(*stream);
    return text;
  }

  /// Fills `into`, except at the end of the text.
  Result<std::size_t> read(std::span<char> into, Stopwatch& watch, FloorFigures& figures) {
    if (plain_) watch.start();
    std::size_t done = 0;
    while (done < into.size()) {
      const auto got = plain_ ? plain_->read_at(offset_, into.subspan(done)) : stream_->read(into.subspan(done));
      if (!got) return got.error();
      if (*got == 0) break;
      done += *got;
      offset_ += *got;
    }
    if (plain_) watch.stop(figures);
    return done;
  }

 private:
  std::optional<ingest::FileSource> plain_;
  std::unique_ptr<ingest::ByteStream> stream_;
  std::uint64_t offset_ = 0;
};

// One of the seven fields, identified by its key. Reads only the first two bytes where they suffice.
enum class Field { ph, cat, name, pid, tid, ts, dur, other };

Field field_of(const char* key) {
  const auto is = [key](std::string_view wanted) {
    return std::memcmp(key, wanted.data(), wanted.size()) == 0 && key[wanted.size()] == '"';
  };
  switch (key[0]) {
    case 'p':
      return is("ph") ? Field::ph : is("pid") ? Field::pid : Field::other;
    case 'c':
      return is("cat") ? Field::cat : Field::other;
    case 'n':
      return is("name") ? Field::name : Field::other;
    case 't':
      return is("ts") ? Field::ts : is("tid") ? Field::tid : Field::other;
    case 'd':
      return is("dur") ? Field::dur : Field::other;
    default:
      return Field::other;
  }
}

// Results of the pass, summed up so that the compiler cannot remove it.
struct Sums {
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
};

simdjson::error_code pass_event(ondemand::object event, Sums& sums) {
  int left = 7;
  for (auto member : event) {
    ondemand::field field;
    if (const auto error = std::move(member).get(field)) return error;
    const Field which = field_of(field.key().raw());
    if (which == Field::other) continue;
    sums.bytes += field.value().raw_json_token().size();
    if (--left == 0) break;
  }
  ++sums.events;
  return simdjson::SUCCESS;
}

simdjson::error_code pass_events(simdjson::simdjson_result<ondemand::array> found, Sums& sums) {
  ondemand::array events;
  if (const auto error = std::move(found).get(events)) return error;
  for (auto item : events) {
    ondemand::object event;
    if (const auto error = item.get_object().get(event)) return error;
    if (const auto error = pass_event(event, sums)) return error;
  }
  return simdjson::SUCCESS;
}

class Pass {
 public:
  Pass(std::string path, Text text, std::size_t piece)
      : path_(std::move(path)), text_(std::move(text)), buffer_(kFront + piece + simdjson::SIMDJSON_PADDING) {}

  Failure run(FloorFigures& figures) {
    if (Failure failure = find_events(figures)) return failure;
    while (!ended_) {
      watch_.start();
      const std::size_t comma = last_event_comma({begin(), size_});
      const bool found = comma != std::string_view::npos;
      if (found) {
        begin()[-1] = '[';
        begin()[comma] = ']';
        if (const auto error = parse(1, comma + 1, false)) return damaged(error);
        size_ -= comma + 1;
        std::memmove(begin(), begin() + comma + 1, size_);
      }
      watch_.stop(figures);
      if (!found) buffer_.resize(2 * buffer_.size());
      if (Failure failure = fill(figures)) return failure;
    }
    watch_.start();
    const std::size_t head = bare_ ? 1 : kDocumentHead.size();
    std::memcpy(begin() - head, kDocumentHead.data() + kDocumentHead.size() - head, head);
    while (size_ > 0 && is_space(begin()[size_ - 1])) --size_;
    if (const auto error = parse(head, size_, !bare_)) return damaged(error);
    watch_.stop(figures);
    figures.events += sums_.events;
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kFront = 64;
  char* begin() { return buffer_.data() + kFront; }

  Failure fill(FloorFigures& figures) {
    const std::size_t room = buffer_.size() - kFront - simdjson::SIMDJSON_PADDING - size_;
    const auto got = text_.read({begin() + size_, room}, watch_, figures);
    if (!got) return got.error();
    size_ += *got;
    figures.text_bytes += *got;
    ended_ = *got < room;
    return std::nullopt;
  }

  // Moves the array's first event to the front of the buffer.
  Failure find_events(FloorFigures& figures) {
    for (;;) {
      if (Failure failure = fill(figures)) return failure;
      const std::string_view text(begin(), size_);
      std::size_t at = 0;
      const auto skip_spaces = [&] {
        while (at < text.size() && is_space(text[at])) ++at;
      };
      skip_spaces();
      bare_ = at < text.size() && text[at] == '[';
      if (!bare_) {
        at = text.find(kEventsKey);
        if (at != std::string_view::npos) {
          at += kEventsKey.size();
          skip_spaces();
          if (at < text.size() && text[at] == ':') ++at;
          skip_spaces();
        }
      }
      if (at < text.size() && text[at] == '[') {
        size_ -= at + 1;
        std::memmove(begin(), begin() + at + 1, size_);
        return ended_ ? std::nullopt : fill(figures);
      }
      if (ended_) return Error{path_, "no floor: there are no traceEvents", ""};
      buffer_.resize(2 * buffer_.size());
    }
  }

  // Parses `size` bytes of text, preceded by `head`: an array of events, or an object with one.
  simdjson::error_code parse(std::size_t head, std::size_t size, bool object) {
    const char* from = begin() - head;
    const auto capacity = static_cast<std::size_t>(buffer_.data() + buffer_.size() - from);
    ondemand::document document;
    if (const auto error = parser_.iterate(simdjson::padded_string_view(from, head + size, capacity)).get(document))
      return error;
    if (!object) return pass_events(document.get_array(), sums_);
    return pass_events(document["traceEvents"].get_array(), sums_);
  }

  [[nodiscard]] Error damaged(simdjson::error_code error) const {
    return {path_, std::string("no floor, simdjson says: ") + simdjson::error_message(error), ""};
  }

  std::string path_;
  Text text_;
  std::vector<char> buffer_;
  std::size_t size_ = 0;
  bool ended_ = false;
  bool bare_ = false;
  ondemand::parser parser_;
  Sums sums_;
  Stopwatch watch_;
};

Failure pass_file(const std::string& path, std::size_t piece, FloorFigures& figures) {
  auto text = Text::open(path);
  if (!text) return text.error();
  return Pass(path, std::move(*text), piece).run(figures);
}

bool begins_event(std::string_view text) {
  constexpr std::array<std::string_view, 7> kKeys{"ph", "cat", "name", "pid", "tid", "ts", "dur"};
  std::size_t at = 1;
  while (at < text.size() && is_space(text[at])) ++at;
  if (at >= text.size() || text[at] != '"') return false;
  for (const std::string_view key : kKeys) {
    if (text.substr(at + 1).starts_with(key) && text.substr(at + 1 + key.size()).starts_with('"')) return true;
  }
  return false;
}

}  // namespace

std::size_t last_event_comma(std::string_view text) {
  for (std::size_t brace = text.rfind('{'); brace != std::string_view::npos && brace > 0;
       brace = text.rfind('{', brace - 1)) {
    std::size_t at = brace;
    while (at > 0 && is_space(text[at - 1])) --at;
    if (at == 0 || text[at - 1] != ',') continue;
    const std::size_t comma = --at;
    while (at > 0 && is_space(text[at - 1])) --at;
    if (at > 0 && text[at - 1] == '}' && begins_event(text.substr(brace))) return comma;
  }
  return std::string_view::npos;
}

Result<FloorFigures> measure_floor(const std::string& path, std::size_t piece) {
  namespace fs = std::filesystem;
  FloorFigures figures;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (const Failure failure = pass_file(path, piece, figures)) return *failure;
    return figures;
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, error)) {
    if (!entry.is_regular_file(error)) continue;
    if (const Failure failure = pass_file(entry.path().string(), piece, figures)) return *failure;
  }
  if (error) return Error{path, error.message(), ""};
  return figures;
}

}  // namespace warpscope::bench
