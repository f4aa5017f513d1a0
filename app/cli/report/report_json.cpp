#include "app/cli/report/report_json.hpp"

#include "core/base/table_writers.hpp"

namespace warpscope::cli {

ReportJson::ReportJson(std::string_view title) {
  json_.begin_object();
  json_.member("program", "warpscope report");
  json_.member("schema", 1);
  json_.member("title", title);
  json_.key("sections");
  json_.begin_array();
}

void ReportJson::add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) {
  json_.begin_object();
  json_.member("id", id);
  json_.member("title", title);
  json_.key("tables");
  json_.begin_array();
  for (const Table& table : tables) write_json(json_, table);
  json_.end_array();
  json_.end_object();
}

void ReportJson::add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) {
  add_part("findings", "Findings", rules::tables(evaluation, profile));
}

void ReportJson::add_rules(const rules::Evaluation&, const trace::Profile&) {}  // included in the findings' tables

void ReportJson::add(const ReportSection& section) {
  if (section.tables) return add_part(section.analysis->name, section.analysis->title, *section.tables);
  json_.begin_object();
  json_.member("id", section.analysis->name);
  json_.member("title", section.analysis->title);
  json_.member("error", section.tables.error().message());
  json_.end_object();
}

std::string ReportJson::text() {
  json_.end_array();
  json_.end_object();
  return std::move(text_);
}

}  // namespace warpscope::cli
