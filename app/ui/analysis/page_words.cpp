#include "app/ui/analysis/page_words.hpp"

#include <algorithm>

#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr std::string_view kFlag = "--set ";
constexpr std::string_view kEndOfValue = " ,;)";

std::string in_quotes(std::string_view words) { return "“" + std::string(words) + "”"; }

}  // namespace

std::string note_on_page(std::string_view note) {
  std::string words;
  for (std::size_t at = 0; at < note.size();) {
    const std::size_t flag = std::min(note.find(kFlag, at), note.size());
    const std::size_t name = flag + kFlag.size();
    const std::size_t equals = note.find('=', std::min(name, note.size()));
    const std::size_t end = std::min(note.find_first_of(kEndOfValue, std::min(name, note.size())), note.size());
    if (flag == note.size() || equals >= end) {  // no flag, or a flag without a value
      const std::size_t next = flag == note.size() ? flag : name;
      words += note.substr(at, next - at);
      at = next;
      continue;
    }
    std::string field(note.substr(name, equals - name));
    std::ranges::replace(field, '_', ' ');
    // A period after the value ends the sentence.
    const std::size_t value_end = note[end - 1] == '.' && end == note.size() ? end - 1 : end;
    words += note.substr(at, flag - at);
    words += in_quotes(field) + " above set to " + in_quotes(note.substr(equals + 1, value_end - equals - 1));
    at = value_end;
  }
  return words;
}

std::string row_texts(const Table& table, std::size_t row) {
  std::string lines;
  bool named = false;  // set after the first text, which is the row's name
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    if (column.kind != ColumnKind::text) continue;
    const std::string_view words = table.at(row, c).text();
    if (named && !words.empty()) lines += sentence(column.shown()) + ": " + std::string(words) + "\n";
    named = true;
  }
  return lines;
}

}  // namespace warpscope::ui
