#pragma once
// Writes the tables of a profile to an ordinary SQLite file, for programs that know SQLite but not this one. Columns
// are those of the tables; a column `id` is the primary key, and columns that the tables look up have indexes. Analyses
// are not written: their parameters have no place in a file.
#include <cstdint>
#include <string>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"

namespace warpscope::sql {

class Database;

/// Identifies the files, at byte 68 ("PRAGMA application_id").
inline constexpr std::uint32_t kExportId = 0x57617270;  // "Warp"
/// True if a file is an export, and may be replaced by another.
[[nodiscard]] bool is_export(const std::string& file);

/// Replaces `file` when the export is complete. `progress` counts rows. Errors: the file cannot be written; cancelled;
/// a table cannot be computed.
[[nodiscard]] Failure export_tables(Database& database, const std::string& file, const CancelToken& cancel,
                                    Progress& progress);

}  // namespace warpscope::sql
