#include "core/base/diagnostics_table.hpp"

#include <algorithm>
#include <functional>

#include "core/base/display_path.hpp"

namespace warpscope {

std::vector<const Diagnostic*> by_severity(const Diagnostics& diagnostics) {
  std::vector<const Diagnostic*> entries;
  for (const Diagnostic& entry : diagnostics.all()) entries.push_back(&entry);
  std::ranges::stable_sort(entries, std::ranges::greater(), &Diagnostic::severity);
  return entries;
}

Table diagnostics_table(const Diagnostics& diagnostics, const std::string& root) {
  Table table("diagnostics", "Diagnostics",
              {{"severity", "", ColumnKind::text},
               {"code", "", ColumnRole::code},
               {"count", "", ColumnKind::integer},
               {"file", "", ColumnRole::file},
               {"offset", "", ColumnKind::integer},
               {"example", "", ColumnKind::text},
               {"explanation", "", ColumnKind::text}});
  for (const Diagnostic* entry : by_severity(diagnostics)) {
    const Cell offset = entry->offset == Diagnostic::kNoOffset ? Cell() : Cell(entry->offset);
    table.add_row({to_string(entry->severity), entry->code, entry->count, display_path(entry->file, root), offset,
                   entry->example, explain(entry->code)});
  }
  return table;
}

}  // namespace warpscope
