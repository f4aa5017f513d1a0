#pragma once
// The report as GitHub Markdown.
#include "app/cli/report/report_document.hpp"

namespace warpscope::cli {

inline constexpr std::string_view kMarkdownReportBegin = "<!-- warpscope report -->\n";

class ReportMarkdown final : public ReportDocument {
 public:
  ReportMarkdown(std::string_view title, std::size_t rows);
  void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) override;
  void add_rules(const rules::Evaluation& evaluation, const trace::Profile& profile) override;
  void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) override;
  void add(const ReportSection& section) override;
  [[nodiscard]] std::string text() override { return text_; }

 private:
  void write(const std::vector<Table>& tables);

  std::string text_;
  std::size_t rows_;
};

}  // namespace warpscope::cli
