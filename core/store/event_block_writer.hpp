#pragma once
// Makes a block of events: takes texts in file order and gives the bytes of the block.
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
  /// `level`: of zstd.
  explicit EventBlockWriter(int level) : level_(level) {}

  /// `offset`: greater than that of the event before. O(length).
  void add(std::uint64_t offset, std::string_view text, const EventFacts& facts);
  [[nodiscard]] std::uint32_t events() const { return static_cast<std::uint32_t>(forms_of_events_.size()); }
  [[nodiscard]] std::uint64_t first_offset() const { return first_offset_; }
  /// The block is as long as it should be.
  [[nodiscard]] bool full() const;
  /// The bytes of the block; then begins a new one. What was learned of the keys stays.
  [[nodiscard]] std::string finish();

 private:
  /// Numbers under each prediction.
  struct Column {
    std::array<std::string, kPredictions> residuals;
    std::uint64_t previous = 0;
  };
  struct Key {
    DecimalForm form;
    bool form_known = false;
    bool loose = false;
    std::uint32_t number_column = kNoColumn;
    std::uint32_t id_column = kNoColumn;    // numbers of loose strings
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
  std::vector<Key> keys_{1};  // the first stands for all names beyond the limit

  std::uint64_t first_offset_ = 0;
  std::uint64_t last_offset_ = 0;
  std::size_t last_length_ = 0;
  std::size_t number_count_ = 0;
  std::size_t dictionary_bytes_ = 0;
  ByteTable skeletons_;
  ByteTable forms_;
  std::string form_rows_;               // the forms as they are written
  std::vector<RisingIds> next_texts_;   // of each dictionary, in form_rows_
  std::deque<ByteTable> dictionaries_;  // of strings, one a key
  std::uint32_t dictionary_count_ = 0;
  std::deque<Column> columns_;  // the first: distance to the next event
  std::uint32_t column_count_ = 0;
  std::vector<std::uint32_t> forms_of_events_;
  std::vector<std::size_t> places_of_forms_;  // where each form's places begin
  std::vector<PlaceState> places_;

  std::vector<EventValue> values_;  // of the event at hand
  std::vector<Text> texts_;
  std::vector<Number> numbers_;
  std::string skeleton_;
  std::string form_;
};

}  // namespace warpscope::store
