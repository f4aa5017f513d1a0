#include "app/ui/query/completion.hpp"

#include <algorithm>

#include "app/ui/query/sql_text.hpp"
#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

const std::vector<SchemaTable> kSchema{
    {"slice", "All slices", false, {{.name = "id"}, {.name = "name"}, {.name = "dur", .unit = "ns"}, {.name = "end"}}},
    {"step", "Steps", false, {{.name = "number"}, {.name = "group"}}},
    {"late_ranks", "Late ranks", true, {}}};

/// Texts offered at "|".
std::vector<std::string> offered(std::string sql, bool asked = false) {
  const std::size_t cursor = sql.find('|');
  sql.erase(cursor, 1);
  std::vector<std::string> texts;
  for (const Completion& item : completions_at(sql, cursor, kSchema, asked).items) texts.push_back(item.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("completion offers what fits at the cursor", "[query]") {
  CHECK(offered("SELECT * FROM s|") == Texts{"slice", "step"});
  CHECK(offered("SELECT * FROM rank|") == Texts{"late_ranks"});
  CHECK(offered("SELECT * FROM |").empty());
  CHECK(offered("SELECT * FROM |", true) == Texts{"slice", "step", "late_ranks"});
  // Columns of the named tables come first; the text after the cursor counts.
  CHECK(offered("SELECT n| FROM slice").front() == "name");
  CHECK(offered("SELECT n| FROM step").front() == "number");
  CHECK(offered("SELECT gr| FROM step") == Texts{"\"group\"", "group_concat(", "group"});
  CHECK(offered("SELECT p.| FROM slice AS s JOIN step p") == Texts{"number", "\"group\""});
  CHECK(offered("SELECT s.n| FROM slice AS s JOIN step p") == Texts{"name"});
  CHECK(offered("SELECT s.n| FROM step; SELECT 1 FROM slice s").empty());  // another statement
  CHECK(offered("sel|") == Texts{"select"});
  CHECK(offered("SEL|") == Texts{"SELECT"});
}

TEST_CASE("completion keeps out of the way", "[query]") {
  CHECK(offered("SELECT sum(dur) AS na| FROM slice").empty());  // a new name
  CHECK(offered("SELECT * FROM slice s| ").empty());
  CHECK(offered("SELECT * FROM slice li|") == Texts{"like", "limit"});
  CHECK(offered("SELECT name| FROM slice").empty());  // complete
  CHECK(offered("SELECT 'na|").empty());
  CHECK(offered("-- na|").empty());
  CHECK(offered("|").empty());
}

TEST_CASE("tokens of SQL have no gaps but blanks, also in unfinished text", "[query]") {
  for (const std::string_view sql :
       {"SELECT \"group\", 1.5e3 -- end\nFROM t WHERE x='it''s'", "SELECT '", "/* a", "\"", "a.b*c", "--", ""}) {
    INFO(sql);
    std::size_t at = 0;
    for (const SqlToken& token : sql_tokens(sql)) {
      CHECK(token.end > token.begin);
      CHECK(sql.substr(at, token.begin - at).find_first_not_of(" \n") == std::string_view::npos);
      at = token.end;
    }
    CHECK(at == sql.size());
  }
}

}  // namespace
}  // namespace warpscope::ui
