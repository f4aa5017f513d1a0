#pragma once
// Reads one block of an archive: finds events by offset and returns their texts. Accepts any bytes: invalid input is an
// error and never allocates more memory than its size justifies.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/event_block.hpp"
#include "core/store/event_frame.hpp"

namespace warpscope::store {

class EventBlock {
 public:
  /// Opens the block `bytes`, whose first event is at `first_offset`. Copies what it needs. O(events + dictionaries).
  [[nodiscard]] static Result<EventBlock> open(std::span<const char> bytes, std::uint64_t first_offset);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(forms_of_events_.size()); }
  /// Offset of event i < size() in its source. Ascending.
  [[nodiscard]] std::uint64_t offset(std::uint32_t i) const { return offsets_[i]; }
  /// Finds the event at `offset`. O(log events).
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t offset) const;
  /// Returns the text of event i < size(); `facts` as given to the writer. O(numbers of the preceding events).
  [[nodiscard]] Result<std::string> text(std::uint32_t i, const EventFacts& facts) const;

  using FactsOf = std::function<EventFacts(std::uint64_t offset)>;
  using Visit = std::function<void(std::uint64_t offset, std::string_view text)>;
  /// Visits all events in order. O(length of the texts). Stops at the first corrupt one.
  [[nodiscard]] Failure for_each(const FactsOf& facts_of, const Visit& visit) const;

 private:
  struct Slot {
    std::uint64_t literal = 0;  // in skeletons_: text before the value
    std::uint32_t literal_size = 0;
    SlotKind kind = SlotKind::text;
    NumberFormat format;
    std::uint32_t column = 0;      // column of numbers; not for text
    std::uint32_t dictionary = 0;  // not for numbers
  };
  struct Skeleton {
    std::uint32_t first_slot = 0;
    std::uint32_t slots = 0;
    std::uint32_t numbers = 0;  // slots other than text
    std::uint64_t tail = 0;
    std::uint32_t tail_size = 0;
  };
  struct Form {
    std::uint32_t skeleton = 0;
    std::uint32_t place = 0;       // its first place
    std::uint32_t first_text = 0;  // in texts_
  };
  struct Column {
    Prediction prediction = Prediction::zero;
    FrameSizes sizes;
    std::size_t begin = 0;  // in stored_
  };
  class Walk;

  EventBlock() = default;
  bool read(std::span<const char> bytes, std::uint64_t first_offset);
  bool read_directory(std::span<const char> bytes);
  bool read_skeletons(std::uint64_t count);
  bool read_forms(std::uint64_t count);
  bool read_sequence();
  bool read_offsets(std::uint64_t first_offset);
  bool read_strings();
  bool unpack_frame(const Column& frame, UnpackedBytes& bytes) const;
  bool print(std::uint32_t event, const std::vector<std::uint64_t>& numbers, const EventFacts& facts,
             std::string& text) const;
  [[nodiscard]] static Error damaged();

  std::uint64_t event_count_ = 0;
  std::uint64_t skeleton_count_ = 0;
  std::uint64_t form_count_ = 0;
  std::vector<std::uint64_t> dictionaries_;  // first string of each dictionary; last, the total
  std::array<Column, 5> frames_;             // skeletons, forms, sequence, lengths, strings
  std::vector<Column> columns_;
  std::string stored_;  // all compressed frames

  UnpackedBytes skeleton_bytes_;
  std::vector<Slot> slots_;
  std::vector<Skeleton> skeletons_;
  std::vector<Form> forms_;
  std::vector<std::uint32_t> texts_;  // string ids of the forms
  std::uint32_t places_ = 0;
  std::vector<std::uint32_t> forms_of_events_;
  std::vector<std::uint64_t> offsets_;
  UnpackedBytes strings_;
  std::vector<std::uint64_t> ends_;  // ends of the concatenated strings
};

}  // namespace warpscope::store
