#pragma once
// The report as a self-contained HTML page without network access or scripts. It follows the reader's dark or light
// system theme and prints well.
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/report/report_document.hpp"
#include "render/charts/svg_writer.hpp"

namespace warpscope::cli {

inline constexpr std::string_view kReportBegin = "<!DOCTYPE html>\n<!-- warpscope report -->\n";

class ReportPage final : public ReportDocument {
 public:
  ReportPage(std::string title, std::size_t rows) : title_(std::move(title)), rows_(rows) {}

  void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) override;
  void add_rules(const rules::Evaluation& evaluation, const trace::Profile& profile) override;
  void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) override;
  void add(const ReportSection& section) override;
  [[nodiscard]] std::string text() override;

 private:
  /// Starts a section and adds it to a group of the contents.
  void begin(std::string_view group, std::string_view id, std::string_view title, std::string_view after_title = {});
  void write_finding(const rules::Evaluation& evaluation, const rules::Ranked& ranked);
  void write_rules_table(const rules::Evaluation& evaluation);
  void write_rule(const rules::Evaluated& rule);

  std::string title_;
  std::size_t rows_;
  std::vector<std::pair<std::string, std::string>> contents_;  // titles of groups, and their lists of links
  std::string body_;
  charts::SvgColors colors_;
};

}  // namespace warpscope::cli
