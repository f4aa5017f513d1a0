#pragma once
// Bars for profiler counters: one bar per kernel, summed over its executions, with counters of one kind as parts.
// Quantities in different units (cycles, bytes and instructions) never share a bar.
#include <optional>

#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Creates bars from a table with a kernel column and one column per counter. Counters are identified by CSV name.
/// Shows the kind with the most non-zero counters; nullopt if all counters are zero. An item's row is the kernel's
/// longest execution. O(rows · counters).
[[nodiscard]] std::optional<PlottedBars> counter_bars(const Table& table, scene::Theme theme);

/// Returns the prefix shared by counters of one kind: "smsp__inst_executed_op" for "smsp__inst_executed_op_fadd.sum".
[[nodiscard]] std::string_view counter_kind(std::string_view counter);

}  // namespace warpscope::plots
