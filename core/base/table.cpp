#include "core/base/table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

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
  Block& block = block_of_next_row();
  const std::size_t given = std::min(cells.size(), columns_.size());
  for (const Cell& cell : cells.first(given)) {
    std::uint64_t payload = 0;
    switch (cell.type()) {
      case Cell::Type::missing:
        break;
      case Cell::Type::text:
        payload = store(cell.text());
        break;
      case Cell::Type::integer:
        payload = static_cast<std::uint64_t>(cell.integer());
        break;
      case Cell::Type::real:
        payload = std::bit_cast<std::uint64_t>(cell.number());
        break;
    }
    block.payloads.push_back(payload);
    block.types.push_back(cell.type());
  }
  ++rows_;
  block.payloads.resize(block.payloads.size() + columns_.size() - given);
  block.types.resize(block.types.size() + columns_.size() - given);
}

/// Small tables take what they need; each further block is made whole at once.
Table::Block& Table::block_of_next_row() {
  if (rows_ % kBlockRows == 0) {
    Block& block = blocks_.emplace_back();
    if (rows_ > 0) {
      block.payloads.reserve(kBlockRows * columns_.size());
      block.types.reserve(kBlockRows * columns_.size());
    }
  }
  return blocks_.back();
}

std::uint64_t Table::store(std::string_view text) {
  text = text.substr(0, (std::size_t{1} << kLengthBits) - 1);
  const Text fresh{text_.size(), text.size()};
  const auto payload = [](const Text& stored) { return stored.begin << kLengthBits | stored.length; };
  if (rows_ >= kRecentTexts / 8) {
    recent_.resize(kRecentTexts);
    Text& recent = recent_[std::hash<std::string_view>()(text) % kRecentTexts];
    if (recent.length == text.size() && text_at(payload(recent)) == text) return payload(recent);
    recent = fresh;
  }
  text_ += text;
  return payload(fresh);
}

std::string_view Table::text_at(std::uint64_t payload) const {
  return std::string_view(text_).substr(payload >> kLengthBits, payload & ((std::uint64_t{1} << kLengthBits) - 1));
}

Cell Table::at(std::size_t row, std::size_t column) const {
  assert(row < rows_ && column < columns_.size());
  const Block& block = blocks_[row / kBlockRows];
  const std::size_t cell = row % kBlockRows * columns_.size() + column;
  const std::uint64_t payload = block.payloads[cell];
  switch (block.types[cell]) {
    case Cell::Type::missing:
      return {};
    case Cell::Type::text:
      return text_at(payload);
    case Cell::Type::integer:
      return static_cast<std::int64_t>(payload);
    case Cell::Type::real:
      return std::bit_cast<double>(payload);
  }
  return {};
}

std::size_t Table::resident_bytes() const {
  std::size_t bytes = text_.capacity() + recent_.capacity() * sizeof(Text) + blocks_.capacity() * sizeof(Block);
  for (const Block& block : blocks_)
    bytes += block.payloads.capacity() * sizeof(std::uint64_t) + block.types.capacity() * sizeof(Cell::Type);
  return bytes;
}

void Table::reorder(std::span<const std::uint32_t> order) {
  const std::vector<Block> before = std::exchange(blocks_, {});
  const std::size_t width = columns_.size();
  const auto copy = [width](const auto& from, std::size_t cell, auto& to) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(cell);
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(width));
  };
  rows_ = 0;
  for (const std::uint32_t row : order) {
    const Block& from = before[row / kBlockRows];
    Block& to = block_of_next_row();
    copy(from.payloads, row % kBlockRows * width, to.payloads);
    copy(from.types, row % kBlockRows * width, to.types);
    ++rows_;
  }
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
