#pragma once
// Encodes event text so that zstd compresses it well. A program emits the same few events over and over with different
// numbers. An event's text with placeholders in place of its numbers is called a shape. A block stores each shape once.
// For each event, it stores the index of the shape, and for each number, the difference from the last number in the
// same context; most differences are 0 or 1. README.md (Events) specifies the bytes.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/time.hpp"
#include "core/store/byte_stream.hpp"
#include "core/trace/event_limit.hpp"

namespace warpscope::store {

/// Properties of an event that the caller already knows, so blocks do not store them. All start times of a source may
/// be shifted by a constant as long as the writer and the reader use the same constant.
struct EventFacts {
  Ns begin = 0;
  Ns duration = 0;
};

/// Size at which a block is complete. Reading one event unpacks its entire block.
inline constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
/// Maximum length of event text in a store: more than twice the maximum length of a readable event, because a corrupt
/// event may be stored together with the text that follows it.
inline constexpr std::size_t kLongestEventText = 2 * trace::kMostEventText + (std::size_t{1} << 20);

/// State of a block after any number of events; identical in the writer and the reader.
class EventHistory {
 protected:
  struct Shape {
    std::string_view text;
    std::vector<std::uint32_t> contexts;  // of its placeholders, in last_
    std::uint64_t stride = 0;             // distance from its last event to the next event
  };
  /// Adds a shape. `text` must outlive the shape.
  void add_shape(std::string_view text);
  void clear();

  static constexpr std::size_t kContexts = 4096;
  std::vector<Shape> shapes_;
  std::array<std::uint64_t, kContexts> last_{};
  std::size_t event_shape_ = 0;  // of the last event
  std::uint64_t offset_ = 0;     // of the last event
};

class EventBlockWriter : EventHistory {
 public:
  /// Adds the text of the event at `offset` in its source; any bytes are allowed. Events must be added in ascending
  /// order of offset. O(length).
  void add(std::uint64_t offset, std::string_view text, const EventFacts& facts);
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return stream_.bytes(); }
  [[nodiscard]] std::uint64_t first_offset() const { return first_offset_; }
  /// Starts a new block.
  void clear();

 private:
  void split(std::string_view text, const EventFacts& facts);
  std::size_t take_fact(std::string_view text, std::size_t at, const EventFacts& facts);
  std::size_t take_number(std::string_view text, std::size_t at, std::size_t end);
  void put(std::uint8_t code, std::uint64_t value);

  StreamWriter stream_;
  std::uint64_t first_offset_ = 0;
  std::unordered_map<std::string, std::size_t> numbers_;  // of the shapes
  std::string shape_;                                     // of the current event
  std::vector<std::uint64_t> values_;                     // of its placeholders
};

/// Reads a block event by event. Accepts arbitrary bytes.
class EventBlockReader : EventHistory {
 public:
  EventBlockReader(std::vector<std::uint8_t> bytes, std::uint64_t first_offset);
  EventBlockReader(const EventBlockReader&) = delete;
  EventBlockReader& operator=(const EventBlockReader&) = delete;

  /// Moves to the next event; the first call moves to the first event. Returns false at the end or if the block is
  /// corrupt.
  [[nodiscard]] bool next();
  [[nodiscard]] bool ok() const { return stream_.ok(); }
  /// Offset of the event in its source. Ascending.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// Returns the event's text. `facts` must equal those passed to the writer.
  [[nodiscard]] std::string text(const EventFacts& facts) const;

 private:
  std::vector<std::uint8_t> bytes_;
  StreamReader stream_;
  std::vector<std::uint64_t> values_;  // of the event's placeholders, and of earlier events with more of them
};

}  // namespace warpscope::store
