// `warpscope sql PATH [QUERY]`: queries a profile as a database. Without a query and with a terminal, a prompt.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/line_editor.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/written_table.hpp"
#include "core/base/format.hpp"
#include "core/base/npz/npz_writer.hpp"
#include "core/base/table_writers.hpp"
#include "core/base/user_folders.hpp"
#include "core/sql/database.hpp"
#include "core/sql/export.hpp"

namespace warpscope::cli {

namespace {

struct SqlOptions : TableFormat {
  std::string path;
  std::string query;
  std::optional<std::string> file;
  std::string out;       ///< of --export
  double timeout = 600;  ///< in seconds
  LoadFlags load;
};

constexpr const char* kHelp =
    ".tables              list the tables and analyses\n"
    ".schema NAME         list the columns and parameters of a table or analysis\n"
    ".quit                leave the prompt (or Ctrl+D)\n"
    "SELECT ... ;         run a query; Ctrl+C stops it\n";

std::string formatted_result(const TableFormat& format, const Table& table) {
  if (table.columns().empty()) return "";
  std::string out;
  if (format.json)
    write_json(out, std::array{NamedTable{"rows", &table}});
  else if (format.csv || format.markdown)
    return written(format, table);
  else
    write_text(out, table, {.title = false});
  return out;
}

Result<std::unique_ptr<sql::Database>> open_database(const Loaded& loaded, const ingest::EventLookup* events,
                                                     const settings::LoadSettings& saved,
                                                     const settings::UserRules& rules) {
  return sql::Database::open(
      loaded.profile,
      {.events = events, .kernel_rules = saved.kernel_class, .rules = rules.settings, .custom = rules.custom});
}

Result<std::string> read_query(const SqlOptions& options) {
  if (!options.query.empty()) return options.query;
  if (!options.file) return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::ifstream in(*options.file, std::ios::binary);
  if (!in) return Error{*options.file, "cannot be read", "specify a file with SQL"};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Table table_list(const sql::Database& database) {
  Table table("tables", "", {{"table", "", ColumnKind::text}, {"about", "", ColumnKind::text}});
  for (const auto* group : {&database.tables(), &database.analyses()})
    for (const auto& each : *group)
      table.add_row({each->name, std::string_view(each->about).substr(0, each->about.find(". "))});
  return table;
}

Result<Table> column_list(const sql::Database& database, const std::string& name) {
  for (const auto* group : {&database.tables(), &database.analyses()})
    for (const auto& each : *group) {
      if (each->name != name) continue;
      if (const Failure failure = each->prepare()) return *failure;
      Table table("columns", "",
                  {{"column", "", ColumnKind::text},
                   {"type", "", ColumnKind::text},
                   {"unit", "", ColumnKind::text},
                   {"about", "", ColumnKind::text}});
      for (const sql::Field& field : each->fields)
        table.add_row({field.name, field.hidden ? std::string_view("parameter") : to_string(field.type), field.unit,
                       field.about});
      return table;
    }
  return Error{name, "is not a table", ".tables lists them"};
}

bool is_command(std::string_view text) { return text.starts_with('.'); }

Result<Table> answer_to_command(const sql::Database& database, std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \t\r\n;") + 1);
  if (text == ".tables") return table_list(database);
  constexpr std::string_view kSchema = ".schema ";
  if (text.starts_with(kSchema))
    return column_list(database, std::string(text.substr(text.find_first_not_of(' ', kSchema.size()))));
  return Error{std::string(text), "is not a command", ".help lists them"};
}

std::vector<std::string> completions_for(const sql::Database& database) {
  std::vector<std::string> words{"median(",  "percentile(", "stddev(", "ns(",     "SELECT",   "FROM", "WHERE",
                                 "GROUP BY", "ORDER BY",    "LIMIT",   "JOIN",    "count(*)", "sum(", "avg(",
                                 "min(",     "max(",        "DESC",    "BETWEEN", "LIKE",     "arg(", "parent(",
                                 "path(",    ".tables",     ".schema", ".quit",   ".help"};
  for (const auto& table : database.tables()) {
    words.push_back(table->name);
    for (const sql::Field& field : table->fields) words.push_back(field.name);
  }
  for (const auto& analysis : database.analyses()) words.push_back(analysis->name);
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return words;
}

/// Runs what was typed at the prompt and prints the result or the error.
void answer(const SqlOptions& options, sql::Database& database, const std::string& text) {
  Result<Table> result = Table("", "", {});
  if (text == ".help") {
    static_cast<void>(print_result(kHelp));
    return;
  }
  if (is_command(text)) {
    result = answer_to_command(database, text);
  } else {
    Interrupts interrupts;
    run_with_progress(interrupts, [&](const CancelToken& cancel) {
      result = database.run(text, {.seconds = options.timeout, .cancel = &cancel});
    });
  }
  if (result)
    static_cast<void>(print_result(formatted_result(options, *result)));
  else
    print_error(result.error());
}

/// Reads and runs statements until the end of the input.
ExitStatus run_prompt(const SqlOptions& options, sql::Database& database, Interrupts& interrupts) {
  interrupts.end_when_one_comes();  // except during a query, which it stops
  const std::filesystem::path folder = user_config_folder();
  LineEditor editor(completions_for(database), folder.empty() ? folder : folder / "sql-history");
  std::string text;
  while (auto line = editor.read(text.empty() ? "sql> " : "...> ")) {
    if (line->find_first_not_of(" \t") == std::string::npos) continue;
    text += (text.empty() ? "" : "\n") + *line;
    const std::size_t end = text.find_last_not_of(" \t");
    if (!is_command(text) && text[end] != ';') continue;
    editor.remember(text);
    if (text == ".quit") break;
    answer(options, database, std::exchange(text, {}));
  }
  return kDone;
}

ExitStatus run_export(const Loaded& loaded, sql::Database& database, const std::string& file, Interrupts& interrupts) {
  Progress progress;
  Failure failure;
  run_with_progress(
      interrupts, [&](const CancelToken& cancel) { failure = sql::export_tables(database, file, cancel, progress); },
      [&] {
        return fmt::format("writing: {} of {} rows", format_count(static_cast<std::int64_t>(progress.done.load())),
                           format_count(static_cast<std::int64_t>(progress.total.load())));
      });
  if (failure) {
    if (!interrupts.came()) print_error(*failure);
    return kNotWritten;
  }
  if (const Failure damage = trace::damage_of(*loaded.profile)) return fail(*damage, kNothingRead);
  std::error_code ignored;
  print_message(fmt::format("wrote {}: {} tables in {}", file, database.tables().size(),
                            format_bytes(static_cast<std::int64_t>(std::filesystem::file_size(file, ignored)))));
  return kDone;
}

ExitStatus run_sql(const SqlOptions& options) {
  if (!options.query.empty() && options.file)
    return fail({"-f " + *options.file, "cannot be combined with a query", "omit one of them"}, kUsage);
  if (const Failure failure = refused_on_terminal(options)) return fail(*failure, kUsage);
  const settings::LoadSettings saved = saved_settings();
  const settings::UserRules rules = user_rules();
  if (!options.out.empty()) {
    if (!options.query.empty() || options.file)
      return fail({"--export", "writes all tables, so it takes no query", "omit the query"}, kUsage);
    if (const ExitStatus status = check_output(options.out, Replaces::database); status != kDone) return status;
  }
  const bool prompts = options.query.empty() && !options.file && options.out.empty() && ::isatty(STDIN_FILENO) == 1;
  if (prompts && options.npz) return fail({"--npz", "needs a query", "specify one, or use -f"}, kUsage);
  if (prompts || !options.out.empty())
    return load_and_write(options.path, options.load, saved, [&](const Loaded& loaded, Interrupts& interrupts) {
      const auto events = loaded.loader->events();
      const auto database = open_database(loaded, events.get(), saved, rules);
      if (!database) return fail(database.error(), kNothingRead);
      if (!prompts) return run_export(loaded, **database, options.out, interrupts);
      print_message("type .help for help; queries end with \";\"");
      return run_prompt(options, **database, interrupts);
    });
  const auto query = read_query(options);
  if (!query) return fail(query.error(), kUsage);
  Table result;
  const auto compute = [&](std::span<Loaded> loaded) -> Result<std::string> {
    const auto events = loaded.front().loader->events();
    const auto database = open_database(loaded.front(), events.get(), saved, rules);
    if (!database) return database.error();
    const std::string_view text =
        std::string_view(*query).substr(std::min(query->find_first_not_of(" \t\r\n"), query->size()));
    if (text.starts_with(".help")) return std::string(kHelp);
    auto table =
        is_command(text) ? answer_to_command(**database, text) : (*database)->run(*query, {.seconds = options.timeout});
    if (!table) return table.error();
    result = std::move(*table);
    return options.npz ? std::string() : formatted_result(options, result);
  };
  const auto print_arrays = [&] { return print_binary([&](const ByteSink& out) { write_npz(out, result); }); };
  return load_and_print({options.path}, options.load, saved, compute, true,
                        options.npz ? print_arrays : std::function<ExitStatus()>());
}

std::function<ExitStatus()> declare_sql(Arguments arguments) {
  const auto options = std::make_shared<SqlOptions>();
  arguments.required("PATH", options->path, "A trace file or a directory of trace files");
  arguments.text(
      "QUERY", options->query,
      "SQL, .tables or .schema NAME; without it, reads it from standard input or, on a terminal, shows a prompt");
  arguments.text("-f,--file", options->file, "Read the query from a file");
  arguments.text("--export", options->out,
                 "Write the tables, not the analyses, to an ordinary SQLite file, such as job.db");
  arguments.number("--timeout", options->timeout, "Stop a query after this many seconds; 0: never");
  Arguments formats = add_format_flags(
      arguments, *options, "JSON records with exact values, \"schema\": 2: {\"rows\": [{\"column\": value}]}");
  add_npz_flag(formats, *options, "NumPy arrays with exact values, one per column, for a file or a program");
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  return [options] { return run_sql(*options); };
}

}  // namespace

const Command registered::sql::kCommand{.name = "sql",
                                        .about = "Query a profile with SQL, or export it to a SQLite file",
                                        .declare = declare_sql,
                                        .on_host = true};

}  // namespace warpscope::cli
