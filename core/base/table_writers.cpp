#include "core/base/table_writers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/ascii.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/table_format.hpp"
#include "core/base/time.hpp"
#include "core/base/utf8.hpp"

namespace warpscope {

namespace {

constexpr std::string_view kBelowIndent = "    ";

std::vector<ColumnFormat> choose_formats(const Table& table) {
  std::vector<ColumnFormat> formats;
  for (std::size_t column = 0; column < table.columns().size(); ++column)
    formats.push_back(choose_format(table, column));
  return formats;
}

void append_repeated(std::string& out, std::string_view piece, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) out += piece;
}

void append_padded(std::string& out, const std::string& text, std::size_t width, bool right, bool last) {
  const std::size_t own = display_width(text);
  const std::size_t padding = width > own ? width - own : 0;
  if (right) out.append(padding, ' ');
  out += text;
  if (!right && !last) out.append(padding, ' ');
}

void append_csv_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && !text.starts_with(' ') && !text.ends_with(' ')) {
    out += text;
    return;
  }
  out += '"';
  for (std::size_t quote = text.find('"'); quote != std::string_view::npos; quote = text.find('"')) {
    out.append(text.substr(0, quote)).append("\"\"");
    text.remove_prefix(quote + 1);
  }
  out.append(text).append(1, '"');
}

/// Appends text from a trace without control characters; text with line ends is quoted.
void append_csv_text(std::string& out, std::string_view text) { append_csv_field(out, without_controls(text)); }

// Converts a name or unit to words joined by "_": spells out %, / and B, and treats other punctuation as separators.
std::string as_word(std::string_view text) {
  std::string word;
  bool parted = false;
  const auto append = [&](std::string_view piece) {
    if (parted && !word.empty()) word += '_';
    parted = false;
    word += piece;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = lower(text[i]);
    const bool alone = i + 1 == text.size() || text[i + 1] == '/';
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      const bool bytes = text[i] == 'B' && alone && (i == 0 || text[i - 1] == '/');
      append(bytes ? "bytes" : std::string_view(&c, 1));
    } else if (c == '%' || c == '/') {
      parted = true;
      append(c == '%' ? "pct" : "per");
      parted = true;
    } else {
      parted = true;
    }
  }
  return word;
}

// Converts to percent without the rounding noise of the multiplication.
double in_percent(double share) { return parse_number<double>(fmt::format("{:.14g}", 100 * share)).value(); }

/// True if the column has a sentence that write_text() would have to elide.
bool is_written_below(const Table& table, std::size_t column, std::size_t max_width) {
  if (max_width == 0 || table.columns()[column].role != ColumnRole::answer) return false;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (display_width(table.at(row, column).text()) > max_width) return true;
  return false;
}

}  // namespace

std::string wrapped(std::string_view whole, std::string_view first, std::string_view indent) {
  constexpr std::size_t kLineWidth = 96;
  const std::string safe = printable(whole);
  std::string_view text = safe;
  std::string out;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > kLineWidth) {
      end = text.rfind(' ', kLineWidth);
      if (end != std::string_view::npos && text.substr(end).starts_with(" %")) end = text.rfind(' ', end - 1);
      if (end == std::string_view::npos) end = std::min(text.find(' '), text.size());
    }
    out.append(out.empty() ? first : indent).append(text.substr(0, end)).append("\n");
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out;
}

