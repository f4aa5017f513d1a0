#pragma once
// All tables of a profile. To add one, write a class (part_table.hpp) with its columns in tables/, declare its function
// in this list, and run ./dev docs.
#include <memory>
#include <vector>

#include "core/sql/context.hpp"
#include "core/sql/relation.hpp"

// One line per table, in the order of the documentation and of an export.
#define WARPSCOPE_SQL_TABLES(TABLE) \
  TABLE(node)                       \
  TABLE(rank)                       \
  TABLE(track)                      \
  TABLE(slice)                      \
  TABLE(gpu_activity)               \
  TABLE(launch)                     \
  TABLE(annotation)                 \
  TABLE(step)                       \
  TABLE(counter)                    \
  TABLE(sample)                     \
  TABLE(collective)                 \
  TABLE(arrival)                    \
  TABLE(diagnostic)                 \
  TABLE(finding)

namespace warpscope::sql {

namespace tables {
#define WARPSCOPE_SQL_DECLARE(name) [[nodiscard]] std::unique_ptr<Relation> name(Context& context);
WARPSCOPE_SQL_TABLES(WARPSCOPE_SQL_DECLARE)
#undef WARPSCOPE_SQL_DECLARE
}  // namespace tables

[[nodiscard]] inline std::vector<std::unique_ptr<Relation>> make_tables(Context& context) {
  std::vector<std::unique_ptr<Relation>> all;
#define WARPSCOPE_SQL_MAKE(name) all.push_back(tables::name(context));
  WARPSCOPE_SQL_TABLES(WARPSCOPE_SQL_MAKE)
#undef WARPSCOPE_SQL_MAKE
  return all;
}

}  // namespace warpscope::sql
