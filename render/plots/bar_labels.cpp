#include "render/plots/bar_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/base/format.hpp"
#include "render/plots/name_labels.hpp"

namespace warpscope::plots {
namespace {

constexpr std::size_t kMostTexts = 2;
constexpr Ns kTimeResolution = 1000;  // resolution of the times that distinguish equal bars

/// Columns with this role are always part of the label, even if other columns distinguish the rows.
constexpr ColumnRole kAlways = ColumnRole::op;

using Columns = std::vector<std::size_t>;

/// Rows of a table whose labels are shown together.
class Labeled {
 public:
  Labeled(const Table& table, std::span<const std::uint32_t> rows) : table_(table), rows_(rows) {
    names_.resize(table.columns().size());
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (!holds_kernels(table, c)) continue;
      std::vector<std::string_view> texts;
      for (const std::uint32_t row : rows) texts.push_back(table.at(row, c).text());
      names_[c].emplace(texts);
    }
  }

  [[nodiscard]] std::string joined(std::uint32_t row, const Columns& columns) const {
    std::string label;
    for (const std::size_t c : columns) {
      const Cell cell = table_.at(row, c);
      if (cell.missing() || (cell.type() == Cell::Type::text && cell.text().empty())) continue;
      label +=
          (label.empty() ? "" : " · ") + (names_[c] ? names_[c]->of(cell.text()) : word_of(table_.columns()[c], cell));
    }
    return label;
  }

  /// Returns the number of distinct labels from these columns.
  [[nodiscard]] std::size_t told_apart(const Columns& columns) const {
    std::set<std::string> labels;
    for (const std::uint32_t row : rows_) labels.insert(joined(row, columns));
    return labels.size();
  }

 private:
  const Table& table_;
  std::span<const std::uint32_t> rows_;
  std::vector<std::optional<NameLabels>> names_;  // by column
};

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

/// Text columns anywhere, and identifiers before the first number.
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
      if (table.columns()[c].role != ColumnRole::remark) found.texts.push_back(c);
    } else if (kind == ColumnKind::identifier && (!figures || table.columns()[c].role == ColumnRole::rank)) {
      found.identifiers.push_back(c);
    } else {
      figures = true;
    }
  }
  return found;
}

Columns naming_columns(const Table& table, const Labeled& labeled) {
  Candidates left = candidates_of(table);
  Columns chosen;
  if (const auto rank = table.find_role(ColumnRole::rank); rank && varies(table, *rank)) {
    chosen.push_back(*rank);
    std::erase(left.identifiers, *rank);
  }
  std::size_t texts = 0;
  if (const auto always = table.find_role(kAlways); always && std::erase(left.texts, *always) > 0) {
    chosen = with(chosen, *always);
    ++texts;
  }
  std::size_t told = labeled.told_apart(chosen);
  for (; texts < kMostTexts && !left.texts.empty(); ++texts) {
    std::optional<std::size_t> best;
    for (const std::size_t text : left.texts)
      if (const std::size_t now = labeled.told_apart(with(chosen, text)); now > told) {
        told = now;
        best = text;
      }
    if (!best) break;
    chosen = with(chosen, *best);
    std::erase(left.texts, *best);
  }
  if (chosen.empty() && !left.texts.empty()) chosen.push_back(left.texts.front());
  for (const std::size_t identifier : left.identifiers) {
    const std::size_t now = labeled.told_apart(with(chosen, identifier));
    if (now <= told && !chosen.empty()) continue;
    chosen = with(chosen, identifier);
    told = now;
  }
  // The rank goes first, regardless of its column's position.
  if (const auto rank = table.find_role(ColumnRole::rank))
    std::ranges::stable_partition(chosen, [&](std::size_t column) { return column == *rank; });
  return chosen;
}

/// Appends `words(index)` to labels that occur more than once.
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

std::string word_of(const Column& column, const Cell& cell) {
  if (cell.type() == Cell::Type::text) return std::string(cell.text());
  return (column.role == ColumnRole::gpu ? std::string("GPU") : column.shown()) + " " + std::to_string(cell.integer());
}

std::vector<std::string> bar_labels(const Table& table, std::span<const std::uint32_t> rows) {
  std::vector<std::string> labels;
  if (rows.empty()) return labels;
  const Labeled labeled(table, rows);
  const Columns columns = naming_columns(table, labeled);
  for (const std::uint32_t row : rows) labels.push_back(labeled.joined(row, columns));
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
