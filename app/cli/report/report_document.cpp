#include "app/cli/report/report_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/cli/report/report_json.hpp"
#include "app/cli/report/report_markdown.hpp"
#include "app/cli/report/report_page.hpp"
#include "core/base/format.hpp"

namespace warpscope::cli {

std::string_view report_begin(ReportFormat format) {
  switch (format) {
    case ReportFormat::html:
      return kReportBegin;
    case ReportFormat::markdown:
      return kMarkdownReportBegin;
    case ReportFormat::json:
      return kJsonReportBegin;
  }
  return {};
}

std::unique_ptr<ReportDocument> make_report(ReportFormat format, std::string title, std::size_t rows) {
  switch (format) {
    case ReportFormat::markdown:
      return std::make_unique<ReportMarkdown>(title, rows);
    case ReportFormat::json:
      return std::make_unique<ReportJson>(title);
    case ReportFormat::html:
      break;
  }
  return std::make_unique<ReportPage>(std::move(title), rows);
}

std::vector<Table> tables_below(const std::vector<Table>& tables) {
  std::vector<Table> ordered;
  std::ranges::copy_if(tables, std::back_inserter(ordered),
                       [](const Table& table) { return table.id != "findings" && table.id != "evidence"; });
  std::ranges::stable_partition(ordered, [](const Table& table) { return table.id != "places"; });
  return ordered;
}

std::string saving_words(const rules::Evaluation& evaluation, const rules::Ranked& finding) {
  if (finding.bound <= 0) return {};
  return fmt::format("saves at most {}{} ({})", format_duration(finding.bound), evaluation.by_steps ? " a step" : "",
                     format_share(finding.bound_share));
}

}  // namespace warpscope::cli
