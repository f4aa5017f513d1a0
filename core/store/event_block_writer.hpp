#pragma once
// Builds blocks of events: takes texts in file order and returns the bytes of each block.
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/byte_table.hpp"
#include "core/store/event_block.hpp"
#include "core/store/event_frame.hpp"
#include "core/store/event_values.hpp"

namespace warpscope::store {

class EventBlockWriter {
 public:
  /// `level`: zstd level.
  explicit EventBlockWriter(int level) : level_(level) {}

  /// `offset`: greater than that of the previous event. O(length).
  void add(std::uint64_t offset, std::string_view text, const EventFacts& facts);
  [[nodiscard]] std::uint32_t events() const { return static_cast<std::uint32_t>(forms_of_events_.size()); }
  [[nodiscard]] std::uint64_t first_offset() const { return first_offset_; }
  /// True if the block has reached its size.
  [[nodiscard]] bool full() const;
  /// Returns the bytes of the block and starts a new one. Keeps what it learned about the keys.
  [[nodiscard]] std::string finish();

 private:
  /// Differences under each prediction.
  struct Column {
    std::array<std::string, kPredictions> residuals;
    std::uint64_t previous = 0;
  };
  struct Key {
    DecimalForm form;
    bool form_known = false;
    bool loose = false;
    std::uint32_t number_column = kNoColumn;
    std::uint32_t id_column = kNoColumn;    // for ids of loose strings
    std::uint32_t text_column = kNoColumn;  // dictionary
    std::uint32_t uses = 0;                 // strings in this block
  };
  struct Number {
    std::uint32_t column = 0;
    std::uint64_t value = 0;
  };
  struct Text {
    std::uint32_t dictionary = 0;
    std::uint32_t id = 0;
  };
  static constexpr std::uint32_t kNoColumn = 0xFFFFFFFFu;

  Key& key_of(std::string_view name);
  std::uint32_t column(std::uint32_t& id);
  void add_number(Key& key, std::string_view name, const Decimal& number, const EventFacts& facts);
  void add_text(Key& key, std::string_view text);
  std::uint32_t form();
  void put(std::uint32_t form);
  void put_stride(std::uint64_t stride);
  void put(Column& column, PlaceState& place, std::uint64_t value);
  [[nodiscard]] std::string form_sequence() const;

  int level_;
  FramePacker packer_;
  ByteTable key_names_;
  std::vector<Key> keys_{1};  // the first is shared by all keys beyond the limit

  std::uint64_t first_offset_ = 0;
  std::uint64_t last_offset_ = 0;
  std::size_t last_length_ = 0;
  std::size_t number_count_ = 0;
  std::size_t dictionary_bytes_ = 0;
  ByteTable skeletons_;
  ByteTable forms_;
  std::string form_rows_;               // the serialized forms
  std::vector<RisingIds> next_texts_;   // per dictionary, in form_rows_
  std::deque<ByteTable> dictionaries_;  // of strings, one per key
  std::uint32_t dictionary_count_ = 0;
  std::deque<Column> columns_;  // first: distance to the next event
  std::uint32_t column_count_ = 0;
  std::vector<std::uint32_t> forms_of_events_;
  std::vector<std::size_t> places_of_forms_;  // start of each form's places
  std::vector<PlaceState> places_;

  std::vector<EventValue> values_;  // of the current event
  std::vector<Text> texts_;
  std::vector<Number> numbers_;
  std::string skeleton_;
  std::string form_;
};

}  // namespace warpscope::store
