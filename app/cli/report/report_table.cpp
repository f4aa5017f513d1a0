#include "app/cli/report/report_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/table_format.hpp"
#include "core/base/utf8.hpp"
#include "render/charts/svg_writer.hpp"

namespace warpscope::cli {
namespace {

constexpr std::size_t kLongestName =
    160;  // columns; longer C++ names are shortened in the middle; the tooltip has the full name

constexpr std::size_t kWidestWord = 26;  // characters; longer words are broken if there is no space

void write_cell(std::string& out, const Table& table, std::size_t row, std::size_t column, const ColumnFormat& format) {
  const std::string text = format_cell(format, table.at(row, column));
  if (is_figure(format.kind)) {
    fmt::format_to(std::back_inserter(out), "<td class=\"figure\">{}</td>", html(text));
  } else if (display_width(text) > kLongestName) {
    fmt::format_to(std::back_inserter(out), "<td title=\"{}\">{}</td>", html(text), html(text, kLongestName));
  } else {
    fmt::format_to(std::back_inserter(out), "<td>{}</td>", html(text));
  }
}

/// Returns the minimum column width, in characters, at which no word is broken.
std::size_t least_width(const Table& table, std::size_t column) {
  std::size_t longest = 0;
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (const std::string_view word : parts_of(table.at(row, column).text(), " "))
      longest = std::max(longest, word.size());
  return std::min(longest + 2, kWidestWord);
}

/// Returns a copy with the first `rows` rows; 0: all.
Table first_rows(const Table& table, std::size_t rows) {
  Table first = table;
  if (rows > 0 && rows < table.rows()) {
    std::vector<std::uint32_t> kept(rows);
    std::iota(kept.begin(), kept.end(), 0u);
    first.reorder(kept);
  }
  return first;
}

}  // namespace

std::string html(std::string_view text, std::size_t width) {
  std::string out = charts::escaped(printable(text, width));
  // "50 %" stays on one line.
  for (std::size_t at = out.find(" %"); at != std::string::npos; at = out.find(" %", at)) out.replace(at, 1, "\u00a0");
  return out;
}

void write_html(std::string& out, const Table& whole, std::size_t rows) {
  fmt::format_to(std::back_inserter(out), "<h3>{}</h3>\n", html(whole.title));
  if (!whole.note.empty()) fmt::format_to(std::back_inserter(out), "<p class=\"note\">{}</p>\n", html(whole.note));
  if (whole.rows() == 0) {
    if (whole.note.empty()) out += "<p class=\"note\">No data in this profile.</p>\n";
    return;
  }
  const Table table = first_rows(whole, rows);
  out += "<div class=\"table\"><table><thead><tr>";
  std::vector<ColumnFormat> formats;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    formats.push_back(choose_format(table, c));
    const std::string header = html(header_text(table.columns()[c], formats[c].unit));
    if (is_figure(formats[c].kind))
      fmt::format_to(std::back_inserter(out), "<th class=\"figure\">{}</th>", header);
    else
      fmt::format_to(std::back_inserter(out), "<th style=\"min-width:{}ch\">{}</th>", least_width(table, c), header);
  }
  out += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < table.rows(); ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < formats.size(); ++c) write_cell(out, table, r, c, formats[c]);
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (table.rows() < whole.rows())
    fmt::format_to(std::back_inserter(out), "<p class=\"note\">Showing the first {} of {} rows.</p>\n",
                   format_count(static_cast<std::int64_t>(table.rows())),
                   format_count(static_cast<std::int64_t>(whole.rows())));
}

}  // namespace warpscope::cli