void write_text(std::string& out, const Table& table, const TextOptions& options) {
  if (options.title) {
    if (!table.title.empty()) out += printable(table.title) + "\n";
    if (!table.note.empty()) out += printable(table.note) + "\n";
  }
  if (!table.text_layout.empty()) {
    for (std::string_view rest = table.text_layout; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      out += printable(rest.substr(0, end)) + "\n";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return;
  }
  const std::size_t columns = table.columns().size();
  const std::vector<ColumnFormat> formats = choose_formats(table);
  const std::optional<std::size_t> depth = table.find_role(ColumnRole::depth);
  const auto name = std::ranges::find(table.columns(), ColumnKind::text, &Column::kind) - table.columns().begin();
  const auto shown = [&](std::size_t row, std::size_t column) {
    std::string text = format_cell(formats[column], table.at(row, column));
    // The first text column shows the depth of a tree.
    if (depth && static_cast<std::ptrdiff_t>(column) == name)
      text.insert(0, 2 * static_cast<std::size_t>(std::clamp<std::int64_t>(table.at(row, *depth).integer(), 0, 1000)),
                  ' ');
    return printable(text, options.max_text_width);
  };

  std::vector<std::size_t> below;
  std::vector<std::size_t> beside;
  std::vector<std::string> headers;
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns; ++column) {
    if (is_written_below(table, column, options.max_text_width)) {
      below.push_back(column);
      continue;
    }
    beside.push_back(column);
    headers.push_back(printable(header_text(table.columns()[column], formats[column].unit)));
    widths.push_back(display_width(headers.back()));
    for (std::size_t row = 0; row < table.rows(); ++row)
      widths.back() = std::max(widths.back(), display_width(shown(row, column)));
  }

  const auto append_row = [&](auto cell) {
    for (std::size_t i = 0; i < beside.size(); ++i) {
      if (i > 0) out += "  ";
      append_padded(out, cell(i), widths[i], is_figure(formats[beside[i]].kind), i + 1 == beside.size());
    }
    out += '\n';
  };
  append_row([&](std::size_t i) { return headers[i]; });
  for (std::size_t i = 0; i < beside.size(); ++i) {
    if (i > 0) out += "  ";
    append_repeated(out, "─", widths[i]);
  }
  out += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    append_row([&](std::size_t i) { return shown(row, beside[i]); });
    for (const std::size_t column : below) out += wrapped(table.at(row, column).text(), kBelowIndent, kBelowIndent);
  }
}

/// Appends the exact quotient with as many decimals as needed: 1234567 / 1000 is 1234.567.
void append_quotient(std::string& out, std::int64_t value, std::int64_t divisor) {
  if (value < 0) out += '-';
  const std::uint64_t size = value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const auto by = static_cast<std::uint64_t>(divisor);
  out += std::to_string(size / by);
  std::uint64_t rest = size % by;
  if (rest == 0) return;
  out += '.';
  for (std::uint64_t digit = by / 10; rest > 0 && digit > 0; digit /= 10) {
    out += static_cast<char>('0' + rest / digit);
    rest %= digit;
  }
}

std::string csv_name(const Column& column) {
  if (!column.csv_name.empty()) return column.csv_name;
  std::string name = as_word(column.name);
  std::string unit = column.kind == ColumnKind::share ? "pct" : as_word(exact_unit(column));
  if (unit.empty() || name == unit || name.ends_with("_" + unit)) return name;
  return name + "_" + unit;
}

namespace {

/// True for columns whose names come from the data.
bool is_named_by_data(const Column& column) {
  return column.role == ColumnRole::part || column.role == ColumnRole::counter;
}

}  // namespace

// Columns of csv_first, then the rest.
std::vector<CsvColumn> csv_columns(const Table& table) {
  const std::vector<Column>& columns = table.columns();
  std::vector<CsvColumn> order;
  std::vector<bool> told(columns.size());
  for (std::string_view left = table.csv_first(); !left.empty();) {
    const std::string_view entry = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), entry.size() + 1));
    const std::string_view name = entry.substr(0, entry.find('='));
    const std::string_view of = entry.substr(name.size() == entry.size() ? 0 : name.size() + 1);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool any = entry == "*" && is_named_by_data(columns[c]);
      if (!any && csv_name(columns[c]) != of) continue;
      order.push_back({any ? csv_name(columns[c]) : std::string(name), c});
      if (name == of) told[c] = true;
    }
  }
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!told[c]) order.push_back({csv_name(columns[c]), c});
  return order;
}

Cell csv_value(const Column& column, const Cell& cell) {
  if (cell.type() == Cell::Type::integer) {
    const std::int64_t value = saturating_difference(cell.integer(), column.csv_zero);
    if (column.csv_divisor == 1) return value;
    return static_cast<double>(value) / static_cast<double>(column.csv_divisor);
  }
  if (cell.type() != Cell::Type::real) return cell;
  const double value = cell.number() / static_cast<double>(column.csv_divisor);
  return column.kind == ColumnKind::share && value - value == 0 ? in_percent(value) : value;
}

