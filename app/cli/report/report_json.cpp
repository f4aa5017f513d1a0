// The report as JSON, "schema": 1, with exact values:
//   {"program": "warpscope report", "schema": 1, "title": "job", "sections": [
//     {"id": "findings", "title": "Findings", "tables": […]}, …,
//     {"id": "step_time", "title": "Step time", "error": "…"}]}
// Tables are as in core/base/table_writers.hpp.
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
    json_.member("schema", 1);
    json_.member("title", title);
    json_.key("sections");
    json_.begin_array();
  }

  void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) override {
    json_.begin_object();
    json_.member("id", id);
    json_.member("title", title);
    json_.key("tables");
    json_.begin_array();
    for (const Table& table : tables) write_json(json_, table);
    json_.end_array();
    json_.end_object();
  }

  void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) override {
    add_part("findings", "Findings", rules::tables(evaluation, profile));
  }

  void add_rules(const rules::Evaluation&, const trace::Profile&) override {}  // included in the findings' tables

  void add(const ReportSection& section) override {
    if (section.tables) return add_part(section.analysis->name, section.analysis->title, *section.tables);
    json_.begin_object();
    json_.member("id", section.analysis->name);
    json_.member("title", section.analysis->title);
    json_.member("error", section.tables.error().message());
    json_.end_object();
  }

  [[nodiscard]] std::string text() override {
    json_.end_array();
    json_.end_object();
    return std::move(text_);
  }

 private:
  std::string text_;
  JsonWriter json_{text_};
};

}  // namespace

std::unique_ptr<ReportDocument> make_json_report(std::string_view title) { return std::make_unique<ReportJson>(title); }

}  // namespace warpscope::cli
