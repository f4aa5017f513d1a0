#include "app/cli/progress_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/utf8.hpp"

namespace warpscope::cli {

namespace {

constexpr std::string_view kEraseToEnd = "\r\x1b[K";

/// Returns the number of columns of the terminal. Longer text would wrap and could not be erased.
std::size_t columns(std::FILE* stream) {
  struct winsize size {};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// Returns the longest prefix of at most `columns` characters (UTF-8 text, each one column wide).
std::string_view fitting(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (begins && columns-- == 0) break;
  }
  return text.substr(0, at);
}

}  // namespace

ProgressLine::ProgressLine() : stream_(::isatty(::fileno(stderr)) != 0 ? stderr : nullptr) {}

void ProgressLine::show(const std::string& text, Clock::time_point now) {
  if (stream_ == nullptr || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  std::string line(kEraseToEnd);
  line += fitting(printable(text), columns(stream_) - 1);
  std::fwrite(line.data(), 1, line.size(), stream_);
  std::fflush(stream_);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fwrite(kEraseToEnd.data(), 1, kEraseToEnd.size(), stream_);
  std::fflush(stream_);
  shown_ = false;
}

}  // namespace warpscope::cli
