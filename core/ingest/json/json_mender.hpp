#pragma once
// Repairs the JSON text of traces in a stream, so that every reader accepts it. Profilers wrote names with unescaped
// quotes, backslashes, control characters and invalid UTF-8, bare inf and nan, trailing commas, byte order marks; this
// program reads all of that, other programs do not. Valid JSON passes through byte by byte.
//
// A quote ends a string if a comma, colon or closing bracket follows; otherwise it is part of the text. O(bytes);
// memory for one word or run of blanks.
#include <cstdint>
#include <string>
#include <string_view>

namespace warpscope::ingest {

class JsonMender {
 public:
  /// Appends all text that can already be decided.
  void take(std::string_view text, std::string& out);
  /// Call after the last piece: appends the pending text.
  void finish(std::string& out);
  /// Returns whether any input so far was invalid JSON.
  [[nodiscard]] bool mended() const { return mended_; }
  /// Returns whether the output so far is structurally valid JSON.
  [[nodiscard]] bool sound() const { return sound_; }

 private:
  enum class State : std::uint8_t { outside, string, escape, unicode, after_quote };

  void take(char c, std::string& out);
  void outside(char c, std::string& out);
  void in_string(char c, std::string& out);
  void after_escape(char c, std::string& out);
  void in_unicode(char c, std::string& out);
  void after_quote(char c, std::string& out);
  void end_word(std::string& out);
  void note(char token);
  void end_comma(std::string& out);
  void end_sequence(std::string& out);

  State state_ = State::outside;
  std::string word_;      // outside of strings: a number, true, inf …
  std::string comma_;     // a comma and the blanks after it, until it is known whether an item follows
  std::string blanks_;    // after a quote
  std::string sequence_;  // of UTF-8
  std::string hex_;       // digits of a \u
  std::uint64_t seen_ = 0;
  std::string open_;  // brackets
  char last_ = '\0';  // last token: a bracket, comma, colon, v: word or string, k: string expected to be a key
  bool mended_ = false;
  bool sound_ = true;
};

}  // namespace warpscope::ingest
