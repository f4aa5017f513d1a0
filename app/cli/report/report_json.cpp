// The report as JSON records, "schema": 2, with exact values: the members of `rules --json`, then each analysis as in
// `analyze --json`; "profile" and "diagnostics" describe the profile.
//   {"program": "warpscope report", "schema": 2, "title": "job", "findings": […], …, "step_time": [{…}, …], …,
//    "notes": {"step_time": "…"}, "errors": {"memory_timeline": "…"}}
#include <map>

#include "app/cli/report/report_document.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/table_writers.hpp"

namespace warpscope::cli {

namespace {

class ReportJson final : public ReportDocument {
 public:
  explicit ReportJson(std::string_view title) {
    json_.begin_object();
    json_.member("program", "warpscope report");
    json_.member("schema", 2);
    json_.member("title", title);
  }

  void add_part(std::string_view id, std::string_view, const std::vector<Table>& tables) override {
    for (const NamedTable& each : named_tables(id, tables)) {
      json_.key(each.name);
      write_records(json_, *each.table);
      if (!each.table->note.empty()) notes_[each.name] = each.table->note;
    }
  }

  void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) override {
    rules::write_findings(json_, evaluation, profile);
  }

  void add_rules(const rules::Evaluation&, const trace::Profile&) override {}  // included in the findings

  void add(const ReportSection& section) override {
    if (section.tables)
      add_part(section.analysis->name, section.analysis->title, *section.tables);
    else
      errors_[std::string(section.analysis->name)] = section.tables.error().message();
  }

  [[nodiscard]] std::string text() override {
    for (const auto& [name, texts] : {std::pair("notes", &notes_), std::pair("errors", &errors_)}) {
      json_.key(name);
      json_.begin_object();
      for (const auto& [of, text] : *texts) json_.member(of, text);
      json_.end_object();
    }
    json_.end_object();
    return std::move(text_);
  }

 private:
  std::string text_;
  JsonWriter json_{text_};
  std::map<std::string, std::string> notes_;
  std::map<std::string, std::string> errors_;
};

}  // namespace

std::unique_ptr<ReportDocument> make_json_report(std::string_view title) { return std::make_unique<ReportJson>(title); }

}  // namespace warpscope::cli
