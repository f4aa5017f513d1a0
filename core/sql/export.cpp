#include "core/sql/export.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/base/files/new_file.hpp"
#include "core/sql/database.hpp"

namespace warpscope::sql {

namespace {

constexpr int kInstructionsBetween = 20'000;  // looks at the progress

struct ExportWatch {
  const CancelToken& cancel;
  Progress& progress;
  const Context& context;
  std::uint64_t before;
};

int look_at_export(void* data) {
  const auto& watch = *static_cast<ExportWatch*>(data);
  watch.progress.done = std::min(watch.context.visited - watch.before, watch.progress.total.load());
  return watch.cancel.cancelled() ? 1 : 0;
}

std::string create_table(const Relation& relation) {
  std::string columns;
  for (const Field& field : relation.fields)
    columns += fmt::format("{}\"{}\" {}{}", columns.empty() ? "" : ", ", field.name, to_string(field.type),
                           field.name == "id" ? " PRIMARY KEY" : "");
  return fmt::format("CREATE TABLE export.\"{}\"({});", relation.name, columns);
}

/// Returns the statements that index the columns that the relation looks up: places by time, other keys by value.
std::string create_indexes(const Relation& relation) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(relation.fields, [&](const Field& field) { return field.name == name; });
  };
  std::string statements;
  for (const Field& field : relation.fields) {
    constexpr std::array<std::string_view, 4> kNotAlone{"id", "start", "end", "category"};
    if (field.key == Key::none || std::ranges::find(kNotAlone, field.name) != kNotAlone.end()) continue;
    const bool place = field.name == "rank" || field.name == "track" || field.name == "counter";
    statements += fmt::format("CREATE INDEX export.\"{0}_{1}\" ON \"{0}\"(\"{1}\"{2});", relation.name, field.name,
                              place && has("start") ? ", start" : "");
  }
  return statements;
}

}  // namespace

bool is_export(const std::string& file) {
  constexpr std::string_view kBegin("SQLite format 3\0", 16);
  std::string head(72, '\0');
  std::ifstream(file, std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()));
  std::uint32_t id = 0;
  for (std::size_t i = 68; i < 72; ++i) id = id << 8 | static_cast<unsigned char>(head[i]);
  return head.starts_with(kBegin) && id == kExportId;
}

Failure export_tables(Database& database, const std::string& file, const CancelToken& cancel, Progress& progress) {
  auto into = NewFile::create(file);
  if (!into) return into.error();
  for (const auto& table : database.tables()) progress.total += static_cast<std::uint64_t>(table->rows());
  ExportWatch watch{cancel, progress, database.context(), database.context().visited};
  sqlite3* handle = database.handle();
  database.trust(true);
  sqlite3_progress_handler(handle, kInstructionsBetween, look_at_export, &watch);
  database.context().cancel = &cancel;
  const auto run = [&](const std::string& statements) {
    return sqlite3_exec(handle, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  };
  const auto write = [&] {
    // Indexes of many slices do not fit into the memory of queries.
    if (!run("PRAGMA temp_store = FILE")) return false;
    char* attach = sqlite3_mprintf("ATTACH %Q AS export", into->draft().c_str());
    const bool attached = attach != nullptr && run(attach);
    sqlite3_free(attach);
    if (!attached) return false;
    // The file is new, and nobody else reads it. (Defensive mode refuses to go without a journal.)
    if (!run(fmt::format("PRAGMA export.journal_mode = MEMORY; PRAGMA export.synchronous = OFF;"
                         "PRAGMA export.cache_size = -65536; PRAGMA export.application_id = {}; BEGIN",
                         kExportId)))
      return false;
    for (const auto& table : database.tables())
      if (!run(create_table(*table)) ||
          !run(fmt::format("INSERT INTO export.\"{0}\" SELECT * FROM main.\"{0}\"", table->name)) ||
          !run(create_indexes(*table)))
        return false;
    return run("COMMIT; PRAGMA analysis_limit = 1000; ANALYZE export");
  };
  Failure failure;
  if (!write()) failure = Error{file, "cannot be written: " + std::string(sqlite3_errmsg(handle)), "check the disk"};
  sqlite3_progress_handler(handle, 0, nullptr, nullptr);
  database.context().cancel = nullptr;
  if (failure && sqlite3_get_autocommit(handle) == 0) run("ROLLBACK");
  if (!run("DETACH export; PRAGMA temp_store = MEMORY") && !failure)
    failure = Error{file, "cannot be written: " + std::string(sqlite3_errmsg(handle)), "check the disk"};
  database.trust(false);
  if (cancel.cancelled()) return Error{file, "writing was cancelled", ""};
  return failure ? failure : into->finish(Sync::yes);
}

}  // namespace warpscope::sql
