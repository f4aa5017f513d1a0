#pragma once
// What a profiler counted of kernels, as bars: one a kernel, of all of its runs together, with the counters that are of
// one kind as its parts. Figures that are no parts of a whole (cycles, bytes and instructions) never share a bar.
#include <optional>

#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Of a table with a column of kernels and a column of figures for each counter, known by its name in CSV; the kind
/// with most counters that counted anything. Nothing where none did. The row of an item is the kernel's longest run.
/// O(rows · counters).
[[nodiscard]] std::optional<PlottedBars> counter_bars(const Table& table, scene::Theme theme);

/// What two counters of one kind have in common: "smsp__inst_executed_op" of "smsp__inst_executed_op_fadd.sum".
[[nodiscard]] std::string_view counter_kind(std::string_view counter);

}  // namespace warpscope::plots
