#include "core/store/event_block.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "core/base/ascii.hpp"

namespace warpscope::store {

namespace {

/// A placeholder is this byte followed by a code. Code 0 stands for the byte itself.
constexpr char kMark = '\1';
constexpr std::uint8_t kLiteral = 0;
constexpr std::uint8_t kNumber = 1;
/// Plus the number of decimals: a time in µs, stored as the difference from a fact, in ns.
constexpr std::uint8_t kBegin = 2;
constexpr std::uint8_t kDuration = 6;
constexpr std::size_t kMostDecimals = 3;

/// Number of digits that always fit in 64 bits, for plain numbers and numbers in µs.
constexpr std::size_t kMostDigits = 18;
constexpr std::size_t kMostMicroseconds = 16;
/// Any additional numbers of an event are stored as text.
constexpr std::size_t kMostValues = std::size_t{1} << 16;

bool is_word(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; }

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char digit : digits) value = value * 10 + static_cast<std::uint64_t>(digit - '0');
  return value;
}

void append_number(std::string& text, std::uint64_t value) {
  std::array<char, 20> digits{};
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

void append_microseconds(std::string& text, std::uint64_t ns, std::size_t decimals) {
  append_number(text, ns / 1000);
  if (decimals == 0) return;
  const std::uint64_t rest = ns % 1000 + 1000;
  text += '.';
  text.append(std::to_string(rest), 1, decimals);
}

/// Returns a hash of the few bytes before a placeholder, which are usually its key.
std::uint64_t context_of(std::string_view before) {
  constexpr std::size_t kBytes = 12;
  before.remove_prefix(before.size() - std::min(before.size(), kBytes));
  return fnv1a({reinterpret_cast<const std::uint8_t*>(before.data()), before.size()});
}

}  // namespace

void EventHistory::add_shape(std::string_view text) {
  Shape shape{text, {}, 0};
  for (std::size_t at = text.find(kMark); at < text.size(); at = text.find(kMark, at + 2))
    if (at + 1 == text.size() || text[at + 1] != kLiteral)
      shape.contexts.push_back(static_cast<std::uint32_t>(context_of(text.substr(0, at)) % kContexts));
  shapes_.push_back(std::move(shape));
}

void EventHistory::clear() {
  shapes_.clear();
  last_.fill(0);
  event_shape_ = 0;
}

void EventBlockWriter::put(std::uint8_t code, std::uint64_t value) {
  shape_ += kMark;
  shape_ += static_cast<char>(code);
  values_.push_back(value);
}

/// Replaces the start or duration at `at` by a placeholder, if it can be restored exactly. Returns the end of the
/// consumed text.
std::size_t EventBlockWriter::take_fact(std::string_view text, std::size_t at, const EventFacts& facts) {
  std::string_view before = shape_;
  while (before.ends_with(' ')) before.remove_suffix(1);
  const bool begin = before.ends_with("\"ts\":");
  if (!begin && !before.ends_with("\"dur\":")) return at;
  const std::size_t whole = digits_at(text, at);
  std::size_t end = at + whole;
  const std::size_t decimals = end < text.size() && text[end] == '.' ? digits_at(text, end + 1) : 0;
  if (whole > kMostMicroseconds || (whole > 1 && text[at] == '0') || decimals > kMostDecimals) return at;
  std::uint64_t ns = number_of(text.substr(at, whole)) * 1000;
  if (decimals > 0) {
    std::uint64_t rest = number_of(text.substr(end + 1, decimals));
    for (std::size_t i = decimals; i < kMostDecimals; ++i) rest *= 10;
    ns += rest;
    end += 1 + decimals;
  }
  put(static_cast<std::uint8_t>((begin ? kBegin : kDuration) + decimals),
      ns - static_cast<std::uint64_t>(begin ? facts.begin : facts.duration));
  return end;
}

/// Replaces the digits from `at` to `end` by a placeholder, if they can be restored exactly. Returns the end of the
/// consumed text.
std::size_t EventBlockWriter::take_number(std::string_view text, std::size_t at, std::size_t end) {
  std::size_t first = at;
  while (first + 1 < end && text[first] == '0') ++first;
  if (end - first > kMostDigits) return at;
  shape_ += text.substr(at, first - at);
  put(kNumber, number_of(text.substr(first, end - first)));
  return end;
}

