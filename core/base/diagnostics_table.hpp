#pragma once
// Diagnostics as a table for the Diagnostics tab and `info`.
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/table.hpp"

namespace warpscope {

/// Returns one row per (code, file), most severe first: severity, code, count, file, offset, example, explanation.
/// Paths of files under `root` (the opened path) are relative to it.
[[nodiscard]] Table diagnostics_table(const Diagnostics& diagnostics, const std::string& root);
/// Returns the diagnostics in the order of the table's rows.
[[nodiscard]] std::vector<const Diagnostic*> by_severity(const Diagnostics& diagnostics);

}  // namespace warpscope
