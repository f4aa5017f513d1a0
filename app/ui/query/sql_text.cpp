#include "app/ui/query/sql_text.hpp"

#include <algorithm>

#include "core/base/ascii.hpp"

namespace warpscope::ui {
namespace {

// END is missing because SQLite accepts it as the name of a column, which several tables have.
constexpr std::string_view kKeywords =
    "ALL AND AS ASC BETWEEN BY CASE CAST CREATE CROSS DESC DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FILTER FROM FULL "
    "GLOB GROUP HAVING IN INNER INTERSECT IS ISNULL JOIN LEFT LIKE LIMIT NATURAL NOT NOTNULL NULL OFFSET ON OR ORDER "
    "OUTER OVER PARTITION RECURSIVE RIGHT SELECT TABLE TEMP THEN UNION USING VALUES VIEW WHEN WHERE WINDOW WITH";

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

bool is_keyword(std::string_view word) {
  return std::ranges::binary_search(sql_keywords(), std::string_view(upper(word)));
}

/// Returns the end of the token at `at`.
std::size_t end_of(std::string_view sql, std::size_t at, SqlKind& kind) {
  const auto through = [&](std::string_view closing, std::size_t from) {
    const std::size_t found = sql.find(closing, from);
    return found == std::string_view::npos ? sql.size() : found + closing.size();
  };
  const auto while_word = [&] {
    std::size_t end = at;
    while (end < sql.size() && (is_sql_word(sql[end]) || (kind == SqlKind::number && sql[end] == '.'))) ++end;
    return end;
  };
  const std::string_view rest = sql.substr(at);
  if (rest.starts_with("--")) {
    kind = SqlKind::comment;
    return std::min(sql.find('\n', at), sql.size());
  }
  if (rest.starts_with("/*")) {
    kind = SqlKind::comment;
    return through("*/", at + 2);
  }
  if (rest[0] == '\'' || rest[0] == '"') {
    kind = rest[0] == '"' ? SqlKind::name : SqlKind::string;
    return through(rest.substr(0, 1), at + 1);
  }
  if (is_digit(rest[0])) {
    kind = SqlKind::number;
    return while_word();
  }
  if (!is_sql_word(rest[0])) return at + 1;
  const std::size_t end = while_word();
  kind = is_keyword(sql.substr(at, end - at)) ? SqlKind::keyword : SqlKind::name;
  return end;
}

}  // namespace

bool is_sql_word(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

const std::vector<std::string_view>& sql_keywords() {
  static const std::vector<std::string_view> kAll = [] {
    std::vector<std::string_view> words;
    for (std::string_view rest = kKeywords; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      words.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return words;
  }();
  return kAll;
}

std::vector<SqlToken> sql_tokens(std::string_view sql) {
  std::vector<SqlToken> tokens;
  for (std::size_t at = 0; at < sql.size();) {
    if (sql[at] == ' ' || sql[at] == '\n' || sql[at] == '\t' || sql[at] == '\r') {
      ++at;
      continue;
    }
    SqlToken token{SqlKind::other, at, at};
    token.end = end_of(sql, at, token.kind);
    tokens.push_back(token);
    at = token.end;
  }
  return tokens;
}

std::string_view unquoted(std::string_view name) {
  return name.size() >= 2 && name.front() == '"' && name.back() == '"' ? name.substr(1, name.size() - 2) : name;
}

std::string sql_name(std::string_view name) {
  const bool plain = !name.empty() && !is_digit(name[0]) && std::ranges::all_of(name, is_sql_word) && !is_keyword(name);
  return plain ? std::string(name) : '"' + std::string(name) + '"';
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace warpscope::ui
