#include "core/ingest/json/scan.hpp"

#include <algorithm>
#include <vector>

#include "core/base/utf8.hpp"

namespace warpscope::ingest::json {
namespace {

constexpr std::string_view kWords[] = {"true", "false", "null"};

/// Returns whether the number that starts at `at` is valid up to its last character, which is before `next`.
bool is_number(const char* at, const char* next) {
  const auto take_digits = [&] {
    const char* const begin = at;
    while (at < next && is_digit(*at)) ++at;
    return at > begin;
  };
  if (at < next && *at == '-') ++at;
  const bool zero = at < next && *at == '0';
  if (zero)
    ++at;
  else if (!take_digits())
    return false;
  if (at < next && *at == '.') {
    ++at;
    if (!take_digits()) return false;
  }
  if (at < next && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at < next && (*at == '+' || *at == '-')) ++at;
    if (!take_digits()) return false;
  }
  return at == next;
}

/// Skips the escape sequence at `at`.
ValueScan scan_escape(const char* at, const char* end) {
  if (end - at < 2) return {Scan::need_more, end};
  if (at[1] != 'u') {
    const bool known = at[1] != '\0' && std::strchr("\"\\/bfnrt", at[1]) != nullptr;
    return {known ? Scan::complete : Scan::damaged, at + 2};
  }
  for (int i = 2; i < 6; ++i) {
    if (at + i >= end) return {Scan::need_more, end};
    const auto letter = static_cast<unsigned char>((at[i] | 0x20) - 'a');
    if (!is_digit(at[i]) && letter >= 6) return {Scan::damaged, at};
  }
  return {Scan::complete, at + 6};
}

/// Skips the UTF-8 sequence at `at`, which starts with a non-ASCII byte.
ValueScan scan_sequence(const char* at, const char* end) {
  constexpr std::string_view kReplacementText = "\xef\xbf\xbd";
  const auto byte = static_cast<unsigned char>(*at);
  const std::ptrdiff_t longest = byte < 0xe0U ? 2 : byte < 0xf0U ? 3 : 4;
  const std::string_view text(at, static_cast<std::size_t>(std::min(end - at, longest)));
  std::size_t length = 0;
  if (next_code_point(text, length) != kReplacement || text.starts_with(kReplacementText))
    return {Scan::complete, at + length};
  const bool open = end - at < longest && std::all_of(at + 1, end, [](char c) { return (c & 0xc0) == 0x80; });
  return {open ? Scan::need_more : Scan::damaged, at};
}

/// The kinds of the open brackets, one bit each; set for objects.
class OpenBrackets {
 public:
  void push(bool object) {
    if (depth_ % 64 == 0 && depth_ > 0) outer_.push_back(kinds_);
    kinds_ = kinds_ << 1 | static_cast<std::uint64_t>(object);
    ++depth_;
  }
  void pop() {
    kinds_ >>= 1;
    if (--depth_ % 64 != 0 || depth_ == 0) return;
    kinds_ = outer_.back();
    outer_.pop_back();
  }
  [[nodiscard]] bool in_object() const { return (kinds_ & 1) != 0; }
  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  std::uint64_t kinds_ = 0;
  std::size_t depth_ = 0;
  std::vector<std::uint64_t> outer_;
};

/// Walks a nested value token by token.
class NestedScanner {
 public:
  NestedScanner(const char* at, const char* end, std::string_view key) : at_(at), end_(end), key_(key) {}

  NestedScan run() {
    for (;;) {
      const Scan status = value();
      if (status != Scan::complete) return {status, at_, nullptr};
      if (open_.depth() == 0) return {Scan::complete, at_, found_};
    }
  }

 private:
  /// Reads a value, all brackets that close after it, and the comma and key before the next value.
  Scan value() {
    if (at_ >= end_) return Scan::need_more;
    if (*at_ == '{' || *at_ == '[') {
      open_.push(*at_ == '{');
      at_ = skip_space(at_ + 1);
      if (at_ >= end_) return Scan::need_more;
      if (*at_ != closing()) return open_.in_object() ? key() : Scan::complete;
    } else {
      const ValueScan scan = scan_value(at_, end_);
      at_ = scan.next;
      if (scan.status != Scan::complete) return scan.status;
      at_ = skip_space(at_);
    }
    for (; at_ < end_ && *at_ == closing(); at_ = skip_space(at_)) {
      open_.pop();
      ++at_;
      if (open_.depth() == 0) return Scan::complete;
    }
    if (at_ >= end_) return Scan::need_more;
    if (*at_ != ',') return Scan::damaged;
    at_ = skip_space(at_ + 1);
    if (at_ >= end_) return Scan::need_more;
    return open_.in_object() ? key() : Scan::complete;
  }

