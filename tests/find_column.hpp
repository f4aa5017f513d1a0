#pragma once
// Columns by name, for tests only: the program finds columns by role.
#include <optional>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope {

/// Index of the column with that name.
inline std::optional<std::size_t> find_column(const Table& table, std::string_view name) {
  for (std::size_t c = 0; c < table.columns().size(); ++c)
    if (table.columns()[c].name == name) return c;
  return std::nullopt;
}

}  // namespace warpscope
