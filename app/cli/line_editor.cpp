#include "app/cli/line_editor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <utility>

#ifdef WARPSCOPE_LIBEDIT
#include <editline/readline.h>
#endif

#include "app/cli/messages.hpp"
#include "core/base/ascii.hpp"
#include "core/base/files/new_file.hpp"

namespace warpscope::cli {

#ifdef WARPSCOPE_LIBEDIT

namespace {

const std::vector<std::string>* completions = nullptr;  // of the only LineEditor: libedit passes no data

/// Returns the next word that starts with `text`, ignoring case; called with `again` = 0 for the first one.
char* next_completion(const char* text, int again) {
  static std::size_t at = 0;
  if (again == 0) at = 0;
  const std::string begin = lower(text);
  while (completions != nullptr && at < completions->size()) {
    const std::string& word = (*completions)[at++];
    if (lower(word).starts_with(begin)) return ::strdup(word.c_str());
  }
  return nullptr;
}

char** complete(const char* text, int /*start*/, int /*end*/) {
  ::rl_attempted_completion_over = 1;  // no file names
  return ::rl_completion_matches(text, next_completion);
}

}  // namespace

LineEditor::LineEditor(std::vector<std::string> words, std::filesystem::path history)
    : words_(std::move(words)), file_(std::move(history)) {
  completions = &words_;
  ::rl_catch_signals = 1;  // restores the terminal before the program's handlers run
  ::using_history();
  std::ifstream in(file_);
  for (std::string text; std::getline(in, text); texts_.push_back(text)) ::add_history(text.c_str());
  ::rl_attempted_completion_function = complete;
}

LineEditor::~LineEditor() { completions = nullptr; }

std::optional<std::string> LineEditor::read(const char* prompt) {
  char* line = ::readline(prompt);
  if (line == nullptr) return std::nullopt;
  std::string text = line;
  std::free(line);
  return text;
}

void LineEditor::remember(const std::string& text) {
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  ::add_history(line.c_str());
  texts_.push_back(std::move(line));
  if (texts_.size() > kMostKept) texts_.erase(texts_.begin());
  if (file_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  static_cast<void>(replace_file(file_, fmt::format("{}\n", fmt::join(texts_, "\n"))));  // a history may be lost
}

#else

LineEditor::LineEditor(std::vector<std::string> words, std::filesystem::path /*history*/) : words_(std::move(words)) {}

LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::read(const char* prompt) {
  static_cast<void>(print_result(prompt));
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

void LineEditor::remember(const std::string& /*text*/) {}

#endif

}  // namespace warpscope::cli
