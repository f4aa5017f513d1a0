#include "core/ingest/json/json_check.hpp"

namespace warpscope::ingest {

namespace {

bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_json_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool JsonCheck::take(std::string_view text) {
  for (const char c : text) {
    if (!take(c)) return false;
    ++at_;
  }
  return true;
}

bool JsonCheck::whole() {
  if (number_may_end()) state_ = State::after_value;
  return state_ == State::after_value && objects_.empty();
}

bool JsonCheck::take(char c) {
  switch (state_) {
    case State::string:
      return in_string(static_cast<unsigned char>(c));
    case State::escape:
      return after_escape(c);
    case State::hex:
      if (!is_json_digit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) return false;
      if (--left_ == 0) state_ = State::string;
      return true;
    case State::word:
      if (word_.front() != c) return false;
      word_.remove_prefix(1);
      if (word_.empty()) state_ = State::after_value;
      return true;
    case State::minus:
    case State::zero:
    case State::whole_digits:
    case State::point:
    case State::decimals:
    case State::exponent:
    case State::exponent_sign:
    case State::exponent_digits:
      return in_number(c);
    default:
      return is_json_blank(c) || structure(c);
  }
}

bool JsonCheck::structure(char c) {
  switch (state_) {
    case State::key_or_end:
      if (c == '}') return close(true);
      [[fallthrough]];
    case State::key:
      if (c != '"') return false;
      state_ = State::string;
      is_key_ = true;
      return true;
    case State::colon:
      if (c != ':') return false;
      state_ = State::value;
      return true;
    case State::value_or_end:
      if (c == ']') return close(false);
      [[fallthrough]];
    case State::value:
      return begin_value(c);
    default:
      return after_value(c);
  }
}

bool JsonCheck::begin_value(char c) {
  switch (c) {
    case '"':
      state_ = State::string;
      is_key_ = false;
      return true;
    case '{':
      objects_.push_back(true);
      state_ = State::key_or_end;
      return true;
    case '[':
      objects_.push_back(false);
      state_ = State::value_or_end;
      return true;
    case 't':
    case 'f':
    case 'n':
      word_ = c == 't' ? "rue" : c == 'f' ? "alse" : "ull";
      state_ = State::word;
      return true;
    case '-':
      state_ = State::minus;
      return true;
    case '0':
      state_ = State::zero;
      return true;
    default:
      state_ = State::whole_digits;
      return is_json_digit(c);
  }
}

bool JsonCheck::after_value(char c) {
  if (objects_.empty()) return false;
  if (c == '}' || c == ']') return close(c == '}');
  if (c != ',') return false;
  state_ = objects_.back() ? State::key : State::value;
  return true;
}

bool JsonCheck::close(bool object) {
  if (objects_.empty() || objects_.back() != object) return false;
  objects_.pop_back();
  state_ = State::after_value;
  return true;
}

bool JsonCheck::in_string(unsigned char c) {
  if (left_ > 0) {
    if (c < least_ || c > most_) return false;
    --left_;
    least_ = 0x80;
    most_ = 0xBF;
    return true;
  }
  if (c == '"') {
    state_ = is_key_ ? State::colon : State::after_value;
    return true;
  }
  if (c == '\\') {
    state_ = State::escape;
    return true;
  }
  if (c < 0x80) return c >= 0x20;
  if (c < 0xC2 || c > 0xF4) return false;
  left_ = c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
  // Exclude overlong sequences, surrogates, and values above U+10FFFF.
  if (c == 0xE0) least_ = 0xA0;
  if (c == 0xED) most_ = 0x9F;
  if (c == 0xF0) least_ = 0x90;
  if (c == 0xF4) most_ = 0x8F;
  return true;
}

bool JsonCheck::after_escape(char c) {
  state_ = State::string;
  if (c == 'u') {
    state_ = State::hex;
    left_ = 4;
    return true;
  }
  return std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
}

bool JsonCheck::number_may_end() const {
  return state_ == State::zero || state_ == State::whole_digits || state_ == State::decimals ||
         state_ == State::exponent_digits;
}

bool JsonCheck::in_number(char c) {
  const bool digit = is_json_digit(c);
  const bool before_point = state_ == State::zero || state_ == State::whole_digits;
  if (digit) {
    if (state_ == State::zero) return false;
    if (state_ == State::minus)
      state_ = c == '0' ? State::zero : State::whole_digits;
    else if (state_ == State::point)
      state_ = State::decimals;
    else if (state_ == State::exponent || state_ == State::exponent_sign)
      state_ = State::exponent_digits;
    return true;
  }
  if (c == '.' && before_point) {
    state_ = State::point;
    return true;
  }
  if ((c == 'e' || c == 'E') && (before_point || state_ == State::decimals)) {
    state_ = State::exponent;
    return true;
  }
  if ((c == '+' || c == '-') && state_ == State::exponent) {
    state_ = State::exponent_sign;
    return true;
  }
  if (!number_may_end()) return false;
  state_ = State::after_value;
  return is_json_blank(c) || after_value(c);
}

}  // namespace warpscope::ingest
