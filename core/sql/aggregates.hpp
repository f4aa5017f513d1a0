#pragma once
// Statistics that SQLite lacks (kFunctions in functions.hpp): median, percentile and stddev. All ignore NULL and text
// that is no number, and are NULL without values.
struct sqlite3;

namespace warpscope::sql {

[[nodiscard]] bool add_aggregates(sqlite3* database);

}  // namespace warpscope::sql