namespace {

void append_csv_cell(std::string& out, const Column& column, const Cell& cell) {
  switch (cell.type()) {
    case Cell::Type::missing:
      break;
    case Cell::Type::text:
      append_csv_text(out, cell.text());
      break;
    case Cell::Type::integer:
      append_quotient(out, saturating_difference(cell.integer(), column.csv_zero), column.csv_divisor);
      break;
    case Cell::Type::real:
      // CSV can represent infinities; JSON cannot.
      if (const double value = csv_value(column, cell).number(); value - value == 0) {
        append_json_number(out, value);
      } else {
        out += value > 0 ? "inf" : "-inf";
      }
      break;
  }
}

}  // namespace

void write_csv(std::string& out, const Table& table) {
  const std::vector<CsvColumn> columns = csv_columns(table);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += ',';
    append_csv_field(out, columns[i].name);
  }
  out += "\r\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) out += ',';
      const Cell cell = table.at(row, columns[i].column);
      if (!cell.missing()) append_csv_cell(out, table.columns()[columns[i].column], cell);
    }
    out += "\r\n";
  }
}

std::string escape_markdown(std::string_view text) {
  // Markdown allows escaping any ASCII punctuation; these characters are special within a line.
  constexpr std::string_view kSpecial = "\\`*_[]<>|~#&$";
  std::string out;
  for (const char c : printable(text)) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

void write_markdown(std::string& out, const Table& table) {
  if (!table.title.empty()) out += "### " + escape_markdown(table.title) + "\n\n";
  if (!table.note.empty()) out += escape_markdown(table.note) + "\n\n";
  const std::vector<ColumnFormat> formats = choose_formats(table);
  out += '|';
  for (std::size_t column = 0; column < formats.size(); ++column)
    out += " " + escape_markdown(header_text(table.columns()[column], formats[column].unit)) + " |";
  out += "\n|";
  for (const ColumnFormat& format : formats) out += is_figure(format.kind) ? " ---: |" : " :--- |";
  out += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    out += '|';
    for (std::size_t column = 0; column < formats.size(); ++column)
      out += " " + escape_markdown(format_cell(formats[column], table.at(row, column))) + " |";
    out += '\n';
  }
}

namespace {

void write_value(JsonWriter& json, const Cell& cell) {
  switch (cell.type()) {
    case Cell::Type::missing:
      json.value(nullptr);
      break;
    case Cell::Type::text:
      json.value(cell.text());
      break;
    case Cell::Type::integer:
      json.value(cell.integer());
      break;
    case Cell::Type::real:
      json.value(cell.number());
      break;
  }
}

}  // namespace

std::string as_identifier(std::string_view id) {
  std::string name(id);
  std::ranges::replace(name, '-', '_');
  return name;
}

std::vector<NamedTable> named_tables(std::string_view analysis, std::span<const Table> tables) {
  std::vector<NamedTable> named;
  for (const Table& table : tables)
    named.push_back(
        {named.empty() ? std::string(analysis) : fmt::format("{}_{}", analysis, as_identifier(table.id)), &table});
  return named;
}

void write_notes(JsonWriter& json, std::span<const NamedTable> tables) {
  const auto noted = [](const NamedTable& each) { return !each.table->note.empty(); };
  if (std::ranges::none_of(tables, noted)) return;
  json.key("notes");
  json.begin_object();
  for (const NamedTable& each : tables)
    if (noted(each)) json.member(each.name, each.table->note);
  json.end_object();
}

void write_json(std::string& out, std::span<const NamedTable> tables) {
  JsonWriter json(out);
  json.begin_object();
  json.member("schema", 2);
  write_notes(json, tables);
  for (const NamedTable& each : tables) {
    json.key(each.name);
    write_records(json, *each.table);
  }
  json.end_object();
}

void write_records(JsonWriter& json, const Table& table) {
  const std::vector<CsvColumn> columns = csv_columns(table);
  json.begin_array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    json.begin_object(JsonWriter::Layout::one_line);
    for (const CsvColumn& each : columns) {
      json.key(each.name);
      write_value(json, csv_value(table.columns()[each.column], table.at(row, each.column)));
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace warpscope
