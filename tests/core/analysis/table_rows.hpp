#pragma once
// Formats tables as text, row by row, so that a test of a tiny trace can state the whole expected result.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"

namespace warpscope::tests {

/// Exact values of a row: "0 7 host_wait 1500 0.75 1", with "-" for missing ones.
std::string row_text(const Table& table, std::size_t row);

std::vector<std::string> row_texts(const Table& table);

std::vector<Table> tables_of(const trace::Profile& profile, std::string_view name,
                             std::vector<analysis::Setting> settings = {}, const analysis::Scope& scope = {});

Table table_of(std::vector<Table> tables, std::string_view id);

}  // namespace warpscope::tests
