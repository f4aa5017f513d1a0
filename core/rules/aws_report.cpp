#include "core/rules/aws_report.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/parse_number.hpp"

namespace warpscope::rules {

namespace {

std::int64_t whole(std::string_view text) { return parse_number<std::int64_t>(text).value_or(0); }

}  // namespace

bool has_aws_reports(const trace::Profile& profile) {
  return std::ranges::any_of(*profile.job, [](const trace::JobDocument& document) {
    return document.kind == trace::JobDocumentKind::rule_report;
  });
}

std::vector<AwsReport> aws_reports(const trace::Profile& profile) {
  std::vector<AwsReport> reports;
  for (const trace::JobDocument& document : *profile.job) {
    if (document.kind != trace::JobDocumentKind::rule_report) continue;
    AwsReport report{std::filesystem::path(document.path).stem().string(),
                     {whole(document.value("RuleTriggered")), whole(document.value("Violations")),
                      whole(document.value("Datapoints"))},
                     {},
                     {}};
    for (const std::string_view line : parts_of(document.value("RuleParameters"), "\n")) {
      if (line.empty()) continue;
      report.parameters.append(report.parameters.empty() ? "" : ", ").append(line);
      if (const std::size_t colon = line.find(':'); colon != std::string_view::npos)
        report.settings.emplace_back(line.substr(0, colon), line.substr(colon + 1));
    }
    reports.push_back(std::move(report));
  }
  std::ranges::sort(reports, {}, &AwsReport::rule);
  return reports;
}

}  // namespace warpscope::rules
