#pragma once
// The report: a self-contained HTML page without network access or scripts. It follows the reader's dark or light
// system theme and prints well.
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/result.hpp"
#include "core/base/table.hpp"
#include "core/rules/registry.hpp"
#include "render/charts/svg_writer.hpp"

namespace warpscope::cli {

/// First bytes of every report; identify a report that may be replaced.
inline constexpr std::string_view kReportBegin = "<!DOCTYPE html>\n<!-- warpscope report -->\n";

/// An analysis with its results.
struct ReportSection {
  const analysis::Analysis* analysis = nullptr;
  Result<std::vector<Table>> tables = std::vector<Table>();
};

/// Built section by section, so that the tables need not all be in memory at once.
class ReportPage {
 public:
  /// `rows`: limit per table, 0 for all.
  ReportPage(std::string title, std::size_t rows) : title_(std::move(title)), rows_(rows) {}

  /// Adds tables without a chart, such as the contents of the profile.
  void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables);
  /// Adds sentences and advice, then the tables of places and rules.
  void add_findings(const rules::Evaluation& evaluation, const std::vector<Table>& tables);
  /// Adds the description, the chart of the first table that has one, and all tables.
  void add(const ReportSection& section);

  /// Returns the whole page.
  [[nodiscard]] std::string text() const;

 private:
  void begin(std::string_view id, std::string_view title);

  std::string title_;
  std::size_t rows_;
  std::string contents_;  // list of links
  std::string body_;
  charts::SvgColors colors_;
};

}  // namespace warpscope::cli
