#pragma once
// What the rows of a table are of, by the role of the column that names them, and the colours and labels that follow
// from it: the same on the Dashboard and the Analysis page, and as the timeline has them.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/table.hpp"
#include "render/scene/palette.hpp"

namespace warpscope::plots {

/// What a row's name stands for, so that a click can find its slices and its colour.
enum class RowMeaning : std::uint8_t {
  none,  ///< equal things, as ranks
  kernel,
  kernel_class,  ///< computation, communication, memory, and where they overlap
  activity,
  memory_operation,
  precision,
  busy,
  wait,  ///< why a stream was idle
  annotation,
  bound,  ///< what bounds a critical path
};

/// What the texts of a column of that role stand for.
[[nodiscard]] RowMeaning meaning_of(ColumnRole role);

/// True if the row sums up what a table does not list by name: "others". A row that is named "other" is one of the
/// rows.
[[nodiscard]] bool is_rest(std::string_view name);

/// `row`: its index, by which rows without a colour of their own differ.
[[nodiscard]] scene::Color row_color(RowMeaning meaning, std::string_view name, std::size_t row, scene::Theme theme);
/// The color of a column that is a part of time: that of the activity on the timeline, gray for idle time.
[[nodiscard]] scene::Color part_color(ColumnRole role, scene::Theme theme);

}  // namespace warpscope::plots
