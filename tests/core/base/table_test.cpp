#include "core/base/table.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "core/base/table_format.hpp"
#include "core/base/table_writers.hpp"
#include "core/base/time.hpp"
#include "tests/catch.hpp"

using namespace warpscope;

namespace {

Table kernels() {
  Table table("kernels", "Kernels",
              {{"kernel", "", ColumnKind::text},
               {"rank", "", ColumnKind::identifier},
               {"count", "", ColumnKind::integer},
               {"total", "", ColumnKind::duration},
               {"share", "", ColumnKind::share}});
  table.add_row({"gemm<float, 4>", 0, 1200, Ns{1'204'000'000}, 0.813});
  table.add_row({"say \"hi\"", 1000, 7, Ns{12'300'000}, 0.0625});
  table.add_row({"softmax", 2});
  return table;
}

std::vector<std::int64_t> order_of(const Table& table, std::size_t column, SortOrder order) {
  const std::vector<std::uint32_t> rows = sorted_order(table, column, order);
  return {rows.begin(), rows.end()};
}

}  // namespace

TEST_CASE("a table with many rows returns its cells and stores repeated strings once") {
  Table table("many", "Many", {{"name", "", ColumnKind::text}, {"other", "", ColumnKind::text}});
  const auto name = [](std::size_t row) { return std::string(200, static_cast<char>('a' + row % 20)); };
  constexpr std::size_t kRows = 20'000;
  std::mt19937 random(5);
  std::vector<std::string> others;
  for (std::size_t row = 0; row < kRows; ++row) {
    others.push_back(row % 7 == 0 ? "" : std::to_string(random() % 5000));
    table.add_row({name(row), others.back()});
  }
  REQUIRE(table.rows() == kRows);
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < kRows; ++row)
    wrong += table.at(row, 0).text() != name(row) || table.at(row, 1).text() != others[row];
  CHECK(wrong == 0);
  CHECK(table.resident_bytes() < kRows * 100);  // the strings alone would take 200 bytes per row
}

TEST_CASE("cells of a large table are packed by width, and rows sort across blocks") {
  Table table(
      "many", "Many",
      {{"number", "", ColumnKind::integer}, {"real", "", ColumnKind::real}, {"left out", "", ColumnKind::real}});
  constexpr std::size_t kRows = 100'000;
  const auto number = [](std::size_t row) { return static_cast<std::int64_t>(row * 7919 % kRows); };
  for (std::size_t row = 0; row < kRows; ++row) table.add_row({number(row), 0.5 * static_cast<double>(number(row))});
  CHECK(table.resident_bytes() < kRows * (3 + 8 + 0) * 11 / 10);
  const auto wrong = [&](const auto& number_of) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
      count += table.at(row, 0).integer() != number_of(row) ||
               table.at(row, 1).number() != 0.5 * static_cast<double>(number_of(row)) || !table.at(row, 2).missing();
    return count;
  };
  CHECK(wrong(number) == 0);
  sort_rows(table, 0, SortOrder::ascending);
  CHECK(table.rows() == kRows);
  CHECK(wrong([](std::size_t row) { return static_cast<std::int64_t>(row); }) == 0);
  const std::vector<std::uint32_t> kept{99'999, 5000, 3};
  table.reorder(kept);
  REQUIRE(table.rows() == 3);
  CHECK(wrong([&](std::size_t row) { return static_cast<std::int64_t>(kept[row]); }) == 0);
  table.add_row({std::int64_t{4}, 2.0});
  CHECK(table.at(3, 0).integer() == 4);
}

TEST_CASE("a large table with mixed columns is packed without loss") {
  Table table("launches", "Launches",
              {{"rank", "", ColumnKind::identifier},
               {"begin", "", ColumnKind::time},
               {"name", "", ColumnKind::text},
               {"duration", "", ColumnKind::duration},
               {"remark", "", ColumnKind::text},
               {"odd", "", ColumnKind::real}});
  constexpr std::size_t kRows = 50'001;
  const auto row_of = [](std::size_t row) {
    std::mt19937 random(static_cast<unsigned>(row));
    const auto begin = static_cast<std::int64_t>(row * 20'000 + random() % 20'000);
    const Cell remark = row % 11 == 0 ? Cell("late run") : Cell();
    // One column of each type, including extreme values.
    const Cell odd = row % 4096 == 7     ? Cell(std::numeric_limits<std::int64_t>::min())
                     : row % 4096 == 8   ? Cell(std::numeric_limits<std::int64_t>::max())
                     : row / 4096 % 2    ? Cell()
                     : random() % 3 == 0 ? Cell(-0.25)
                                         : Cell("text");
    const char* const name = row % 3 == 0 ? "gemm" : "softmax";
    return std::vector<Cell>{static_cast<int>(row / 10'000), begin, name, 1000 + random() % 50'000, remark, odd};
  };
  for (std::size_t row = 0; row < kRows; ++row) table.add_row(row_of(row));
  const Table copy = table;
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::vector<Cell> expected = row_of(row);
    for (std::size_t column = 0; column < expected.size(); ++column)
      wrong += !(copy.at(row, column) == expected[column]) || copy.at(row, column).type() != expected[column].type();
  }
  CHECK(wrong == 0);
  // 4 + 1 + 2 bytes, 8 for the odd column and some bits, instead of 54; plus the rows that are not packed.
  CHECK(table.resident_bytes() < kRows * 18 + 4096 * 54);
}

TEST_CASE("columns are found by role, not by name") {
  const Table table("t", "",
                    {{"a", "", ColumnRole::name},
                     {"b", "", ColumnRole::rank, "rank"},
                     {"c", "", ColumnKind::share, ColumnRole::memory},
                     {"d", "", ColumnRole::duration, "dur", 1000},
                     {"e", "", ColumnRole::rank}});
  CHECK(table.find_role(ColumnRole::rank) == 1u);
  CHECK(table.find_role(ColumnRole::memory) == 2u);
  CHECK_FALSE(table.find_role(ColumnRole::stream));
  CHECK(table.columns()[0].kind == ColumnKind::text);
  CHECK(table.columns()[1].kind == ColumnKind::identifier);
  CHECK(table.columns()[2].kind == ColumnKind::share);
  CHECK(table.columns()[3].kind == ColumnKind::duration);
  CHECK(table.columns()[3].csv_divisor == 1000);
}

TEST_CASE("a table returns its cells") {
  const Table table = kernels();
  REQUIRE(table.rows() == 3);
  CHECK(table.at(0, 0) == Cell("gemm<float, 4>"));
  CHECK(table.at(1, 2).integer() == 7);
  CHECK(table.at(1, 4).number() == 0.0625);
  CHECK(table.at(2, 3).missing());
  CHECK(table.at(0, 3).number() == 1.204e9);
  const Table copy = table;
  CHECK(copy.at(1, 0).text() == "say \"hi\"");
}

TEST_CASE("cells accept all number types") {
  CHECK(Cell(std::size_t{5}).integer() == 5);
  CHECK(Cell(std::numeric_limits<std::uint64_t>::max()).integer() == std::numeric_limits<std::int64_t>::max());
  CHECK(Cell(std::optional<double>{}).missing());
  CHECK(Cell(std::optional<int>{3}) == Cell(3));
  CHECK(Cell(std::nan("")).missing());
  CHECK(Cell(std::nan("")) == Cell());
  CHECK_FALSE(Cell("") == Cell());
  CHECK_FALSE(Cell(1) == Cell(1.0));
}

TEST_CASE("rows sort stably by a column, missing values last in either direction") {
  Table table("t", "T", {{"name", "", ColumnKind::text}, {"value", "", ColumnKind::real}});
  table.add_row({"b", 2});
  table.add_row({"a", std::nan("")});
  table.add_row({"c", 1.5});
  table.add_row({"b", 2.0});
  table.add_row({Cell(), std::numeric_limits<std::int64_t>::max()});
  table.add_row({"d", "text"});
  using V = std::vector<std::int64_t>;
  CHECK(order_of(table, 0, SortOrder::ascending) == V{1, 0, 3, 2, 5, 4});
  CHECK(order_of(table, 0, SortOrder::descending) == V{5, 2, 0, 3, 1, 4});
  CHECK(order_of(table, 1, SortOrder::ascending) == V{2, 0, 3, 4, 5, 1});
  CHECK(order_of(table, 1, SortOrder::descending) == V{5, 4, 0, 3, 2, 1});
  sort_rows(table, 0, SortOrder::ascending);
  CHECK(table.at(0, 0).text() == "a");
  CHECK(table.at(5, 0).missing());
  const std::uint32_t kept[] = {4, 4};
  table.reorder(kept);
  CHECK(table.rows() == 2);
  CHECK(table.at(1, 0).text() == "d");
}

TEST_CASE("strings sort in natural order") {
  Table table("t", "T", {{"name", "", ColumnKind::text}});
  for (const char* name : {"rank 10", "rank 9", "rank 100"}) table.add_row({name});
  CHECK(order_of(table, 0, SortOrder::ascending) == std::vector<std::int64_t>{1, 0, 2});
}

TEST_CASE("integers and reals sort by value where a double cannot hold the integer") {
  Table table("t", "T", {{"value", "", ColumnKind::real}});
  constexpr std::int64_t kBig = (std::int64_t{1} << 60) + 1;
  table.add_row({kBig});
  table.add_row({static_cast<double>(kBig)});  // one less
  table.add_row({kBig - 2});
  table.add_row({1e30});
  table.add_row({-1e30});
  table.add_row({2.5});
  table.add_row({3});
  table.add_row({2});
  CHECK(order_of(table, 0, SortOrder::ascending) == std::vector<std::int64_t>{4, 7, 5, 6, 2, 1, 0, 3});
}

TEST_CASE("text output is aligned by display width, with units in the header") {
  std::string out;
  write_text(out, kernels());
  CHECK(out ==
        "Kernels\n"
        "kernel          rank  count  total (ms)  share (%)\n"
        "──────────────  ────  ─────  ──────────  ─────────\n"
        "gemm<float, 4>     0  1\u2009200   1\u2009204.000       81.3\n"
        "say \"hi\"        1000      7      12.300        6.2\n"
        "softmax            2      –           –          –\n");
}

TEST_CASE("text output shortens long names in the middle and removes escape sequences") {
  Table table("t", "", {{"name", "", ColumnKind::text}, {"n", "", ColumnKind::integer}});
  const std::string tail = "end";
  table.add_row({std::string(500, 'x') + tail, 1});
  table.add_row({"\x1b[2J", 2});
  std::string out;
  write_text(out, table, {.max_text_width = 9});
  CHECK(out ==
        "name       n\n"
        "─────────  ─\n"
        "xxxx…xend  1\n"
        "\uFFFD[2J       2\n");
}

TEST_CASE("text output never shortens sentences") {
  Table table("t", "", {{"sentence", "", ColumnRole::answer}, {"n", "", ColumnKind::integer}});
  table.add_row({"Short.", 2});
  std::string out;
  write_text(out, table);
  CHECK(out == "sentence  n\n────────  ─\nShort.    2\n");
  const std::string word(60, 'w');
  table.add_row({word + " " + word, 1});
  out.clear();
  write_text(out, table);
  CHECK(out == "n\n─\n2\n    Short.\n1\n    " + word + "\n    " + word + "\n");
}

TEST_CASE("a column uses the unit that suits most of its values") {
  const auto unit_of = [](std::initializer_list<std::int64_t> values, ColumnKind kind = ColumnKind::duration) {
    Table table("t", "T", {{"v", "", kind}});
    for (const std::int64_t value : values) table.add_row({value});
    return choose_format(table, 0).unit;
  };
  CHECK(unit_of({}) == "ns");
  CHECK(unit_of({0, 812}) == "ns");
  CHECK(unit_of({3'410}) == "µs");
  CHECK(unit_of({12'300'000, 1'000'000}) == "ms");
  CHECK(unit_of({2'000'000'000, 3'000'000'000}) == "s");
  CHECK(unit_of({2'000'000'000, 3'000, 4'000, 5'000}) == "µs");
  CHECK(unit_of({-5'000'000}) == "ms");
  CHECK(unit_of({4096, 1 << 21}, ColumnKind::bytes) == "KiB");
  CHECK(unit_of({1 << 20, 1 << 21}, ColumnKind::bytes) == "MiB");
  CHECK(unit_of({4096, 1024, 1 << 30}, ColumnKind::bytes) == "KiB");
}

TEST_CASE("durations compared along a row share one unit") {
  const auto units = [](int first, int second) {
    Table table("t", "T",
                {{"control", "", ColumnKind::duration, {}, 1, 0, first},
                 {"test", "", ColumnKind::duration, {}, 1, 0, second},
                 {"apart", "", ColumnKind::duration}});
    table.add_row({900'000, 1'100'000, 5});
    table.add_row({80'000, 1'200'000, 5});
    return choose_format(table, 0).unit + " " + choose_format(table, 1).unit + " " + choose_format(table, 2).unit;
  };
  CHECK(units(0, 0) == "µs ms ns");
  CHECK(units(1, 1) == "ms ms ns");
  CHECK(units(1, 2) == "µs ms ns");
}

TEST_CASE("cells round to the nearest value; integers are exact") {
  const auto shown = [](ColumnKind kind, std::initializer_list<Cell> values) {
    Table table("t", "T", {{"v", "", kind}});
    for (const Cell& value : values) table.add_row({value});
    return format_cell(choose_format(table, 0), table.at(0, 0));
  };
  CHECK(shown(ColumnKind::duration, {Ns{1'234'500}}) == "1.235");
  CHECK(shown(ColumnKind::duration, {Ns{-1'234'500}}) == "-1.235");
  CHECK(shown(ColumnKind::duration, {Ns{1'234'499}}) == "1.234");
  CHECK(shown(ColumnKind::duration, {Ns{9'223'372'036'854'775'807}}) == "9\u2009223\u2009372\u2009036.855");
  CHECK(shown(ColumnKind::duration, {812.25}) == "812.2");
  CHECK(shown(ColumnKind::time, {Ns{1'234'567'891}}) == "1.234568");
  CHECK(shown(ColumnKind::identifier, {123456}) == "123456");
  CHECK(shown(ColumnKind::integer, {123456}) == "123\u2009456");
  CHECK(shown(ColumnKind::share, {1.0}) == "100.0");
  CHECK(shown(ColumnKind::real, {3.14159}) == "3.142");
  CHECK(shown(ColumnKind::real, {1234567.8}) == "1\u2009234\u2009567.8");
  CHECK(shown(ColumnKind::real, {-1234.56}) == "-1\u2009234.6");
  CHECK(shown(ColumnKind::real, {-0.0001, 5.0}) == "0.000");
  CHECK(shown(ColumnKind::real, {0.0}) == "0.000");
  CHECK(shown(ColumnKind::real, {0.012345678}) == "0.012346");
  CHECK(shown(ColumnKind::real, {1.5e-9}) == "1.500e-09");
  CHECK(shown(ColumnKind::real, {std::numeric_limits<double>::infinity()}) == "∞");
  CHECK(shown(ColumnKind::real, {std::nan("")}) == "–");
  CHECK(shown(ColumnKind::text, {Cell()}).empty());
}

TEST_CASE("CSV follows RFC 4180 and is exact to the nanosecond") {
  Table table = kernels();
  table.add_row({"two\nlines", -1, Cell(), 12.5, std::nan("")});
  std::string out;
  write_csv(out, table);
  CHECK(out ==
        "kernel,rank,count,total_ns,share_pct\r\n"
        "\"gemm<float, 4>\",0,1200,1204000000,81.3\r\n"
        "\"say \"\"hi\"\"\",1000,7,12300000,6.25\r\n"
        "softmax,2,,,\r\n"
        "\"two\nlines\",-1,,12.5,\r\n");
}

TEST_CASE("CSV has HTA's columns first and its time zero") {
  Table table("runs", "Runs",
              {{"name", "", ColumnKind::text, "name"},
               {"stream", "", ColumnKind::identifier, "stream"},
               {"begin", "", ColumnKind::time, "ts", 1000, 500},
               {"runs", "", ColumnKind::integer},
               {"flops", "", ColumnRole::counter, "flops"},
               {"loads", "", ColumnRole::counter, "loads"}},
              "index,ts,*,tid=stream,stream");
  table.add_row({"gemm", 7, 2500, 3, 8, 9});
  table.add_row({"relu", 7, 0, 1, 0, 2});
  std::string out;
  write_csv(out, table);
  CHECK(out ==
        "ts,flops,loads,tid,stream,name,runs\r\n"
        "2,8,9,7,7,gemm,3\r\n"
        "-0.5,0,2,7,7,relu,1\r\n");
  std::string json;
  write_json(json, named_tables("t", std::span(&table, 1)));
  CHECK(json.find(R"("flops": 8, "loads": 9, "tid": 7, "stream": 7, "name": "gemm", "runs": 3})") != std::string::npos);
}

TEST_CASE("a label is shown instead of the name, which stays in CSV and JSON") {
  Table table("edges", "Edges", {Column{"links", "", ColumnKind::integer}.labeled("edges")});
  table.add_row({3});
  CHECK(header_text(table.columns()[0], "") == "edges");
  std::string csv;
  write_csv(csv, table);
  CHECK(csv == "links\r\n3\r\n");
  std::string json;
  write_json(json, named_tables("t", std::span(&table, 1)));
  CHECK(json.find("\"links\"") != std::string::npos);
  CHECK(json.find("edges") == std::string::npos);
}

TEST_CASE("CSV column names are words that end with their unit") {
  CHECK(csv_name({"bin begin", "", ColumnKind::duration}) == "bin_begin_ns");
  CHECK(csv_name({"bytes", "", ColumnKind::bytes}) == "bytes");
  CHECK(csv_name({"copied", "", ColumnKind::bytes}) == "copied_bytes");
  CHECK(csv_name({"copied", "B/s", ColumnKind::bytes}) == "copied_bytes_per_s");
  CHECK(csv_name({"share of GPU time", "", ColumnKind::share}) == "share_of_gpu_time_pct");
  CHECK(csv_name({"cpu", "%", ColumnKind::real}) == "cpu_pct");
  CHECK(csv_name({"rate", "GB/s", ColumnKind::real}) == "rate_gb_per_s");
  CHECK(csv_name({"p95", "", ColumnKind::duration}) == "p95_ns");
  CHECK(csv_name({"name", "", ColumnKind::text}) == "name");
  CHECK(csv_name({"B/s", "", ColumnKind::integer}) == "bytes_per_s");
}

namespace {

// A strict RFC 4180 reader.
std::vector<std::vector<std::string>> read_csv(std::string_view csv) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (quoted) {
      if (c != '"') {
        row.back() += c;
      } else if (i + 1 < csv.size() && csv[i + 1] == '"') {
        row.back() += csv[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.emplace_back();
    } else if (c == '\r' && i + 1 < csv.size() && csv[i + 1] == '\n') {
      ++i;
      rows.push_back(std::exchange(row, {""}));
    } else {
      row.back() += c;
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("any CSV text survives writing and reading") {
  std::mt19937 random(9);
  Table table("t", "T", {{"a", "", ColumnKind::text}, {"b, \"c\"", "x", ColumnKind::text}});
  std::vector<std::vector<std::string>> expected{{"a", "b_c_x"}};
  for (int i = 0; i < 500; ++i) {
    std::vector<std::string> row(2);
    for (std::string& text : row)
      for (auto length = random() % 8; length > 0; --length)
        text += std::array{"a", ",", "\"", "\r", "\n", "\t", " ", "é"}[random() % 8];
    table.add_row({row[0], row[1]});
    expected.push_back(row);
  }
  std::string out;
  write_csv(out, table);
  CHECK(read_csv(out) == expected);
}

TEST_CASE("CSV text is unchanged except for control characters") {
  Table table("t", "T", {{"name", "", ColumnKind::text}});
  table.add_row({"=gemm\x1b]0;title\x07<float>"});
  table.add_row({"two\r\nlines"});
  std::string out;
  write_csv(out, table);
  CHECK(out == "name\r\n=gemm\uFFFD]0;title\uFFFD<float>\r\n\"two\r\nlines\"\r\n");
}

TEST_CASE("Markdown text is escaped") {
  std::string out;
  Table table = kernels();
  table.note = "a|b";
  write_markdown(out, table);
  CHECK(out ==
        "### Kernels\n\n"
        "a\\|b\n\n"
        "| kernel | rank | count | total (ms) | share (%) |\n"
        "| :--- | ---: | ---: | ---: | ---: |\n"
        "| gemm\\<float, 4\\> | 0 | 1\u2009200 | 1\u2009204.000 | 81.3 |\n"
        "| say \"hi\" | 1000 | 7 | 12.300 | 6.2 |\n"
        "| softmax | 2 | – | – | – |\n");
}

TEST_CASE("JSON has one record per row, with the columns of CSV") {
  std::string out;
  Table notes = kernels();
  notes.id = "more-kernels";
  notes.note = "A note";
  const Table tables[] = {kernels(), notes};
  write_json(out, named_tables("top", tables));
  const std::string rows = R"([
    {"kernel": "gemm<float, 4>", "rank": 0, "count": 1200, "total_ns": 1204000000, "share_pct": 81.3},
    {"kernel": "say \"hi\"", "rank": 1000, "count": 7, "total_ns": 12300000, "share_pct": 6.25},
    {"kernel": "softmax", "rank": 2, "count": null, "total_ns": null, "share_pct": null}
  ])";
  CHECK(out == "{\n  \"schema\": 2,\n  \"notes\": {\n    \"top_more_kernels\": \"A note\"\n  },\n  \"top\": " + rows +
                   ",\n  \"top_more_kernels\": " + rows + "\n}\n");
}

TEST_CASE("tables without rows or without columns") {
  Table table("t", "Idle time", {{"rank", "", ColumnKind::identifier}});
  table.note = "No step was recorded";
  std::string text;
  write_text(text, table);
  CHECK(text == "Idle time\nNo step was recorded\nrank\n────\n");
  std::string csv;
  write_csv(csv, table);
  CHECK(csv == "rank\r\n");
  std::string json;
  write_json(json, named_tables("t", std::span(&table, 1)));
  CHECK(json.find("\"t\": []") != std::string::npos);
  std::string nothing;
  write_text(nothing, Table());
  CHECK(nothing == "\n\n");
}

TEST_CASE("CSV uses HTA's column names and units where declared") {
  Table table("t", "T",
              {{"rank", "", ColumnKind::identifier, "rank"},
               {"idle", "", ColumnKind::duration, "idle_time(us)", 1000},
               {"mean", "", ColumnKind::duration, "mean (us)", 1000},
               {"idle share", "", ColumnKind::share, "idle_pctg"}});
  table.add_row({0, 1'234'567, 1500.0, 0.5});
  table.add_row({1, -1'050, 0.25, 0.0});
  table.add_row({2, 7'000, Cell(), 1.0});
  table.add_row({3, std::numeric_limits<std::int64_t>::min(), 0.0, 1.0});
  std::string csv;
  write_csv(csv, table);
  CHECK(csv ==
        "rank,idle_time(us),mean (us),idle_pctg\r\n"
        "0,1234.567,1.5,50\r\n"
        "1,-1.05,0.00025,0\r\n"
        "2,7,,100\r\n"
        "3,-9223372036854775.808,0,100\r\n");
}
