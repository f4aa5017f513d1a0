#include "render/plots/bar_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/plots/rank_heat.hpp"
#include "render/plots/row_color.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

constexpr std::size_t kMostSorted = 100'000;

/// True for roles with a small, fixed set of names.
bool has_own_order(ColumnRole role) {
  using enum ColumnRole;
  constexpr std::array kOrdered{activity, state, wait_cause, path_part, kernel_class};
  return std::ranges::find(kOrdered, role) != kOrdered.end();
}

}  // namespace

std::optional<std::size_t> figure_of(const Table& table) {
  return first_of(table,
                  {ColumnKind::duration, ColumnKind::share, ColumnKind::bytes, ColumnKind::real, ColumnKind::integer});
}

std::size_t most_bars(const Table& table) { return is_of_many_ranks(table) ? table.rows() : kMostBars; }

BarRows bar_rows(const Table& table, std::size_t figure, std::span<const std::uint32_t> order) {
  BarRows chosen;
  const std::size_t most = most_bars(table);
  std::vector<std::uint32_t> rows = rows_in(table, order);
  const auto text = first_of(table, ColumnKind::text);
  const bool in_order = !text || table.find_role(ColumnRole::step) || has_own_order(table.columns()[*text].role);
  std::vector<double> values(table.rows());
  std::vector<bool> rest(table.rows());
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    const double value = table.at(row, figure).number();
    values[row] = std::isnan(value) ? -HUGE_VAL : value;
    rest[row] = text && is_rest(table.at(row, *text).text());
  }
  // Ranks stay in order in a heat map.
  if (order.empty() && most == kMostBars && (!in_order || table.rows() > kMostInOrder)) {
    // With many rows, sort only those that are drawn; tables of millions of rows are sorted only if the user asks.
    const auto drawn = rows.begin() + static_cast<std::ptrdiff_t>(std::min(kMostBars, rows.size()));
    const auto last = rows.size() <= kMostSorted ? rows.end() : drawn;
    std::partial_sort(rows.begin(), last, rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (rest[a] != rest[b]) return static_cast<bool>(rest[b]);
      return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    std::sort(last, rows.end());
    chosen.sorted = true;
    const auto others = std::find_if(rows.begin(), drawn, [&](std::uint32_t row) { return rest[row]; });
    chosen.rest_last = others != rows.begin() && others != drawn && values[*others] > values[*(others - 1)];
    chosen.order = rows;
  }
  rows.resize(std::min(most, rows.size()));
  chosen.rows = std::move(rows);
  return chosen;
}

std::string order_words(const BarRows& chosen) {
  if (!chosen.sorted) return {};
  return chosen.rest_last ? ", largest first, others last" : ", largest first";
}

}  // namespace warpscope::plots
