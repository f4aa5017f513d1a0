#pragma once
// Fast JSON writer for all four layouts; they differ only in white space between tokens. Nothing is escaped, so strings
// must be valid inside quotes, unless the file is meant to be corrupt.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/output.hpp"

namespace warpscope::tracegen {

/// How Kineto prints a container: each member on its own line, all members on one new line, or inline. The other
/// layouts print all containers alike.
enum class Shape : std::uint8_t { list, block, flat };

class JsonWriter {
 public:
  JsonWriter(Layout layout, std::unique_ptr<ByteSink> sink);

  /// `indent` is the indentation of members in Kineto's layout; flat containers ignore it.
  void open_object(Shape shape = Shape::flat, int indent = 0) { open('{', shape, indent); }
  void open_array(Shape shape = Shape::flat, int indent = 0) { open('[', shape, indent); }
  void close_object() { close('}'); }
  void close_array() { close(']'); }

  void key(std::string_view name) {
    item();
    put('"');
    put(name);
    put(colon_);
  }
  /// Call before each element of an array.
  void item();
  /// Inserts a line break before the next member in Kineto's layout.
  void line() { break_line_ = true; }
  /// Omits the space before the next member in Kineto's layout.
  void tight() { tight_ = true; }

  void text(std::string_view value) {
    put('"');
    put(value);
    put('"');
  }
  void integer(std::int64_t value);
  void unsigned_integer(std::uint64_t value);
  /// Writes `ns` in microseconds with three decimals.
  void microseconds(std::int64_t ns);
  void raw(std::string_view value) { put(value); }

  void text_field(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  void field(std::string_view name, std::int64_t value) {
    key(name);
    integer(value);
  }

  /// Writes the buffer to the sink.
  void flush();
  /// Discards the last three quarters of the text written since the last flush.
  void keep_quarter() { used_ /= 4; }
  void close_file();

 private:
  struct Level {
    Shape shape = Shape::flat;
    int indent = 0;
    bool empty = true;
  };

  void put(char c) {
    if (used_ == buffer_.size()) flush();
    buffer_[used_++] = c;
  }
  void put(std::string_view text) {
    if (buffer_.size() - used_ < text.size()) {
      put_large(text);
      return;
    }
    std::memcpy(buffer_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }
  void put_large(std::string_view text);
  void new_line(int indent);
  void open(char bracket, Shape shape, int indent);
  void close(char bracket);

  Layout layout_;
  std::string_view colon_;
  std::unique_ptr<ByteSink> sink_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::array<Level, 12> levels_;
  std::size_t depth_ = 0;
  bool break_line_ = false;
  bool tight_ = false;
};

}  // namespace warpscope::tracegen
