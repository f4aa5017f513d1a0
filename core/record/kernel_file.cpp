#include "core/record/kernel_file.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/base/parse_number.hpp"

namespace warpscope::record {

std::string kernel_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
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
