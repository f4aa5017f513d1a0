#include "app/cli/written_table.hpp"

#include <array>

#include "app/cli/messages.hpp"
#include "core/base/table_writers.hpp"

namespace warpscope::cli {

Arguments add_format_flags(Arguments arguments, TableFormat& format, const char* json) {
  Arguments formats = arguments.one_of("format");
  formats.flag("--csv", format.csv, "CSV with exact values; column names include the unit");
  formats.flag("--json", format.json, json);
  formats.flag("--md", format.markdown, "A GitHub Markdown table");
  return formats;
}

void add_npz_flag(Arguments formats, TableFormat& format, const char* help) { formats.flag("--npz", format.npz, help); }

Failure refused_on_terminal(const TableFormat& format) {
  if (!format.npz || !prints_to_terminal()) return {};
  return Error{"--npz", "writes binary data, which a terminal cannot show", "redirect it: --npz > result.npz"};
}

std::string written(const TableFormat& format, const Table& table) {
  std::string out;
  if (format.csv)
    write_csv(out, table);
  else if (format.markdown)
    write_markdown(out, table);
  else if (format.json)
    write_json(out, std::array{NamedTable{as_identifier(table.id), &table}});
  else
    write_text(out, table);
  return out;
}

}  // namespace warpscope::cli
