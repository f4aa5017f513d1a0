// The report as GitHub Markdown.
#include <fmt/format.h>

#include <iterator>
#include <type_traits>
#include <utility>

#include "app/cli/report/report_document.hpp"
#include "app/cli/report/report_table.hpp"
#include "core/base/format.hpp"
#include "core/base/table_writers.hpp"
#include "core/base/utf8.hpp"
#include "render/plots/evidence_chart.hpp"

namespace warpscope::cli {

namespace {

/// A value for a placeholder: text is escaped, so that no name from a trace becomes markup.
template <class T>
auto in_markdown(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return escape_markdown(value);
  else
    return value;
}

class ReportMarkdown final : public ReportDocument {
 public:
  ReportMarkdown(std::string_view title, std::size_t rows) : text_(kMarkdownReportBegin), rows_(rows) {
    put("# {}\n\n", title);
  }

  void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) override {
    put("## Findings\n\n{} {}\n\n", rules::summary(evaluation), evaluation.window);
    std::size_t number = 0;
    for (const rules::Ranked& each : evaluation.findings) {
      const std::string saving = rules::saving_text(evaluation, each);
      const std::string mark = each.finding.hint ? "-" : std::to_string(++number) + ".";
      put("{} **{}**{}{}: {}\n   {}\n", mark, each.rule->title, saving.empty() ? "" : ", ", saving,
          each.finding.headline, each.finding.advice);
      for (const std::string& line : each.finding.evidence_lines) put("   - {}\n", line);
      if (!each.finding.code.empty()) add_code(each.finding.code);
      const rules::Evidence& evidence = each.finding.evidence;
      if (evidence.form == rules::Evidence::Form::columns || evidence.bars.empty()) continue;
      put("   {}:", evidence.title);
      for (std::size_t bar = 0; bar < evidence.bars.size(); ++bar)
        put("{} {}", bar == 0 ? "" : ";", plots::bar_words(evidence, bar));
      text_ += ".\n";
    }
    text_ += '\n';
    write({places_table(evaluation, profile)});
  }

  void add_rules(const rules::Evaluation& evaluation, const trace::Profile& profile) override {
    put("## Rules\n\n{}\n\n", rules_lead(evaluation));
    write({rules::rules_table(evaluation)});
    if (auto aws = rules::aws_table(evaluation, profile)) write({std::move(*aws)});
    for (const rules::Evaluated* rule : by_triggers(evaluation)) {
      if (rule->outcome.details.empty()) continue;
      put("## {}\n\n{}: {}\n\n", rule->rule->title, rules::to_string(rule->outcome.verdict), rule->outcome.why);
      for (const rules::Detail& detail : rule->outcome.details) write({detail.table});
    }
  }

  void add_part(std::string_view, std::string_view title, const std::vector<Table>& tables) override {
    put("## {}\n\n", title);
    write(tables);
  }

  void add(const ReportSection& section) override {
    put("## {}\n\n{}\n\n", section.analysis->title, analysis::description(*section.analysis));
    if (section.tables)
      write(*section.tables);
    else
      put("{}\n\n", section.tables.error().message());
  }

  [[nodiscard]] std::string text() override { return text_; }

 private:
  /// Appends Markdown; all that comes from outside goes through a placeholder.
  template <class... Values>
  void put(fmt::format_string<decltype(in_markdown(std::declval<Values>()))...> markdown, const Values&... values) {
    fmt::format_to(std::back_inserter(text_), markdown, in_markdown(values)...);
  }

  /// Appends a block of code, with a fence that is longer than any in the code.
  void add_code(std::string_view code) {
    std::string fence = "```";
    while (code.find(fence) != std::string_view::npos) fence += '`';
    text_ += "\n" + fence + "python\n" + without_controls(code) + fence + "\n\n";
  }

  void write(const std::vector<Table>& tables) {
    for (const Table& table : tables) {
      if (rows_ == 0 || table.rows() <= rows_) {
        write_markdown(text_, table);
      } else {
        write_markdown(text_, first_rows(table, rows_));
        put("\nShowing the first {} of {} rows.\n", rows_, format_count(static_cast<std::int64_t>(table.rows())));
      }
      text_ += '\n';
    }
  }

  std::string text_;
  std::size_t rows_;
};

}  // namespace

std::unique_ptr<ReportDocument> make_markdown_report(std::string_view title, std::size_t rows) {
  return std::make_unique<ReportMarkdown>(title, rows);
}

}  // namespace warpscope::cli
