#pragma once
// Serializes tables, for results that are computed on another machine.
#include <vector>

#include "core/base/table.hpp"
#include "core/store/byte_stream.hpp"

namespace warpscope::analysis {

void write_table(store::StreamWriter& stream, const Table& table);
/// The table is empty or incomplete if the stream is invalid.
[[nodiscard]] Table read_table(store::StreamReader& stream);

void write_tables(store::StreamWriter& stream, const std::vector<Table>& tables);
[[nodiscard]] std::vector<Table> read_tables(store::StreamReader& stream);

}  // namespace warpscope::analysis
