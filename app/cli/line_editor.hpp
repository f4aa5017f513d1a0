#pragma once
// Reads lines from a terminal with editing, history and completion (libedit). Without libedit, reads plain lines.
#include <optional>
#include <string>
#include <vector>

namespace warpscope::cli {

/// One at a time.
class LineEditor {
 public:
  /// `words`: what Tab completes to.
  explicit LineEditor(std::vector<std::string> words);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  /// Shows `prompt` and returns the line; nullopt at the end of the input.
  [[nodiscard]] std::optional<std::string> read(const char* prompt);
  /// Adds a text to the history, for the arrow keys.
  void remember(const std::string& text);

 private:
  std::vector<std::string> words_;
};

}  // namespace warpscope::cli
