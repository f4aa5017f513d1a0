#pragma once
// Diagnostics as a table: what the Diagnostics tab and `info` show.
#include <string>

#include "core/base/diagnostics.hpp"
#include "core/base/table.hpp"

namespace warpscope {

/// A row per (code, file), the gravest first: severity, code, count, file, offset, example, explanation. Files below
/// `root` (what was opened) are named relative to it.
[[nodiscard]] Table diagnostics_table(const Diagnostics& diagnostics, const std::string& root);
inline constexpr std::size_t kExplanationColumn = 6;

}  // namespace warpscope
