#include "core/base/json_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "core/base/utf8.hpp"

namespace warpscope {

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\n\r\t\b\f";
  constexpr std::string_view kNames = "\"\\nrtbf";
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c != U'"' && c != U'\\' && !is_unsafe(c))
      append_code_point(out, c);
    else if (const std::size_t i = kEscaped.find(static_cast<char>(c)); c < 0x80 && i != std::string_view::npos)
      out.append(1, '\\').append(1, kNames[i]);
    else
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  }
  out += '"';
}

void append_json_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  assert(error == std::errc{});
  out.append(text.data(), end);
}

void JsonWriter::begin(char bracket, Layout layout) {
  before_value();
  const bool inner_line = (levels_.empty() ? layout_ : levels_.back().layout) == Layout::one_line;
  levels_.push_back({inner_line ? Layout::one_line : layout});
  out_ += bracket;
}

void JsonWriter::end(char bracket) {
  assert(!levels_.empty() && !after_key_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && level.layout == Layout::lines) {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }
  out_ += bracket;
  if (levels_.empty()) out_ += '\n';
}

void JsonWriter::separate() {
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += ',';
  if (level.layout == Layout::lines) {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  } else if (!level.empty) {
    out_ += ' ';
  }
  level.empty = false;
}

void JsonWriter::before_value() {
  if (!after_key_) separate();
  after_key_ = false;
}

void JsonWriter::key(std::string_view name) {
  assert(!levels_.empty() && !after_key_);
  separate();
  append_json_string(out_, name);
  out_ += ": ";
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  before_value();
  append_json_string(out_, text);
}

void JsonWriter::value(bool truth) { raw(truth ? "true" : "false"); }

void JsonWriter::value(double number) {
  before_value();
  append_json_number(out_, number);
}

void JsonWriter::raw(std::string_view json) {
  before_value();
  out_ += json;
}

}  // namespace warpscope
