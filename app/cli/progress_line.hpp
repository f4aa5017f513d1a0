#pragma once
// A progress line on a terminal, erased before the result is printed. Writes nothing if stderr is not a terminal.
#include <chrono>
#include <cstdio>
#include <string>

namespace warpscope::cli {

class ProgressLine {
 public:
  /// Writes to stderr if that is a terminal.
  ProgressLine();
  /// Writes to `stream`; for tests.
  explicit ProgressLine(std::FILE* stream) : stream_(stream) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  using Clock = std::chrono::steady_clock;
  /// Replaces the line with `text`. Shows nothing for the first half second, then updates at most ten times per second,
  /// because short tasks need no progress line and terminals are slow.
  void show(const std::string& text, Clock::time_point now = Clock::now());
  void clear();
  /// True if progress is shown.
  [[nodiscard]] bool seen() const { return stream_ != nullptr; }

 private:
  std::FILE* stream_;  // null: not a terminal
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::milliseconds(500);
  bool shown_ = false;
};

}  // namespace warpscope::cli
