#pragma once
// Splits SQL into tokens, for colors, completion and units. Accepts unfinished text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ui {

enum class SqlKind : std::uint8_t { name, keyword, number, string, comment, other };

struct SqlToken {
  SqlKind kind = SqlKind::other;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Returns the tokens in order, without blanks. Double-quoted names are names; each operator character is a token.
[[nodiscard]] std::vector<SqlToken> sql_tokens(std::string_view sql);
[[nodiscard]] inline std::string_view text_of(const SqlToken& token, std::string_view sql) {
  return sql.substr(token.begin, token.end - token.begin);
}
/// Returns a name without its quotes.
[[nodiscard]] std::string_view unquoted(std::string_view name);
/// Returns the name as it must be written in SQL: `"group"`.
[[nodiscard]] std::string sql_name(std::string_view name);
/// Returns all keywords in upper case, sorted.
[[nodiscard]] const std::vector<std::string_view>& sql_keywords();
/// True for letters, digits and underscores.
[[nodiscard]] bool is_sql_word(char c);
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);  ///< ignores case

}  // namespace warpscope::ui