  /// Reads a key and its colon.
  Scan key() {
    if (*at_ != '"') return Scan::damaged;
    const char* const begin = at_ + 1;
    const StringScan scan = scan_string(begin, end_);
    if (scan.status != Scan::complete) return scan.status;
    at_ = skip_space(scan.close + 1);
    if (at_ >= end_) return Scan::need_more;
    if (*at_ != ':') return Scan::damaged;
    at_ = skip_space(at_ + 1);
    const bool wanted = !key_.empty() && open_.depth() == 1 &&
                        std::string_view(begin, static_cast<std::size_t>(scan.close - begin)) == key_;
    if (wanted) found_ = at_;
    return Scan::complete;
  }

  [[nodiscard]] char closing() const { return open_.in_object() ? '}' : ']'; }

  const char* at_;
  const char* const end_;
  const std::string_view key_;
  const char* found_ = nullptr;
  OpenBrackets open_;
};

}  // namespace

bool is_scalar(std::string_view word) {
  return std::ranges::find(kWords, word) != std::end(kWords) || is_number(word.data(), word.data() + word.size());
}

StringScan scan_string(const char* at, const char* end) {
  bool plain = true;
  for (;;) {
    at = string_stop(at, end);
    if (at >= end) return {Scan::need_more, plain, end};
    if (*at == '"') return {Scan::complete, plain, at};
    plain = false;
    if (static_cast<unsigned char>(*at) < 0x20U) return {Scan::damaged, false, at};
    const ValueScan piece = *at == '\\' ? scan_escape(at, end) : scan_sequence(at, end);
    if (piece.status != Scan::complete) return {piece.status, false, at};
    at = piece.next;
  }
}

NestedScan scan_nested(const char* at, const char* end, std::string_view key) {
  return NestedScanner(at, end, key).run();
}

NestedScan skip_disordered_object(const char* at, const char* end, std::string_view key, bool any_text) {
  constexpr std::string_view kOrdinary = ",:-.0123456789 \n\r\t";
  int depth = 0;
  int keys = 0;
  const char* found = nullptr;
  char last = '\0';  // except white space
  for (; at < end; last = is_space(*at) ? last : *at, ++at) {
    const char c = *at;
    if (c == '"') {
      const StringScan string = scan_string(at + 1, end);
      if (string.status != Scan::complete) return {string.status, at, nullptr};
      const std::string_view text(at + 1, static_cast<std::size_t>(string.close - at - 1));
      const char* const colon = skip_space(string.close + 1);
      if (depth == 1 && !key.empty() && text == key && *colon == ':')
        found = keys++ == 0 ? skip_space(colon + 1) : nullptr;
      at = string.close;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return {c == '}' && last != ',' ? Scan::complete : Scan::damaged, at + 1, found};
    } else if (is_digit(last) && (c == 'e' || c == 'E')) {
      at += at[1] == '+' ? 1 : 0;
    } else if (kOrdinary.find(c) == std::string_view::npos && !(any_text && c > ' ' && c < '\x7f' && c != '\\')) {
      const auto* const word = std::ranges::find_if(
          kWords, [&](std::string_view each) { return std::memcmp(at, each.data(), each.size()) == 0; });
      if (word == std::end(kWords)) return {Scan::damaged, at, nullptr};
      at += word->size() - 1;
    }
  }
  return {Scan::need_more, end, nullptr};
}

const char* scan_number(const char* at, const char* end) {
  const char* next = at;
  while (is_number_char(*next)) ++next;
  return next < end && is_number(at, next) ? next : nullptr;
}

ValueScan scan_value(const char* at, const char* end) {
  if (at >= end) return {Scan::need_more, end};
  if (*at == '"') {
    const StringScan string = scan_string(at + 1, end);
    return {string.status, string.status == Scan::complete ? string.close + 1 : string.close};
  }
  if (*at == '{' || *at == '[') {
    const NestedScan nested = scan_nested(at, end);
    return {nested.status, nested.next};
  }
  const char* next = at;
  if (is_digit(*at) || *at == '-') {
    while (is_number_char(*next)) ++next;
    if (next < end && !is_number(at, next)) return {Scan::damaged, at};
    return {next < end ? Scan::complete : Scan::need_more, next};
  }
  for (const std::string_view word : kWords) {
    const std::string_view text(at, std::min(word.size(), static_cast<std::size_t>(end - at)));
    if (!word.starts_with(text)) continue;
    return {text.size() == word.size() && at + text.size() < end ? Scan::complete : Scan::need_more, at + text.size()};
  }
  return {Scan::damaged, at};
}

}  // namespace warpscope::ingest::json
