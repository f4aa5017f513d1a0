#pragma once
// Colors of table rows and of columns that are parts of a whole. The Dashboard, the Analysis page and the Timeline use
// the same colors.
#include <string_view>

#include "core/analysis/shared/time_label.hpp"
#include "core/base/table.hpp"
#include "render/scene/palette.hpp"

namespace warpscope::plots {

/// True if names in a column with this role have colors of their own, as kernels and causes have, but not ranks.
[[nodiscard]] bool has_colors(ColumnRole role);

/// True for "others", the sum of the rows that the table does not list. "other" is an ordinary row.
[[nodiscard]] bool is_rest(std::string_view name);

/// Returns the color of a row. `cell`: its name, in a column with this role; names of kinds and classes refer to the
/// enumerator. `row` is its index, which selects the color if the name does not determine one.
[[nodiscard]] scene::Color row_color(ColumnRole role, const Cell& cell, std::size_t row, scene::Theme theme);
/// Returns the color of a column that contains one part of the total time: the Timeline color of the activity, or gray
/// for idle time. `reference`: of the column.
[[nodiscard]] scene::Color part_color(ColumnRole role, scene::Theme theme, std::uint32_t reference = 0);

/// Returns the color of time with this label.
[[nodiscard]] scene::Color label_color(analysis::TimeLabel label, scene::Theme theme);

}  // namespace warpscope::plots
