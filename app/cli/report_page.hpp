#pragma once
// The report: one page of HTML that needs nothing else, no network and no scripts, dark or light as the reader's system
// is, and fit for paper.
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/result.hpp"
#include "core/base/table.hpp"
#include "render/charts/svg_writer.hpp"

namespace warpscope::cli {

/// The begin of every report: by it one is known that may be replaced.
inline constexpr std::string_view kReportBegin = "<!DOCTYPE html>\n<!-- warpscope report -->\n";

/// An analysis with what came of it.
struct ReportSection {
  const analysis::Analysis* analysis = nullptr;
  Result<std::vector<Table>> tables = std::vector<Table>();
};

/// Made section by section, so that not all tables have to be in memory at once.
class ReportPage {
 public:
  /// `rows`: of each table, 0 for all.
  ReportPage(std::string title, std::size_t rows) : title_(std::move(title)), rows_(rows) {}

  /// A part of the page with tables and no chart: what is in the profile.
  void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables);
  /// Its description, the chart of its first table that has one, and all its tables.
  void add(const ReportSection& section);

  /// The whole page.
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
