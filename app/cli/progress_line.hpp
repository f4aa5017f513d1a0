#pragma once
// One line on a terminal that says how far a command is, and is gone when the command goes on to its result. Where
// stderr is no terminal there is nobody who waits, and nothing is written.
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
  /// Shows `text` in place of what stood there. In the first half second nothing is shown, then at most ten lines a
  /// second: what is over at once needs no progress, and terminals are slow.
  void show(const std::string& text, Clock::time_point now = Clock::now());
  void clear();
  /// Somebody may be looking.
  [[nodiscard]] bool seen() const { return stream_ != nullptr; }

 private:
  std::FILE* stream_;  // null: nobody looks
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::milliseconds(500);
  bool shown_ = false;
};

}  // namespace warpscope::cli
