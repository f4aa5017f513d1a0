#pragma once
// Validates a stream of text as one JSON value (RFC 8259) in UTF-8, before other programs read it. Our own because
// traces exceed what simdjson validates at once: it needs the whole document in memory, and at most 4 GB. O(bytes), and
// one bit of memory for each open bracket.
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpscope::ingest {

class JsonCheck {
 public:
  /// Checks the next piece. Returns false if the text so far cannot start valid JSON.
  bool take(std::string_view text);
  /// Returns true if the pieces together are one complete value.
  [[nodiscard]] bool whole();
  /// Offset of the first invalid byte, or the number of bytes checked.
  [[nodiscard]] std::uint64_t sound_bytes() const { return at_; }

 private:
  enum class State : std::uint8_t {
    value,         // must start
    value_or_end,  // of the array just opened
    key_or_end,    // of the object just opened
    key,           // after a comma
    colon,
    after_value,
    string,
    escape,
    hex,
    word,  // true, false, null
    minus,
    zero,
    whole_digits,
    point,
    decimals,
    exponent,
    exponent_sign,
    exponent_digits,
  };

  bool take(char c);
  bool structure(char c);
  bool begin_value(char c);
  bool after_value(char c);
  bool close(bool object);
  bool in_string(unsigned char c);
  bool after_escape(char c);
  bool in_number(char c);
  [[nodiscard]] bool number_may_end() const;

  State state_ = State::value;
  std::vector<bool> objects_;   // open brackets
  bool is_key_ = false;         // the string
  std::string_view word_;       // rest of the word
  int left_ = 0;                // digits of \u, or bytes of a UTF-8 sequence
  unsigned char least_ = 0x80;  // of the next byte of a sequence
  unsigned char most_ = 0xBF;
  std::uint64_t at_ = 0;
};

}  // namespace warpscope::ingest
