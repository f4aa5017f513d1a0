#pragma once
// Queries that only read columns of a table, "SELECT a, b FROM t LIMIT n": for millions of rows, SQLite's own work per
// value would take longer than the table's. Database reads these rows from the table's cursor instead; the result is
// the same.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/sql/relation.hpp"

namespace warpscope::sql {

struct PlainScan {
  const Relation* relation = nullptr;
  std::vector<std::uint32_t> fields;  ///< in the order of the result
  std::uint64_t limit = 0;            ///< most rows
};

using Relations = std::vector<std::unique_ptr<Relation>>;

/// Returns the scan that a valid statement asks for; nullopt if it asks for anything else, has comments or quoted
/// names, or reads a table that is not in `tables`.
[[nodiscard]] std::optional<PlainScan> plain_scan(std::string_view statement,
                                                  const std::vector<const Relations*>& tables);

}  // namespace warpscope::sql
