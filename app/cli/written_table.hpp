#pragma once
// The output format flags, shared by all commands that print a table.
#include <string>

#include "app/cli/arguments.hpp"
#include "core/base/table.hpp"

namespace warpscope::cli {

/// At most one is set; the default is text.
struct TableFormat {
  bool csv = false;
  bool json = false;
  bool markdown = false;
};

/// Declares --csv, --json and --md; returns their group, for additional formats. `json`: help text of --json.
Arguments add_format_flags(Arguments arguments, TableFormat& format, const char* json);

[[nodiscard]] std::string written(const TableFormat& format, const Table& table);

}  // namespace warpscope::cli
