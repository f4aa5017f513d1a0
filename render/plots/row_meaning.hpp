#pragma once
// Determines the meaning and color of table rows from the role of the name column. The Dashboard, the Analysis page and
// the Timeline use the same colors.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/table.hpp"
#include "render/scene/palette.hpp"

namespace warpscope::plots {

/// Meaning of a row's name; determines its color and the slices listed on a click.
enum class RowMeaning : std::uint8_t {
  none,  ///< items without a color of their own, such as ranks
  kernel,
  kernel_class,  ///< computation, communication, memory, and their overlaps
  activity,
  memory_operation,
  precision,
  busy,
  wait,  ///< cause of idle time of a stream
  annotation,
  bound,  ///< bottleneck of a critical path
};

/// Returns the meaning of the names in a column with this role.
[[nodiscard]] RowMeaning meaning_of(ColumnRole role);

/// True for "others", the sum of the rows that the table does not list. "other" is an ordinary row.
[[nodiscard]] bool is_rest(std::string_view name);

/// Returns the color of a row. `row` is its index, which selects the color if the name does not determine one.
[[nodiscard]] scene::Color row_color(RowMeaning meaning, std::string_view name, std::size_t row, scene::Theme theme);
/// Returns the color of a column that contains one part of the total time: the Timeline color of the activity, or gray
/// for idle time.
[[nodiscard]] scene::Color part_color(ColumnRole role, scene::Theme theme);

}  // namespace warpscope::plots
