#include "app/cli/verify_store.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/cli/messages.hpp"
#include "core/base/format.hpp"
#include "core/base/table_writers.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/ingest/listing/discover.hpp"
#include "core/store/cache.hpp"
#include "core/store/verify_store.hpp"

namespace warpscope::cli {

namespace fs = std::filesystem;

namespace {

/// Path of the saved store of `path`, if there is one.
std::string kept_place(const std::string& path, const std::string& stores) {
  return store::Cache(stores).place_of(path).string();
}

/// The store at `path`, or the saved store of it.
Result<std::string> store_of(const std::string& path, const std::string& stores) {
  if (ingest::opens_as_store(path)) {
    const auto opened = ingest::open_converted(path);
    return opened ? Result<std::string>(path) : opened.error();
  }
  const auto found = ingest::discover(path);
  if (!found) return found.error();
  if (found->sources.empty() && found->metrics.empty() && found->converted.size() == 1) return found->converted.front();
  const std::string kept = kept_place(path, stores);
  std::error_code ignored;
  if (!kept.empty() && fs::exists(kept, ignored)) return kept;
  return Error{path, "has no store to check",
               "give a file that convert wrote, or save a store with `warpscope info PATH --save-store`"};
}

Table table_of(const std::string& file, const std::vector<store::VerifiedPart>& parts) {
  Table table("verify", file,
              {{"rank", "", ColumnKind::identifier},
               {"slices", "", ColumnKind::integer},
               {"file", "", ColumnKind::text},
               {"damage", "", ColumnKind::text}});
  for (const store::VerifiedPart& part : parts)
    table.add_row({part.rank ? Cell(*part.rank) : Cell(), part.slices ? Cell(*part.slices) : Cell(), part.path,
                   part.wrong ? Cell(part.wrong->what) : Cell("none")});
  return table;
}

}  // namespace

ExitStatus verify_store(const std::string& path, const std::string& stores, bool json) {
  const auto file = store_of(path, stores);
  const auto parts = file ? store::verify_parts(*file, nullptr) : file.error();
  const bool kept = file && *file == kept_place(path, stores);
  const std::string anew = "save a new store with `warpscope info PATH --save-store`, which reads the traces again";
  if (!parts) {
    Error error = parts.error();
    if (kept) error.advice = anew;
    print_error(error);
    return kNothingRead;
  }
  const std::vector<Table> tables{table_of(*file, *parts)};
  std::string text;
  if (json)
    write_json(text, tables);
  else
    write_text(text, tables.front(), {.max_text_width = 0, .title = true});
  if (const ExitStatus status = print_result(text); status != kDone) return status;
  const auto damaged = std::ranges::count_if(*parts, [](const auto& part) { return part.wrong.has_value(); });
  if (damaged == 0) return kDone;
  print_error({*file, format_count(damaged) + " of " + format_count(std::ssize(*parts)) + " parts are corrupt",
               kept ? anew : "copy the file again, or convert the traces again"});
  return kNothingRead;
}

}  // namespace warpscope::cli
