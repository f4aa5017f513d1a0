#include "core/base/filter/filter_words.hpp"

#include <algorithm>
#include <array>

#include "core/base/ascii.hpp"
#include "core/base/nearest_word.hpp"

namespace warpscope {

namespace {

using enum FilterField;

constexpr std::array kFields{
    FilterFieldInfo{name, "name", "", "name~nccl*reduce",
                    "case-insensitive substring; * matches anything; name=… is exact"},
    FilterFieldInfo{category, "cat", "category", "cat:kernel,gpu_mem*",
                    "trace category, case-insensitive; * matches anything"},
    FilterFieldInfo{family, "family", "", "family:communication", "color class"},
    FilterFieldInfo{node, "node", "", "node:algo-1", "node label or host name"},
    FilterFieldInfo{rank, "rank", "", "rank:0-7,9", "ranks; also <, <=, >, >=, =, !="},
    FilterFieldInfo{gpu, "gpu", "device", "gpu:0", "the stream's device, or the device a host thread launches on"},
    FilterFieldInfo{stream, "stream", "", "stream:7,20", "streams"},
    FilterFieldInfo{thread, "thread", "tid", "thread:4045", "host threads"},
    FilterFieldInfo{depth, "depth", "", "depth<3", "row within the track; 0 is the top row"},
    FilterFieldInfo{begin, "begin", "ts", "begin:1.5s-2s", "start time, relative to the start of the profile"},
    FilterFieldInfo{duration, "dur", "duration", "dur>1ms", "duration; a number without a unit is in ns"},
};
static_assert(kFields.size() == kFilterFields);

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::span<const FilterFieldInfo> filter_fields() { return kFields; }

const FilterFieldInfo* find_filter_field(std::string_view word) {
  for (const FilterFieldInfo& info : kFields)
    if (same_word(word, info.name) || (!info.other.empty() && same_word(word, info.other))) return &info;
  return nullptr;
}

std::string_view nearest_filter_field(std::string_view word) {
  NearestWord nearest(word);
  for (const FilterFieldInfo& info : kFields) {
    nearest.consider(info.name);
    nearest.consider(info.other);
  }
  return nearest.word();
}

std::string filter_field_names() {
  std::string names;
  for (const FilterFieldInfo& info : kFields) {
    if (!names.empty()) names += ", ";
    names += info.name;
  }
  return names;
}

FilterOperatorToken filter_operator_at(std::string_view text) {
  using enum FilterOperator;
  struct Spelling {
    std::string_view text;
    FilterOperator op;
    bool negated;
  };
  static constexpr std::array kSpellings{
      Spelling{"!=", equal, true},       Spelling{"!~", like, true},   Spelling{">=", greater_equal, false},
      Spelling{"<=", less_equal, false}, Spelling{"==", equal, false}, Spelling{">", greater, false},
      Spelling{"<", less, false},        Spelling{"=", equal, false},  Spelling{"~", like, false},
      Spelling{"::", none, false},       Spelling{":", in, false}};
  for (const Spelling& spelling : kSpellings)
    if (text.starts_with(spelling.text)) return {spelling.op, spelling.negated, spelling.text.size()};
  return {};
}

std::size_t FilterCursor::after_spaces(std::size_t at) const {
  while (at < text_.size() && is_space(text_[at])) ++at;
  return at;
}

std::string_view FilterCursor::word_at(std::size_t at) const {
  const auto ends_word = [](char c) { return is_space(c) || c == '(' || c == ')' || c == '"'; };
  std::size_t end = at;
  while (end < text_.size() && !ends_word(text_[end])) ++end;
  return text_.substr(std::min(at, text_.size()), end - at);
}

bool FilterCursor::next_is_word(std::string_view keyword) const { return same_word(word(), keyword); }

bool FilterCursor::take_word(std::string_view keyword) {
  if (!next_is_word(keyword)) return false;
  move_to(at_ + keyword.size());
  return true;
}

bool FilterCursor::take(char c) {
  if (!next_is(c)) return false;
  move_to(at_ + 1);
  return true;
}

FilterValue FilterCursor::take_value(bool in_list) {
  FilterValue value{"", next_is('"'), at_};
  if (!value.quoted) {
    value.text = in_list ? word().substr(0, word().find(',')) : word();
    move_to(at_ + value.text.size());
    return value;
  }
  for (++at_; !at_end() && peek() != '"'; ++at_) {
    const bool escape = peek() == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
    if (escape) ++at_;
    value.text += peek();
  }
  if (!take('"')) fail(value.at, "unclosed quote", "add a \" at the end; write \\\" for a quote inside the string");
  return value;
}

void FilterCursor::fail(std::size_t at, std::string what, std::string advice) {
  if (error_) return;
  const std::string_view before = text_.substr(0, at);
  const auto column = 1 + std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xC0) != 0x80; });
  error_ = Error{"column " + std::to_string(column), std::move(what), std::move(advice)};
}

}  // namespace warpscope
