#include "tests/tracegen/json_writer.hpp"

#include <fmt/format.h>

#include <utility>

namespace warpscope::tracegen {
namespace {

constexpr std::size_t kBuffer = 128U << 10U;
constexpr std::string_view kNewLine = "\n                                ";

}  // namespace

JsonWriter::JsonWriter(Layout layout, std::unique_ptr<ByteSink> sink)
    : layout_(layout), colon_(layout == Layout::minified ? "\":" : "\": "), sink_(std::move(sink)), buffer_(kBuffer) {}

void JsonWriter::flush() {
  if (used_ != 0) sink_->write({buffer_.data(), used_});
  used_ = 0;
}

void JsonWriter::close_file() {
  flush();
  sink_->close();
}

void JsonWriter::put_large(std::string_view text) {
  flush();
  if (text.size() > buffer_.size()) {
    sink_->write(text);
  } else {
    put(text);
  }
}

void JsonWriter::new_line(int indent) { put(kNewLine.substr(0, static_cast<std::size_t>(indent) + 1)); }

void JsonWriter::item() {
  Level& level = levels_[depth_];
  if (!level.empty) put(',');
  switch (layout_) {
    case Layout::minified:
      break;
    case Layout::oneline:
      if (!level.empty) put(' ');
      break;
    case Layout::indented:
      new_line(level.indent);
      break;
    case Layout::kineto:
      if (level.shape == Shape::list || (level.shape == Shape::block && (level.empty || break_line_))) {
        new_line(level.indent);
      } else if (!level.empty && !tight_) {
        put(' ');
      }
      break;
  }
  break_line_ = false;
  tight_ = false;
  level.empty = false;
}

void JsonWriter::open(char bracket, Shape shape, int indent) {
  put(bracket);
  const int members = layout_ == Layout::indented ? static_cast<int>(depth_ + 1) * 2 : indent;
  levels_[++depth_] = Level{shape, members, true};
}

void JsonWriter::close(char bracket) {
  const Level& level = levels_[depth_--];
  const bool broken = layout_ == Layout::indented || (layout_ == Layout::kineto && level.shape != Shape::flat);
  if (broken && !level.empty) new_line(levels_[depth_].indent);
  put(bracket);
}

void JsonWriter::integer(std::int64_t value) {
  const fmt::format_int text(value);
  put(std::string_view(text.data(), text.size()));
}

void JsonWriter::unsigned_integer(std::uint64_t value) {
  const fmt::format_int text(value);
  put(std::string_view(text.data(), text.size()));
}

void JsonWriter::microseconds(std::int64_t ns) {
  if (ns < 0) put('-');
  const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  unsigned_integer(size / 1000);
  const auto rest = static_cast<unsigned>(size % 1000);
  const std::array<char, 4> decimals{'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                                     static_cast<char>('0' + rest % 10)};
  put(std::string_view(decimals.data(), decimals.size()));
}

}  // namespace warpscope::tracegen