void EventBlockWriter::split(std::string_view text, const EventFacts& facts) {
  shape_.clear();
  values_.clear();
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == kMark) {
      shape_.append(text.substr(copied, at + 1 - copied)) += static_cast<char>(kLiteral);
      copied = ++at;
      continue;
    }
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = at + digits_at(text, at);
    if ((at == 0 || !is_word(text[at - 1])) && values_.size() < kMostValues) {
      shape_ += text.substr(copied, at - copied);
      copied = take_fact(text, at, facts);
      if (copied == at) copied = take_number(text, at, end);
    }
    at = std::max(end, copied);
  }
  shape_ += text.substr(copied);
}

void EventBlockWriter::add(std::uint64_t offset, std::string_view text, const EventFacts& facts) {
  split(text, facts);
  const auto [known, fresh] = numbers_.try_emplace(shape_, shapes_.size());
  stream_.number(fresh ? 0 : known->second + 1);
  if (fresh) {
    stream_.text(shape_);
    add_shape(known->first);
  }
  if (shapes_.size() == 1 && fresh) first_offset_ = offset_ = offset;
  Shape& before = shapes_[event_shape_];
  const std::uint64_t stride = offset - std::exchange(offset_, offset);
  stream_.signed_number(static_cast<std::int64_t>(stride - std::exchange(before.stride, stride)));
  event_shape_ = known->second;
  const Shape& shape = shapes_[event_shape_];
  for (std::size_t i = 0; i < values_.size(); ++i)
    stream_.signed_number(static_cast<std::int64_t>(values_[i] - std::exchange(last_[shape.contexts[i]], values_[i])));
}

void EventBlockWriter::clear() {
  EventHistory::clear();
  numbers_.clear();
  stream_ = {};
}

EventBlockReader::EventBlockReader(std::vector<std::uint8_t> bytes, std::uint64_t first_offset)
    : bytes_(std::move(bytes)), stream_(bytes_) {
  offset_ = first_offset;
}

bool EventBlockReader::next() {
  const bool first = shapes_.empty();
  if (stream_.left() == 0) return false;
  std::size_t number = stream_.number_to(shapes_.size());
  if (number == 0 && stream_.ok()) {
    add_shape(stream_.text());
    number = shapes_.size();
  }
  const auto step = static_cast<std::uint64_t>(stream_.signed_number());
  if (!stream_.ok()) return false;
  const std::uint64_t stride = shapes_[event_shape_].stride += step;
  if ((stride == 0) != first || stride > std::numeric_limits<std::uint64_t>::max() - offset_) stream_.fail();
  offset_ += stride;
  event_shape_ = number - 1;
  const std::vector<std::uint32_t>& contexts = shapes_[event_shape_].contexts;
  if (values_.size() < contexts.size()) values_.resize(contexts.size());
  for (std::size_t i = 0; i < contexts.size(); ++i)
    values_[i] = last_[contexts[i]] += static_cast<std::uint64_t>(stream_.signed_number());
  return stream_.ok();
}

std::string EventBlockReader::text(const EventFacts& facts) const {
  constexpr std::size_t kUsualDigits = 8;
  std::string text;
  std::string_view shape = shapes_[event_shape_].text;
  text.reserve(shape.size() + kUsualDigits * values_.size());
  auto value = values_.begin();
  for (std::size_t mark = shape.find(kMark); mark < shape.size(); mark = shape.find(kMark)) {
    text += shape.substr(0, mark);
    const std::uint8_t code = mark + 1 < shape.size() ? static_cast<std::uint8_t>(shape[mark + 1]) : kNumber;
    shape.remove_prefix(std::min(mark + 2, shape.size()));
    if (code == kLiteral)
      text += kMark;
    else if (code >= kDuration)
      append_microseconds(text, *value++ + static_cast<std::uint64_t>(facts.duration), (code - kDuration) % 4U);
    else if (code >= kBegin)
      append_microseconds(text, *value++ + static_cast<std::uint64_t>(facts.begin), code - kBegin);
    else
      append_number(text, *value++);
  }
  return text += shape;
}

}  // namespace warpscope::store
