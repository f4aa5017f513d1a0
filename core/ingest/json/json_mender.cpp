#include "core/ingest/json/json_mender.hpp"

#include <fmt/format.h>

#include <iterator>

#include "core/base/utf8.hpp"

namespace warpscope::ingest {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_plain(char c) { return c >= 0x20 && c != '"' && c != '\\'; }  // char is signed here: excludes UTF-8 bytes

std::size_t digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

bool is_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  std::size_t end = digits(text, at);
  if (end == at || (text[at] == '0' && end > at + 1)) return false;
  at = end;
  if (at < text.size() && text[at] == '.') {
    end = digits(text, at + 1);
    if (end == at + 1) return false;
    at = end;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    end = digits(text, at);
    if (end == at) return false;
    at = end;
  }
  return at == text.size();
}

/// Returns the length of the UTF-8 sequence with this first byte; 0 if invalid.
std::size_t sequence_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte >= 0xC2 && byte <= 0xDF) return 2;
  if (byte >= 0xE0 && byte <= 0xEF) return 3;
  if (byte >= 0xF0 && byte <= 0xF4) return 4;
  return 0;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

void JsonMender::take(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size();) {
    if (state_ == State::string && sequence_.empty()) {
      std::size_t end = i;
      while (end < text.size() && is_plain(text[end])) ++end;
      out += text.substr(i, end - i);
      seen_ += end - i;
      i = end;
      if (i == text.size()) return;
    }
    take(text[i++], out);
    ++seen_;
  }
}

void JsonMender::take(char c, std::string& out) {
  switch (state_) {
    case State::outside:
      return outside(c, out);
    case State::string:
      return in_string(c, out);
    case State::escape:
      return after_escape(c, out);
    case State::unicode:
      return in_unicode(c, out);
    case State::after_quote:
      return after_quote(c, out);
  }
}

void JsonMender::finish(std::string& out) {
  end_word(out);
  out += comma_;
  if (state_ == State::after_quote) out += '"' + blanks_;
  comma_.clear();
  blanks_.clear();
  state_ = State::outside;
}

void JsonMender::outside(char c, std::string& out) {
  if (seen_ < kByteOrderMark.size() && c == kByteOrderMark[seen_]) {
    mended_ = true;
    return;
  }
  if (is_blank(c)) {
    end_word(out);
    (comma_.empty() ? out : comma_) += c;
    return;
  }
  switch (c) {
    case ',':
      end_word(out);
      if (!comma_.empty()) mended_ = true;
      comma_ = ',';
      return;
    case '}':
    case ']':
      end_word(out);
      if (!comma_.empty()) {
        mended_ = true;
        out += std::string_view(comma_).substr(1);
        comma_.clear();
      }
      out += c;
      note(c);
      return;
    case '"':
      state_ = State::string;
      [[fallthrough]];
    case '{':
    case '[':
    case ':':
      end_word(out);
      end_comma(out);
      out += c;
      note(c == '"' ? 's' : c);
      return;
    default:
      end_comma(out);
      word_ += c;
  }
}

void JsonMender::end_word(std::string& out) {
  if (word_.empty()) return;
  const bool known = word_ == "true" || word_ == "false" || word_ == "null" || is_number(word_);
  mended_ |= !known;
  out += known ? std::string_view(word_) : "null";
  word_.clear();
  note('v');
}

/// Checks a token against the previous one.
void JsonMender::note(char token) {
  const bool in_object = open_.ends_with('{');
  const bool after_value = last_ == 'v' || last_ == '}' || last_ == ']';
  const bool key_next = last_ == '{' || (last_ == ',' && in_object);
  switch (token) {
    case ',':
      sound_ &= after_value && !open_.empty();
      break;
    case ':':
      sound_ &= last_ == 'k';
      break;
    case '}':
    case ']':
      sound_ &= !open_.empty() && in_object == (token == '}') && (after_value || last_ == open_.back());
      if (!open_.empty()) open_.pop_back();
      break;
    default:  // a value or a key
      sound_ &= last_ == '\0' || last_ == ':' || last_ == '[' || last_ == ',' || (key_next && token == 's');
      sound_ &= !key_next || token == 's';
      if (token == '{' || token == '[') open_ += token;
  }
  last_ = token != 's' ? token : key_next ? 'k' : 'v';
}

void JsonMender::end_comma(std::string& out) {
  if (!comma_.empty()) note(',');
  out += comma_;
  comma_.clear();
}

void JsonMender::in_string(char c, std::string& out) {
  if (!sequence_.empty()) {
    if (continues(c)) {
      sequence_ += c;
      if (sequence_.size() == sequence_length(sequence_.front())) end_sequence(out);
      return;
    }
    end_sequence(out);
  }
  if (c == '"') {
    state_ = State::after_quote;
  } else if (c == '\\') {
    state_ = State::escape;
  } else if (is_plain(c)) {
    out += c;
  } else if (static_cast<unsigned char>(c) < 0x20) {
    mended_ = true;
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  } else {
    sequence_ = c;
    if (sequence_length(c) == 0) end_sequence(out);
  }
}

void JsonMender::end_sequence(std::string& out) {
  std::size_t at = 0;
  const char32_t code_point = next_code_point(sequence_, at);
  const bool valid = at == sequence_.size() && sequence_length(sequence_.front()) == at;
  mended_ |= !valid;
  append_code_point(out, valid ? code_point : kReplacement);
  sequence_.clear();
}

void JsonMender::after_escape(char c, std::string& out) {
  state_ = State::string;
  if (c == 'u') {
    state_ = State::unicode;
    hex_.clear();
  } else if (std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) {
    out += '\\';
    out += c;
  } else {
    mended_ = true;
    out += "\\\\";
    in_string(c, out);
  }
}

void JsonMender::in_unicode(char c, std::string& out) {
  if (is_hex(c)) {
    hex_ += c;
    if (hex_.size() < 4) return;
    out += "\\u" + hex_;
    state_ = State::string;
    return;
  }
  mended_ = true;
  out += "\\\\u" + hex_;
  state_ = State::string;
  in_string(c, out);
}

void JsonMender::after_quote(char c, std::string& out) {
  if (is_blank(c)) {
    blanks_ += c;
    return;
  }
  const std::string blanks = std::move(blanks_);
  blanks_.clear();
  if (c == ',' || c == ':' || c == '}' || c == ']') {
    out += '"' + blanks;
    state_ = State::outside;
    return outside(c, out);
  }
  mended_ = true;
  out += "\\\"";
  state_ = State::string;
  for (const char blank : blanks) in_string(blank, out);
  in_string(c, out);
}

}  // namespace warpscope::ingest
