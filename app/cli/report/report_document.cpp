#include "app/cli/report/report_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/format.hpp"

namespace warpscope::cli {

std::string_view report_begin(ReportFormat format) {
  return format == ReportFormat::html ? kReportBegin : kJsonReportBegin;
}

std::unique_ptr<ReportDocument> make_report(ReportFormat format, std::string title, std::size_t rows) {
  return format == ReportFormat::html ? make_page_report(std::move(title), rows) : make_json_report(title);
}

Table places_table(const rules::Evaluation& evaluation, const trace::Profile& profile) {
  for (Table& table : rules::tables(evaluation, profile))
    if (table.id == rules::kPlacesTable) return std::move(table);
  return {};
}

std::optional<std::int64_t> times_triggered(const rules::Evaluated& rule) {
  const rules::Outcome& outcome = rule.outcome;
  if (outcome.verdict == rules::Verdict::not_evaluable || outcome.verdict == rules::Verdict::insufficient_data)
    return std::nullopt;
  if (const auto& counts = outcome.counts ? outcome.counts : outcome.aws)
    return outcome.verdict == rules::Verdict::issues_found ? std::max<std::int64_t>(1, counts->triggered)
                                                           : counts->triggered;
  return static_cast<std::int64_t>(outcome.findings.size());
}

std::optional<std::int64_t> datapoints_of(const rules::Evaluated& rule) {
  const auto& counts = rule.outcome.counts ? rule.outcome.counts : rule.outcome.aws;
  if (!counts || counts->datapoints == 0) return std::nullopt;
  return counts->datapoints;
}

std::vector<const rules::Evaluated*> by_triggers(const rules::Evaluation& evaluation) {
  std::vector<const rules::Evaluated*> ordered;
  ordered.reserve(evaluation.rules.size());
  for (const rules::Evaluated& rule : evaluation.rules) ordered.push_back(&rule);
  const auto place = [](const rules::Evaluated* rule) {
    switch (rule->outcome.verdict) {
      case rules::Verdict::issues_found:
        return 0;
      case rules::Verdict::no_issues:
        return 1;
      case rules::Verdict::insufficient_data:
        return 2;
      case rules::Verdict::not_evaluable:
        break;
    }
    return 3;
  };
  std::ranges::stable_sort(ordered, [&](const rules::Evaluated* a, const rules::Evaluated* b) {
    return std::pair(place(a), -times_triggered(*a).value_or(0)) <
           std::pair(place(b), -times_triggered(*b).value_or(0));
  });
  return ordered;
}

std::string rules_lead(const rules::Evaluation& evaluation) {
  const auto found = std::ranges::count(evaluation.rules, rules::Verdict::issues_found,
                                        [](const rules::Evaluated& rule) { return rule.outcome.verdict; });
  std::string words = fmt::format("{} of {} rules found issues.", found, evaluation.rules.size());
  const std::vector<const rules::Evaluated*> ordered = by_triggers(evaluation);
  if (const auto most = times_triggered(*ordered.front()); found > 0 && most.value_or(0) > 1)
    words += fmt::format(" {} triggered most often: {} times.", ordered.front()->rule->title, format_count(*most));
  if (evaluation.aws) words += " SageMaker Debugger's rules use AWS's arithmetic.";
  return words;
}

}  // namespace warpscope::cli
