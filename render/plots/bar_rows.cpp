#include "render/plots/bar_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/plots/row_meaning.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

/// Kinds of things, of which there are few and always the same.
bool has_own_order(RowMeaning meaning) {
  switch (meaning) {
    case RowMeaning::activity:
    case RowMeaning::busy:
    case RowMeaning::wait:
    case RowMeaning::bound:
    case RowMeaning::kernel_class:
      return true;
    case RowMeaning::none:
    case RowMeaning::kernel:
    case RowMeaning::memory_operation:
    case RowMeaning::precision:
    case RowMeaning::annotation:
      return false;
  }
  return false;
}

}  // namespace

std::optional<std::size_t> figure_of(const Table& table) {
  for (const ColumnKind kind :
       {ColumnKind::duration, ColumnKind::share, ColumnKind::bytes, ColumnKind::real, ColumnKind::integer})
    if (const auto found = first_of(table, kind)) return found;
  return std::nullopt;
}

BarRows bar_rows(std::string_view analysis, const Table& table, std::size_t figure) {
  BarRows chosen;
  chosen.rows.resize(table.rows());
  std::iota(chosen.rows.begin(), chosen.rows.end(), 0u);
  const auto text = first_of(table, ColumnKind::text);
  const bool in_order = !text || has_own_order(meaning_of(analysis, table.columns()[*text].name));
  if (!in_order || table.rows() > kMostInOrder) {
    std::vector<double> values(table.rows());
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      const double value = table.at(row, figure).number();
      values[row] = std::isnan(value) ? -HUGE_VAL : value;
    }
    const auto last = chosen.rows.begin() + static_cast<std::ptrdiff_t>(std::min(kMostBars, chosen.rows.size()));
    std::ranges::partial_sort(chosen.rows, last, [&](std::uint32_t a, std::uint32_t b) {
      return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    chosen.rows.erase(last, chosen.rows.end());
    if (text)
      std::ranges::stable_partition(chosen.rows,
                                    [&](std::uint32_t row) { return !is_rest(table.at(row, *text).text()); });
    chosen.sorted = true;
  }
  return chosen;
}

}  // namespace warpscope::plots
