#pragma once
// A report as a document that grows section by section, so that the tables need not all be in memory at once. HTML is
// for reading, Markdown for a ticket or a pull request, JSON for a program.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/result.hpp"
#include "core/base/table.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::cli {

enum class ReportFormat : std::uint8_t { html, markdown, json };

inline constexpr std::array kReportFormats{ReportFormat::html, ReportFormat::markdown, ReportFormat::json};

/// First bytes of every report of a format; identify a report that may be replaced.
[[nodiscard]] std::string_view report_begin(ReportFormat format);

/// An analysis with its results.
struct ReportSection {
  const analysis::Analysis* analysis = nullptr;
  Result<std::vector<Table>> tables = std::vector<Table>();
};

class ReportDocument {
 public:
  virtual ~ReportDocument() = default;
  /// Adds sentences and advice, then the tables of places and rules.
  virtual void add_findings(const rules::Evaluation& evaluation, const std::vector<Table>& tables) = 0;
  /// Adds tables without a chart, such as the contents of the profile.
  virtual void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) = 0;
  /// Adds the description and all tables of an analysis; HTML also the chart of the first table that has one.
  virtual void add(const ReportSection& section) = 0;
  /// Returns the whole document.
  [[nodiscard]] virtual std::string text() = 0;
};

/// `rows`: limit per table, 0 for all; JSON always has all.
[[nodiscard]] std::unique_ptr<ReportDocument> make_report(ReportFormat format, std::string title, std::size_t rows);

/// The tables of rules::tables() that follow the sentences and charts of findings: verdicts first, the long list of
/// places last.
[[nodiscard]] std::vector<Table> tables_below(const std::vector<Table>& tables);

/// "saves at most 2.1 ms a step (12.0 %)"; "" if fixing the finding saves no GPU time.
[[nodiscard]] std::string saving_words(const rules::Evaluation& evaluation, const rules::Ranked& finding);

}  // namespace warpscope::cli
