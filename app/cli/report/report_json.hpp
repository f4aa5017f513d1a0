#pragma once
// The report as JSON, "schema": 1, with exact values:
//   {"program": "warpscope report", "schema": 1, "title": "job", "sections": [
//     {"id": "findings", "title": "Findings", "tables": […]}, …,
//     {"id": "step_time", "title": "Step time", "error": "…"}]}
// Tables are as in core/base/table_writers.hpp.
#include "app/cli/report/report_document.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::cli {

inline constexpr std::string_view kJsonReportBegin = "{\n  \"program\": \"warpscope report\"";

class ReportJson final : public ReportDocument {
 public:
  explicit ReportJson(std::string_view title);
  void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) override;
  void add_rules(const rules::Evaluation& evaluation, const trace::Profile& profile) override;
  void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) override;
  void add(const ReportSection& section) override;
  [[nodiscard]] std::string text() override;

 private:
  std::string text_;
  JsonWriter json_{text_};
};

}  // namespace warpscope::cli
