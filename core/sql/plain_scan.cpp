#include "core/sql/plain_scan.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/base/ascii.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::sql {

namespace {

/// Splits a statement into names, numbers and punctuation, in lower case.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// Returns the next word; "" at the end.
  std::string next() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
    std::size_t size = 0;
    while (size < text_.size() && is_part(text_[size])) ++size;
    size = std::max<std::size_t>(size, text_.empty() ? 0 : 1);
    const std::string word = lower(text_.substr(0, size));
    text_.remove_prefix(size);
    return word;
  }

 private:
  static bool is_part(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || is_digit(c) || c == '_'; }

  std::string_view text_;
};

const Relation* find_relation(const std::vector<const Relations*>& tables, const std::string& name) {
  for (const Relations* group : tables)
    for (const auto& each : *group)
      if (lower(each->name) == name) return each.get();
  return nullptr;
}

/// Adds the field named `word`, or all visible fields for "*". Returns false if there are none.
bool add_fields(PlainScan& scan, const std::string& word) {
  const std::vector<Field>& fields = scan.relation->fields;
  bool found = false;
  for (std::uint32_t f = 0; f < fields.size(); ++f) {
    if (word == "*" ? fields[f].hidden : lower(fields[f].name) != word) continue;
    scan.fields.push_back(f);
    found = true;
  }
  return found;
}

}  // namespace

std::optional<PlainScan> plain_scan(std::string_view statement, const std::vector<const Relations*>& tables) {
  Words words(statement);
  if (words.next() != "select") return std::nullopt;
  std::vector<std::string> columns;
  std::string separator = ",";
  for (; separator == ","; separator = words.next()) columns.push_back(words.next());
  if (separator != "from") return std::nullopt;
  PlainScan scan{find_relation(tables, words.next()), {}, std::numeric_limits<std::uint64_t>::max()};
  if (scan.relation == nullptr) return std::nullopt;
  std::string word = words.next();
  if (word == "limit") {
    const auto limit = parse_number<std::int64_t>(words.next());
    if (!limit) return std::nullopt;
    scan.limit = static_cast<std::uint64_t>(*limit);
    word = words.next();
  }
  if (word == ";") word = words.next();
  if (!word.empty()) return std::nullopt;
  for (const std::string& column : columns)
    if (!add_fields(scan, column)) return std::nullopt;
  return scan;
}

}  // namespace warpscope::sql
