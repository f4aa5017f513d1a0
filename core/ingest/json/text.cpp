#include "core/ingest/json/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/base/utf8.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::size_t kLongestReplacement = 3;  // a byte may become U+FFFD

struct Sequence {
  std::size_t length = 1;  ///< of the character; 1 for an invalid byte
  bool valid = false;
};

/// Returns the UTF-8 sequence at the start of `text` (not empty).
Sequence utf8_sequence(std::string_view text) {
  std::size_t length = 0;
  const char32_t c = next_code_point(text, length);
  return {length, c != warpscope::kReplacement || text.starts_with(kReplacement)};
}

std::optional<std::uint32_t> hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  const char* const end = text.data() + 4;
  return std::from_chars(text.data(), end, value, 16).ptr == end ? std::optional(value) : std::nullopt;
}

class Decoder {
 public:
  Decoder(std::string_view raw, char* out, Notes& notes) : raw_(raw), out_(out), notes_(notes) {}

  /// Returns the end of the output.
  char* run() {
    while (at_ < raw_.size()) {
      const auto c = static_cast<unsigned char>(raw_[at_]);
      if (c == '\\') {
        escape();
      } else if (c >= 0x80) {
        beyond_ascii();
      } else {
        if (c < 0x20) notes_.add(Oddity::control_character, raw_.data() + at_);
        *out_++ = raw_[at_++];
      }
    }
    return out_;
  }

 private:
  void put(std::string_view text) { out_ = std::copy(text.begin(), text.end(), out_); }

  void put_code_point(std::uint32_t code) {
    std::string text;
    append_code_point(text, code);
    put(text);
  }

  void beyond_ascii() {
    const Sequence sequence = utf8_sequence(raw_.substr(at_));
    if (sequence.valid) {
      put(raw_.substr(at_, sequence.length));
    } else {
      notes_.add(Oddity::invalid_utf8, raw_.data() + at_);
      put(kReplacement);
    }
    at_ += sequence.length;
  }

  void escape() {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
    const char name = at_ + 1 < raw_.size() ? raw_[at_ + 1] : '\0';
    if (const std::size_t i = kNames.find(name); i != std::string_view::npos) {
      *out_++ = kValues[i];
      at_ += 2;
    } else if (const auto code = name == 'u' ? hex4(raw_.substr(at_ + 2)) : std::nullopt) {
      unicode_escape(*code);
    } else {
      notes_.add(Oddity::stray_backslash, raw_.data() + at_);
      *out_++ = raw_[at_++];
    }
  }

  void unicode_escape(std::uint32_t code) {
    const char* const where = raw_.data() + at_;
    at_ += 6;
    if (code >= 0xd800 && code < 0xdc00 && raw_.substr(at_).starts_with("\\u")) {
      if (const auto low = hex4(raw_.substr(at_ + 2)); low && *low >= 0xdc00 && *low < 0xe000) {
        at_ += 6;
        put_code_point(0x10000 + ((code - 0xd800) << 10) + (*low - 0xdc00));
        return;
      }
    }
    if (code >= 0xd800 && code < 0xe000) {
      notes_.add(Oddity::invalid_utf8, where);
      put(kReplacement);
    } else {
      put_code_point(code);
    }
  }

  std::string_view raw_;
  char* out_;
  Notes& notes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view decode_string(std::string_view raw, Scratch& scratch, Notes& notes) {
  const bool plain = std::all_of(raw.begin(), raw.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '\\'; });
  if (plain) return raw;
  const std::span<char> room = scratch.allocate(raw.size() * kLongestReplacement);
  const char* const end = Decoder(raw, room.data(), notes).run();
  return {room.data(), static_cast<std::size_t>(end - room.data())};
}

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const Sequence sequence = utf8_sequence(text.substr(at));
    const auto c = static_cast<unsigned char>(text[at]);
    std::string_view piece = sequence.valid ? text.substr(at, sequence.length) : kReplacement;
    if (c < 0x20 || c == 0x7f) piece = " ";
    if (line.size() + piece.size() > limit) break;
    line += piece;
    at += sequence.length;
  }
  return line;
}

std::string readable(std::string_view text, std::size_t limit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::size_t kRepeats = 4;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const Sequence sequence = utf8_sequence(text.substr(at));
    const auto c = static_cast<unsigned char>(text[at]);
    std::size_t length = sequence.valid ? sequence.length : 1;
    std::string piece(text.substr(at, length));
    if (is_space(text[at])) {
      piece = " ";
    } else if (!sequence.valid || c < 0x20 || c == 0x7f) {
      piece = {'\\', 'x', kHex[c >> 4], kHex[c & 0xfU]};
      const std::size_t run = std::min(text.find_first_not_of(text[at], at), text.size()) - at;
      if (run >= kRepeats) {
        piece += "\xe2\x80\xa6";  // …
        length = run;
      }
    }
    if (line.size() + piece.size() > limit) break;
    line += piece;
    at += length;
  }
  return line;
}

}  // namespace warpscope::ingest::json
