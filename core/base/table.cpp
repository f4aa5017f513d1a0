#include "core/base/table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/base/natural_order.hpp"

namespace warpscope {

namespace {

// An integer and a double by value, without rounding the integer.
std::partial_ordering compare_exactly(std::int64_t a, double b) {
  constexpr double kTwo63 = 9223372036854775808.0;
  if (b >= kTwo63) return std::partial_ordering::less;
  if (b < -kTwo63) return std::partial_ordering::greater;
  const double floor = std::floor(b);
  const auto whole = static_cast<std::int64_t>(floor);
  if (a != whole) return a <=> whole;
  return b > floor ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

bool less(const Cell& a, const Cell& b) {
  using enum Cell::Type;
  if (a.type() == text || b.type() == text) {
    if (a.type() != b.type()) return b.type() == text;
    return natural_less(a.text(), b.text());
  }
  if (a.type() == integer && b.type() == integer) return a.integer() < b.integer();
  if (a.type() == integer) return compare_exactly(a.integer(), b.number()) < 0;
  if (b.type() == integer) return compare_exactly(b.integer(), a.number()) > 0;
  return a.number() < b.number();
}

}  // namespace

std::string_view to_string(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::text:
      return "text";
    case ColumnKind::integer:
      return "integer";
    case ColumnKind::identifier:
      return "identifier";
    case ColumnKind::real:
      return "real";
    case ColumnKind::duration:
      return "duration";
    case ColumnKind::time:
      return "time";
    case ColumnKind::bytes:
      return "bytes";
    case ColumnKind::share:
      return "share";
  }
  return "";
}

std::string_view exact_unit(const Column& column) {
  if (!column.unit.empty()) return column.unit;
  switch (column.kind) {
    case ColumnKind::duration:
    case ColumnKind::time:
      return "ns";
    case ColumnKind::bytes:
      return "B";
    default:
      return "";
  }
}

bool operator==(const Cell& a, const Cell& b) {
  if (a.missing() || b.missing()) return a.missing() == b.missing();
  if (a.type_ != b.type_) return false;
  switch (a.type_) {
    case Cell::Type::text:
      return a.text_ == b.text_;
    case Cell::Type::integer:
      return a.integer_ == b.integer_;
    default:
      return a.real_ == b.real_;
  }
}

std::optional<std::size_t> Table::find_column(std::string_view name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].name == name) return i;
  return std::nullopt;
}

void Table::add_row(std::span<const Cell> cells) {
  assert(cells.size() <= columns_.size());
  const std::size_t given = std::min(cells.size(), columns_.size());
  for (const Cell& cell : cells.first(given)) {
    StoredCell stored{0, 0, cell.type()};
    switch (cell.type()) {
      case Cell::Type::missing:
        break;
      case Cell::Type::text:
        stored = store(cell.text().substr(0, std::numeric_limits<std::uint32_t>::max()));
        break;
      case Cell::Type::integer:
        stored.payload = static_cast<std::uint64_t>(cell.integer());
        break;
      case Cell::Type::real:
        stored.payload = std::bit_cast<std::uint64_t>(cell.number());
        break;
    }
    cells_.push_back(stored);
  }
  ++rows_;
  cells_.resize(rows_ * columns_.size());
}

Table::StoredCell Table::store(std::string_view text) {
  StoredCell fresh{text_.size(), static_cast<std::uint32_t>(text.size()), Cell::Type::text};
  if (rows_ >= kRecentTexts / 8) {
    recent_.resize(kRecentTexts);
    StoredCell& recent = recent_[std::hash<std::string_view>()(text) % kRecentTexts];
    if (recent.type == Cell::Type::text && std::string_view(text_).substr(recent.payload, recent.length) == text)
      return recent;
    recent = fresh;
  }
  text_ += text;
  return fresh;
}

Cell Table::at(std::size_t row, std::size_t column) const {
  assert(row < rows_ && column < columns_.size());
  const StoredCell& stored = cells_[row * columns_.size() + column];
  switch (stored.type) {
    case Cell::Type::missing:
      return {};
    case Cell::Type::text:
      return std::string_view(text_).substr(stored.payload, stored.length);
    case Cell::Type::integer:
      return static_cast<std::int64_t>(stored.payload);
    case Cell::Type::real:
      return std::bit_cast<double>(stored.payload);
  }
  return {};
}

void Table::reorder(std::span<const std::uint32_t> order) {
  std::vector<StoredCell> cells;
  cells.reserve(order.size() * columns_.size());
  for (const std::uint32_t row : order) {
    assert(row < rows_);
    const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(row * columns_.size());
    cells.insert(cells.end(), first, first + static_cast<std::ptrdiff_t>(columns_.size()));
  }
  cells_ = std::move(cells);
  rows_ = order.size();
}

std::vector<std::uint32_t> sorted_order(const Table& table, std::size_t column, SortOrder order) {
  std::vector<Cell> keys;
  keys.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) keys.push_back(table.at(row, column));

  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  const auto present =
      std::stable_partition(rows.begin(), rows.end(), [&](std::uint32_t row) { return !keys[row].missing(); });
  if (order == SortOrder::ascending) {
    std::stable_sort(rows.begin(), present, [&](std::uint32_t a, std::uint32_t b) { return less(keys[a], keys[b]); });
  } else {
    std::stable_sort(rows.begin(), present, [&](std::uint32_t a, std::uint32_t b) { return less(keys[b], keys[a]); });
  }
  return rows;
}

void sort_rows(Table& table, std::size_t column, SortOrder order) { table.reorder(sorted_order(table, column, order)); }

}  // namespace warpscope
