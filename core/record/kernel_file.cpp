#include "core/record/kernel_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/base/parse_number.hpp"

namespace warpscope::record {

namespace {

constexpr std::size_t kFirstReading = 16 << 10;

}  // namespace

KernelFile::KernelFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

KernelFile::~KernelFile() {
  if (file_ >= 0) ::close(file_);
}

KernelFile::KernelFile(KernelFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)), text_(std::move(other.text_)) {}

std::string_view KernelFile::read() {
  if (file_ < 0 || ::lseek(file_, 0, SEEK_SET) != 0) return {};
  std::size_t length = 0;
  for (;;) {
    if (text_.size() - length < kFirstReading) text_.resize(std::max(kFirstReading, text_.size()) * 2);
    const ssize_t got = ::read(file_, text_.data() + length, text_.size() - length);
    if (got < 0) return {};
    if (got == 0) return std::string_view(text_).substr(0, length);
    length += static_cast<std::size_t>(got);
  }
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view take_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

std::uint64_t take_count(std::string_view& line) { return parse_number<std::uint64_t>(take_word(line)).value_or(0); }

}  // namespace warpscope::record
