#pragma once
// Shared by the parser tests: an in-memory stream that yields text in chosen portions, a sink that stores all events,
// and temporary files.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ingest/formats/trace_events/parse_events.hpp"
#include "tests/text.hpp"

namespace warpscope::tests {

/// Yields `text` in portions of at most portions[0], portions[1], … bytes (cyclically), then `error` or the end.
class MemoryStream final : public ingest::ByteStream {
 public:
  explicit MemoryStream(std::string_view text, std::vector<std::size_t> portions = {~std::size_t{0}})
      : text_(text), portions_(std::move(portions)) {}
  MemoryStream(std::string_view text, std::vector<std::size_t> portions, Error error)
      : text_(text), portions_(std::move(portions)), error_(std::move(error)) {}

  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t most = portions_[reads_++ % portions_.size()];
    const std::size_t size = std::min({into.size(), most, text_.size() - at_});
    if (size == 0 && error_) return *error_;
    std::memcpy(into.data(), text_.data() + at_, size);
    at_ += size;
    return size;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return at_; }
  [[nodiscard]] const ingest::FileStamp& stamp() const override { return stamp_; }

 private:
  std::string_view text_;
  std::vector<std::size_t> portions_;
  std::optional<Error> error_;
  std::size_t at_ = 0;
  std::size_t reads_ = 0;
  ingest::FileStamp stamp_;
};

/// A copy of a RawEvent that owns its strings.
struct KeptEvent {
  char phase = 0;
  std::optional<Ns> time;
  std::optional<Ns> duration;
  std::optional<std::int64_t> correlation;
  bool repaired = false;
  std::string name, category, process, thread, id, arguments;
  std::uint64_t offset = 0;

  friend bool operator==(const KeptEvent&, const KeptEvent&) = default;
};

struct Parsed : ingest::EventSink {
  std::vector<KeptEvent> events;
  std::vector<std::pair<std::string, std::string>> metadata_texts;
  Diagnostics diagnostics;
  ingest::ParseOutcome outcome;

  void event(const ingest::RawEvent& e) override {
    events.push_back({e.phase, e.has_time ? std::optional(e.time) : std::nullopt,
                      e.has_duration ? std::optional(e.duration) : std::nullopt,
                      e.has_correlation ? std::optional(e.correlation) : std::nullopt, e.repaired, std::string(e.name),
                      std::string(e.category), std::string(e.process), std::string(e.thread), std::string(e.id),
                      std::string(e.arguments), e.offset});
  }
  void metadata(std::string_view key, std::string_view json) override {
    metadata_texts.emplace_back(std::string(key), std::string(json));
  }
  [[nodiscard]] const std::string* metadata_of(std::string_view key) const {
    for (const auto& [name, json] : metadata_texts)
      if (name == key) return &json;
    return nullptr;
  }
  [[nodiscard]] std::size_t repaired() const {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [](const KeptEvent& each) { return each.repaired; }));
  }
};

inline Parsed parse_stream(ingest::ByteStream& stream, const ingest::ParseLimits& limits = {}) {
  Parsed parsed;
  parsed.outcome =
      ingest::parse_trace_events(stream, parsed, parsed.diagnostics, "test.json", nullptr, nullptr, limits);
  return parsed;
}

inline Parsed parse_text(std::string_view text, const ingest::ParseLimits& limits = {},
                         std::vector<std::size_t> portions = {~std::size_t{0}}) {
  MemoryStream stream(text, std::move(portions));
  return parse_stream(stream, limits);
}

/// Parses a document with a single event.
inline KeptEvent parse_event(const std::string& event) {
  const Parsed parsed = parse_text("{\"traceEvents\": [" + event + "]}");
  return parsed.events.size() == 1 ? parsed.events[0] : KeptEvent{};
}

/// A file that is deleted on destruction.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content, const std::string& suffix = ".json") {
    static std::atomic<int> counter{0};
    path_ = std::filesystem::temp_directory_path() /
            ("warpscope-test-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "-" +
             std::to_string(counter++) + suffix);
    write(content);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  void write(std::string_view content) const {
    std::ofstream(path_, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace warpscope::tests
