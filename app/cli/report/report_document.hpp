#pragma once
// A report document, written section by section so that not all tables need to be in memory at once. HTML is for
// reading, JSON for programs.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/result.hpp"
#include "core/base/table.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::cli {

enum class ReportFormat : std::uint8_t { html, json };

inline constexpr std::array kReportFormats{ReportFormat::html, ReportFormat::json};

inline constexpr std::string_view kReportBegin = "<!DOCTYPE html>\n<!-- warpscope report -->\n";
inline constexpr std::string_view kJsonReportBegin = "{\n  \"program\": \"warpscope report\"";
/// Returns the leading bytes of every report in a format, which identify a report that may be replaced.
[[nodiscard]] std::string_view report_begin(ReportFormat format);

/// An analysis and its results.
struct ReportSection {
  const analysis::Analysis* analysis = nullptr;
  Result<std::vector<Table>> tables = std::vector<Table>();
  bool leads = false;  ///< about the whole job; placed before the rules
};

class ReportDocument {
 public:
  virtual ~ReportDocument() = default;
  /// Adds each finding as a sentence with advice, followed by its locations.
  virtual void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) = 0;
  /// Adds a summary of all rules, AWS's report if there is one, and the details of each rule.
  virtual void add_rules(const rules::Evaluation& evaluation, const trace::Profile& profile) = 0;
  /// Adds tables without a chart, such as the profile's contents.
  virtual void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) = 0;
  /// Adds the description and all tables of an analysis; in HTML, also the chart of the first table that has one.
  virtual void add(const ReportSection& section) = 0;
  /// Returns the whole document.
  [[nodiscard]] virtual std::string text() = 0;
};

/// Creates an empty report. `rows`: maximum number of rows per table, 0 for all; JSON always contains all rows.
[[nodiscard]] std::unique_ptr<ReportDocument> make_report(ReportFormat format, std::string title, std::size_t rows);
[[nodiscard]] std::unique_ptr<ReportDocument> make_page_report(std::string title, std::size_t rows);
[[nodiscard]] std::unique_ptr<ReportDocument> make_json_report(std::string_view title);

/// Returns the table of rules::tables() that lists the locations of all findings.
[[nodiscard]] Table places_table(const rules::Evaluation& evaluation, const trace::Profile& profile);

/// Returns the rules in summary order: first those that found issues (most issues first), then the others that could be
/// evaluated, then the rest.
[[nodiscard]] std::vector<const rules::Evaluated*> by_triggers(const rules::Evaluation& evaluation);
/// Returns "4 of 27 rules found issues. Low GPU utilization triggered most often: 12 times."
[[nodiscard]] std::string rules_lead(const rules::Evaluation& evaluation);
/// Returns how often the rule found an issue; nullopt if it could not be evaluated.
[[nodiscard]] std::optional<std::int64_t> times_triggered(const rules::Evaluated& rule);
/// Returns the number of samples or steps evaluated; nullopt if the rule does not count them.
[[nodiscard]] std::optional<std::int64_t> datapoints_of(const rules::Evaluated& rule);

}  // namespace warpscope::cli
