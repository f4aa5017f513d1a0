#pragma once
// Appends JSON to a string piece by piece. The output is always valid JSON: strings are escaped, including all
// characters that is_unsafe() (utf8.hpp) for a terminal, and invalid UTF-8 is replaced. 64-bit integers are written in
// full, doubles with the fewest digits that round-trip, NaN and infinities as null.
//
//   std::string out;
//   JsonWriter json(out);
//   json.begin_object();
//   json.member("schema", 1);
//   json.key("nodes");
//   json.begin_array();
//   ...
//   json.end_array();
//   json.end_object();   // out now contains a document that ends with a newline
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

class JsonWriter {
 public:
  /// Layout of a container's items: one per line and indented, or all on one line. A container nested in a one-line
  /// container is also written on one line.
  enum class Layout : std::uint8_t { lines, one_line };

  /// Appends to `out`, which must outlive the writer.
  explicit JsonWriter(std::string& out, Layout layout = Layout::lines) : out_(out), layout_(layout) {}

  void begin_object(Layout layout = Layout::lines) { begin('{', layout); }
  void end_object() { end('}'); }
  void begin_array(Layout layout = Layout::lines) { begin('[', layout); }
  void end_array() { end(']'); }

  /// Writes the key of an object member. Call before writing the member's value.
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(bool truth);
  void value(double number);
  void value(std::nullptr_t) { raw("null"); }
  template <std::signed_integral T>
  void value(T number) {
    raw(std::to_string(number));
  }
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) void value(T number) { raw(std::to_string(number)); }
  /// Appends `json` as a value without checking that it is valid JSON.
  void raw(std::string_view json);

  template <class T>
  void member(std::string_view name, const T& item) {
    key(name);
    value(item);
  }

 private:
  struct Level {
    Layout layout;
    bool empty = true;
  };

  void begin(char bracket, Layout layout);
  void end(char bracket);
  void before_value();
  void separate();

  std::string& out_;
  Layout layout_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

/// Appends `text` in quotes, escaped.
void append_json_string(std::string& out, std::string_view text);
/// Appends the shortest string that parses back to `number`; "null" if it is not finite.
void append_json_number(std::string& out, double number);

}  // namespace warpscope
