// The report as GitHub Markdown.
#include <fmt/format.h>

#include <iterator>

#include "app/cli/report/report_document.hpp"
#include "app/cli/report/report_table.hpp"
#include "core/base/format.hpp"
#include "core/base/table_writers.hpp"
#include "render/plots/evidence_chart.hpp"

namespace warpscope::cli {

namespace {

class ReportMarkdown final : public ReportDocument {
 public:
  ReportMarkdown(std::string_view title, std::size_t rows)
      : text_(fmt::format("{}# {}\n\n", kMarkdownReportBegin, title)), rows_(rows) {}

  void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) override {
    auto out = std::back_inserter(text_);
    fmt::format_to(out, "## Findings\n\n{} {}\n\n", rules::summary(evaluation), evaluation.window);
    std::size_t number = 0;
    for (const rules::Ranked& each : evaluation.findings) {
      const std::string saving = saving_words(evaluation, each);
      const std::string mark = each.finding.hint ? "-" : std::to_string(++number) + ".";
      fmt::format_to(out, "{} **{}**{}{}: {}\n   {}\n", mark, each.rule->title, saving.empty() ? "" : ", ", saving,
                     each.finding.sentence, each.finding.advice);
      if (!each.finding.code.empty()) fmt::format_to(out, "\n```python\n{}```\n\n", each.finding.code);
      const rules::Evidence& evidence = each.finding.evidence;
      if (evidence.form == rules::Evidence::Form::columns || evidence.bars.empty()) continue;
      fmt::format_to(out, "   {}:", evidence.title);
      for (std::size_t bar = 0; bar < evidence.bars.size(); ++bar)
        fmt::format_to(out, "{} {}", bar == 0 ? "" : ";", plots::bar_words(evidence, bar));
      text_ += ".\n";
    }
    text_ += '\n';
    write({places_table(evaluation, profile)});
  }

  void add_rules(const rules::Evaluation& evaluation, const trace::Profile& profile) override {
    fmt::format_to(std::back_inserter(text_), "## Rules\n\n{}\n\n", rules_lead(evaluation));
    write({rules::rules_table(evaluation)});
    if (auto aws = rules::aws_table(evaluation, profile)) write({std::move(*aws)});
    for (const rules::Evaluated* rule : by_triggers(evaluation)) {
      if (rule->outcome.details.empty()) continue;
      fmt::format_to(std::back_inserter(text_), "## {}\n\n{}: {}\n\n", rule->rule->title,
                     rules::to_string(rule->outcome.verdict), rule->outcome.why);
      for (const rules::Detail& detail : rule->outcome.details) write({detail.table});
    }
  }

  void add_part(std::string_view, std::string_view title, const std::vector<Table>& tables) override {
    fmt::format_to(std::back_inserter(text_), "## {}\n\n", title);
    write(tables);
  }

  void add(const ReportSection& section) override {
    fmt::format_to(std::back_inserter(text_), "## {}\n\n{}\n\n", section.analysis->title,
                   analysis::description(*section.analysis));
    if (section.tables)
      write(*section.tables);
    else
      text_ += section.tables.error().message() + "\n\n";
  }

  [[nodiscard]] std::string text() override { return text_; }

 private:
  void write(const std::vector<Table>& tables) {
    for (const Table& table : tables) {
      if (rows_ == 0 || table.rows() <= rows_) {
        write_markdown(text_, table);
      } else {
        write_markdown(text_, first_rows(table, rows_));
        fmt::format_to(std::back_inserter(text_), "\nShowing the first {} of {} rows.\n", rows_,
                       format_count(static_cast<std::int64_t>(table.rows())));
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
