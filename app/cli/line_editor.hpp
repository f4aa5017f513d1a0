#pragma once
// Reads lines from a terminal with editing, history and completion (libedit). Without libedit, reads plain lines.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpscope::cli {

/// One at a time.
class LineEditor {
 public:
  /// `words`: what Tab completes to. `history`: a file that keeps the last kMostKept texts; "" for none.
  LineEditor(std::vector<std::string> words, std::filesystem::path history);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  /// Shows `prompt` and returns the line; nullopt at the end of the input.
  [[nodiscard]] std::optional<std::string> read(const char* prompt);
  /// Adds a text to the history, for the arrow keys, on one line.
  void remember(const std::string& text);

 private:
  static constexpr std::size_t kMostKept = 500;

  std::vector<std::string> words_;
  std::filesystem::path file_;
  std::vector<std::string> texts_;  // of the history
};

}  // namespace warpscope::cli
