#pragma once
// Formats a table as requested by the command's flags.
#include <span>
#include <string>

#include "core/base/table_writers.hpp"

namespace warpscope::cli {

/// `options` has the flags csv, markdown and json, at most one of them set; text if none is set.
template <class Options>
[[nodiscard]] std::string written(const Options& options, const Table& table) {
  std::string out;
  if (options.csv) {
    write_csv(out, table);
  } else if (options.markdown) {
    write_markdown(out, table);
  } else if (options.json) {
    write_json(out, std::span(&table, 1));
  } else {
    write_text(out, table);
  }
  return out;
}

}  // namespace warpscope::cli
