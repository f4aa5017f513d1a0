#pragma once
// Queries that answer questions no page answers. They ship with the program: the Query page lists them, docs/sql.md and
// `warpscope skill` print them. To add one, add an entry to recipes.cpp and run ./dev docs.
#include <span>
#include <string_view>

namespace warpscope::sql {

struct Recipe {
  std::string_view name;   ///< as a file name: "slowest_step"
  std::string_view title;  ///< "Slowest step against the median"
  std::string_view about;  ///< how to read the result, and what to change
  std::string_view query;
};

[[nodiscard]] std::span<const Recipe> recipes();

}  // namespace warpscope::sql
