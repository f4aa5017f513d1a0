#pragma once
// Creates an icicle chart from a table that represents a tree, using the roles of its columns: names, depths and
// totals. Rows must be in depth-first order.
#include <optional>

#include "core/base/table.hpp"
#include "render/charts/icicle.hpp"

namespace warpscope::plots {

/// Item i of the chart corresponds to row i. Returns nullopt if the table lacks these columns or all totals are 0.
[[nodiscard]] std::optional<charts::Icicle> icicle_of(const Table& table, scene::Theme theme);

}  // namespace warpscope::plots
