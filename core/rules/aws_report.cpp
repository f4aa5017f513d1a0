#include "core/rules/aws_report.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace warpscope::rules {

namespace {

std::int64_t whole(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

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
    std::string parameters;
    for (const char c : document.value("RuleParameters"))
      parameters += c == '\n' ? std::string(", ") : std::string(1, c);
    reports.push_back({std::filesystem::path(document.path).stem().string(),
                       {whole(document.value("RuleTriggered")), whole(document.value("Violations")),
                        whole(document.value("Datapoints"))},
                       std::move(parameters)});
  }
  std::ranges::sort(reports, {}, &AwsReport::rule);
  return reports;
}

}  // namespace warpscope::rules
