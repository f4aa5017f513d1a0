#include "app/ui/timeline/diagnostics_panel.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kExplanation = 6;

std::string relative_to(const std::string& file, const std::string& opened) {
  if (file.size() > opened.size() + 1 && file.starts_with(opened) && file[opened.size()] == '/')
    return file.substr(opened.size() + 1);
  return file == opened ? std::filesystem::path(file).filename().string() : file;
}

}  // namespace

Table diagnostics_table(const trace::Profile& profile) {
  Table table("diagnostics", "Diagnostics",
              {{"severity", "", ColumnKind::text},
               {"code", "", ColumnKind::text},
               {"count", "", ColumnKind::integer},
               {"file", "", ColumnKind::text},
               {"offset", "", ColumnKind::integer},
               {"example", "", ColumnKind::text},
               {"explanation", "", ColumnKind::text}});
  std::vector<const Diagnostic*> entries;
  for (const Diagnostic& entry : profile.diagnostics.all()) entries.push_back(&entry);
  std::ranges::stable_sort(entries, [](const Diagnostic* a, const Diagnostic* b) { return a->severity > b->severity; });
  for (const Diagnostic* entry : entries) {
    std::optional<std::uint64_t> offset;
    if (entry->offset != Diagnostic::kNoOffset) offset = entry->offset;
    table.add_row({to_string(entry->severity), entry->code, entry->count, relative_to(entry->file, profile.path), offset,
                   entry->example, explain(entry->code)});
  }
  return table;
}

std::string DiagnosticsPanel::label(const PanelContext& context) const {
  const std::size_t count = context.profile->diagnostics.all().size();
  return count == 0 ? "Diagnostics" : "Diagnostics " + format_count(static_cast<std::int64_t>(count));
}

void DiagnosticsPanel::draw(PanelContext& context) {
  if (context.profile->diagnostics.empty()) {
    panel_empty(context.app, "What is odd about the input would be listed here.", "Nothing odd was found.");
    return;
  }
  if (profile_ != context.profile) {
    profile_ = context.profile;
    table_ = diagnostics_table(*profile_);
    view_.set_table(table_);
  }
  TableView::Options options;
  options.tip = [this](std::size_t row) { return std::string(table_.at(row, kExplanation).text()); };
  view_.draw(context.app, "##diagnostics", table_, options);
}

void DiagnosticsPanel::write_state(JsonWriter& writer, const PanelContext& context) const {
  writer.member("count", context.profile->diagnostics.all().size());
}

}  // namespace warpscope::ui
