#pragma once
// The output format flags, shared by all commands that print a table.
#include <string>

#include "app/cli/arguments.hpp"
#include "core/base/result.hpp"
#include "core/base/table.hpp"

namespace warpscope::cli {

/// At most one is set; the default is text.
struct TableFormat {
  bool csv = false;
  bool json = false;
  bool markdown = false;
  bool npz = false;  ///< declared by add_npz_flag()
};

/// Declares --csv, --json and --md; returns their group, for additional formats. `json`: help text of --json.
Arguments add_format_flags(Arguments arguments, TableFormat& format, const char* json);

/// Declares --npz in the group of formats.
void add_npz_flag(Arguments formats, TableFormat& format, const char* help);
/// Returns an error for --npz on a terminal.
[[nodiscard]] Failure refused_on_terminal(const TableFormat& format);

/// Returns the table in a format other than npz.
[[nodiscard]] std::string written(const TableFormat& format, const Table& table);

}  // namespace warpscope::cli
