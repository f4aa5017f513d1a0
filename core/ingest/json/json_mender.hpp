#pragma once
// Text of traces as JSON that every reader takes, made while it is passed on. Profilers wrote names with quotes,
// backslashes, control characters and broken UTF-8 in them, bare inf and nan, commas behind the last item, byte order
// marks; this program reads all that, other programs do not. Valid JSON comes out as it went in, byte by byte.
//
// A quote ends a string if a comma, colon or closing bracket follows; else it is part of the text. O(bytes), and no
// more memory than one word or stretch of blanks.
#include <cstdint>
#include <string>
#include <string_view>

namespace warpscope::ingest {

class JsonMender {
 public:
  /// Appends what can be told of so far.
  void take(std::string_view text, std::string& out);
  /// After the last piece: appends what waited.
  void finish(std::string& out);
  /// Something was not JSON so far.
  [[nodiscard]] bool mended() const { return mended_; }
  /// What came out so far stands where JSON has it.
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
  std::string comma_;     // a comma and the blanks behind it, until it is known whether an item follows
  std::string blanks_;    // behind a quote
  std::string sequence_;  // of UTF-8
  std::string hex_;       // digits of a \u
  std::uint64_t seen_ = 0;
  std::string open_;  // brackets
  char last_ = '\0';  // token: a bracket, comma, colon, v: word or string, k: string that ought to be a key
  bool mended_ = false;
  bool sound_ = true;
};

}  // namespace warpscope::ingest
