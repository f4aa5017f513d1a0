#include "render/plots/bar_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "core/base/format.hpp"
#include "render/charts/kernel_label.hpp"

namespace warpscope::plots {
namespace {

constexpr std::size_t kMostTexts = 2;
constexpr Ns kTimeResolution = 1000;  // of times that tell equal bars apart

/// What is said of a row beside its name.
constexpr std::array<std::string_view, 2> kRemarks{"remark", "candidate"};
/// What a row is of first of all, however much other columns tell.
constexpr std::string_view kAlways = "operator";

using Columns = std::vector<std::size_t>;

/// A function's signature, with templates or arguments. Copies and files of Python have parentheses of another kind.
bool is_signature(std::string_view name) {
  if (name.starts_with("Mem") || name.find(".py(") != std::string_view::npos || name.starts_with('<')) return false;
  return name.starts_with("void ") || name.find('<') != std::string_view::npos ||
         (name.find('(') != std::string_view::npos && name.find("()") == std::string_view::npos &&
          name.find(' ') > name.find('('));
}

std::string short_part(std::string_view name) {
  return is_signature(name) ? charts::kernel_label(name) : std::string(name);
}

/// The names of a sequence, which analyses join with "|" or " -> "; a name alone. In "Memcpy HtoD (Pinned -> Device)"
/// the arrow joins nothing.
std::vector<std::string_view> sequence_of(std::string_view name) {
  constexpr std::string_view kArrow = " -> ";
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool arrow = name.substr(i).starts_with(kArrow);
    if (name[i] != '|' && !arrow) continue;
    const std::string_view part = name.substr(begin, i - begin);
    if (arrow && part.starts_with("Mem") && part.find('(') != std::string_view::npos &&
        part.find(')') == std::string_view::npos)
      continue;
    parts.push_back(part);
    begin = i + (arrow ? kArrow.size() : 1);
    i = begin - 1;
  }
  parts.push_back(name.substr(begin));
  return parts;
}

std::string joined(const Table& table, std::uint32_t row, const Columns& columns) {
  std::string label;
  for (const std::size_t c : columns) {
    const Cell cell = table.at(row, c);
    if (cell.missing() || (cell.type() == Cell::Type::text && cell.text().empty())) continue;
    const Column& column = table.columns()[c];
    label += (label.empty() ? "" : " · ") +
             (cell.type() == Cell::Type::text ? short_name(cell.text()) : word_of(column, cell));
  }
  return label;
}

/// How many different labels the rows have by these columns.
std::size_t told_apart(const Table& table, std::span<const std::uint32_t> rows, const Columns& columns) {
  std::set<std::string> labels;
  for (const std::uint32_t row : rows) labels.insert(joined(table, row, columns));
  return labels.size();
}

bool varies(const Table& table, std::size_t column) {
  for (std::size_t r = 1; r < table.rows(); ++r)
    if (!(table.at(r, column) == table.at(0, column))) return true;
  return false;
}

Columns with(Columns columns, std::size_t column) {
  columns.push_back(column);
  std::ranges::sort(columns);
  return columns;
}

/// Texts anywhere, identifiers in front of the first figure.
struct Candidates {
  Columns texts{};
  Columns identifiers{};
};
Candidates candidates_of(const Table& table) {
  Candidates found;
  bool figures = false;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const ColumnKind kind = table.columns()[c].kind;
    if (kind == ColumnKind::text) {
      if (std::ranges::find(kRemarks, table.columns()[c].name) == kRemarks.end()) found.texts.push_back(c);
    } else if (kind == ColumnKind::identifier && (!figures || table.columns()[c].name == "rank")) {
      found.identifiers.push_back(c);
    } else {
      figures = true;
    }
  }
  return found;
}

Columns naming_columns(const Table& table, std::span<const std::uint32_t> rows) {
  Candidates left = candidates_of(table);
  Columns chosen;
  if (const auto rank = table.find_column("rank"); rank && varies(table, *rank)) {
    chosen.push_back(*rank);
    std::erase(left.identifiers, *rank);
  }
  std::size_t texts = 0;
  if (const auto always = table.find_column(kAlways); always && std::erase(left.texts, *always) > 0) {
    chosen = with(chosen, *always);
    ++texts;
  }
  std::size_t told = told_apart(table, rows, chosen);
  for (; texts < kMostTexts && !left.texts.empty(); ++texts) {
    std::optional<std::size_t> best;
    for (const std::size_t text : left.texts)
      if (const std::size_t now = told_apart(table, rows, with(chosen, text)); now > told) {
        told = now;
        best = text;
      }
    if (!best) break;
    chosen = with(chosen, *best);
    std::erase(left.texts, *best);
  }
  if (chosen.empty() && !left.texts.empty()) chosen.push_back(left.texts.front());
  for (const std::size_t identifier : left.identifiers) {
    const std::size_t now = told_apart(table, rows, with(chosen, identifier));
    if (now <= told && !chosen.empty()) continue;
    chosen = with(chosen, identifier);
    told = now;
  }
  // The rank stands first, wherever its column is.
  if (const auto rank = table.find_column("rank"))
    std::ranges::stable_partition(chosen, [&](std::size_t column) { return column == *rank; });
  return chosen;
}

/// To labels that occur more than once, what `words` makes of the index of each.
template <class Words>
void tell_equal_apart(std::vector<std::string>& labels, Words words) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& label : labels) ++counts[label];
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (const auto count = counts.find(labels[i]); count != counts.end() && count->second > 1)
      labels[i] += words(i, ++seen[labels[i]]);
}

}  // namespace

std::string short_name(std::string_view name) {
  const std::vector<std::string_view> parts = sequence_of(name);
  std::string sequence;
  for (std::size_t i = 0; i < parts.size();) {
    std::size_t times = 1;
    while (i + times < parts.size() && parts[i + times] == parts[i]) ++times;
    sequence += (i > 0 ? " → " : "") + short_part(parts[i]);
    if (times > 1) sequence += fmt::format(" ×{}", times);
    i += times;
  }
  return sequence;
}

std::string word_of(const Column& column, const Cell& cell) {
  if (cell.type() == Cell::Type::text) return std::string(cell.text());
  return (column.name == "gpu" ? std::string("GPU") : column.name) + " " + std::to_string(cell.integer());
}

std::vector<std::string> bar_labels(const Table& table, std::span<const std::uint32_t> rows) {
  std::vector<std::string> labels;
  if (rows.empty()) return labels;
  const Columns columns = naming_columns(table, rows);
  for (const std::uint32_t row : rows) labels.push_back(joined(table, row, columns));
  const auto time = std::ranges::find(table.columns(), ColumnKind::time, &Column::kind);
  if (time != table.columns().end()) {
    const auto column = static_cast<std::size_t>(time - table.columns().begin());
    tell_equal_apart(labels, [&](std::size_t i, std::size_t) {
      return " · at " + format_time_at(table.at(rows[i], column).integer(), kTimeResolution);
    });
  }
  tell_equal_apart(labels, [](std::size_t, std::size_t nth) { return fmt::format(" ({})", nth); });
  return labels;
}

}  // namespace warpscope::plots
