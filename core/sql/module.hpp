#pragma once
// Connects a relation to SQLite as a read-only virtual table. The table needs no CREATE: it exists under its name in
// every database that it is added to, and `name(a, b)` sets its hidden columns.
#include <memory>

#include "core/sql/relation.hpp"

struct sqlite3;

namespace warpscope::sql {

/// Adds a relation to a database, which must be closed first. EXPLAIN QUERY PLAN shows the conditions that the table
/// looks up after its name: "SCAN slice VIRTUAL TABLE INDEX 0:rank= start>=".
[[nodiscard]] bool add_table(sqlite3* database, Relation& relation);

}  // namespace warpscope::sql
