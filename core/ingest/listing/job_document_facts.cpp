// Extracts facts from a job document's text.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/base/calendar.hpp"
#include "core/ingest/listing/job_documents.hpp"

namespace warpscope::ingest {
namespace {

using trace::JobDocument;
using trace::JobDocumentKind;

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// Returns true if the document has a member named `key`. Ignores case, as SageMaker's own readers do.
bool has(const std::vector<JsonFact>& facts, std::string_view key) {
  return std::any_of(facts.begin(), facts.end(), [&](const JsonFact& fact) {
    return same_word(std::string_view(fact.name).substr(0, fact.name.find_first_of(".[")), key);
  });
}

/// Maximum number of facts kept from the details of a rule report, which may list thousands of timestamps.
constexpr std::size_t kMostDetails = 500;

void shorten_details(std::vector<JsonFact>& facts) {
  std::size_t details = 0;
  std::erase_if(facts,
                [&](const JsonFact& fact) { return fact.name.starts_with("Details.") && ++details > kMostDetails; });
}

std::optional<JobDocumentKind> kind_of(const std::vector<JsonFact>& members, std::string_view name) {
  const std::string file_name = lower(name);
  if (has(members, "RuleTriggered") && has(members, "Violations")) return JobDocumentKind::rule_report;
  if (has(members, "TrainingJobName") || has(members, "TrainingJobArn")) return JobDocumentKind::training_job;
  if (file_name == "resourceconfig.json") return JobDocumentKind::resource_config;
  if (file_name == "hyperparameters.json") return JobDocumentKind::hyper_parameters;
  if (file_name == "inputdataconfig.json") return JobDocumentKind::input_data;
  if (has(members, "ProfilerConfig")) return JobDocumentKind::training_job;
  if (has(members, "ProfilingParameters") || has(members, "ProfilingIntervalInMilliseconds") ||
      file_name == "profilerconfig.json")
    return JobDocumentKind::profiler_config;
  return std::nullopt;
}

std::int64_t whole_number(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max<std::int64_t>(0, number);
}

void take_summary(JobDocument& document) {
  if (document.kind == JobDocumentKind::training_job) {
    document.job_name = document.value("TrainingJobName");
    if (document.job_name.empty()) {
      const std::string_view arn = document.value("TrainingJobArn");
      document.job_name = arn.substr(arn.rfind('/') == std::string_view::npos ? arn.size() : arn.rfind('/') + 1);
    }
    document.status = document.value("TrainingJobStatus");
    document.instance_type = document.value("ResourceConfig.InstanceType");
    document.instance_count = whole_number(document.value("ResourceConfig.InstanceCount"));
    document.created_ns = parse_calendar_time(document.value("CreationTime"));
    document.started_ns = parse_calendar_time(document.value("TrainingStartTime"));
    document.ended_ns = parse_calendar_time(document.value("TrainingEndTime"));
  } else if (document.kind == JobDocumentKind::resource_config) {
    document.instance_type = document.value("current_instance_type");
    const std::string_view hosts = document.value("hosts");
    if (!hosts.empty()) document.instance_count = 1 + std::count(hosts.begin(), hosts.end(), ',');
  } else if (document.kind == JobDocumentKind::hyper_parameters) {
    document.job_name = document.value("sagemaker_job_name");
  }
}

}  // namespace

Result<trace::JobDocument> parse_job_document(std::string_view text, std::string_view file_name) {
  if (text.size() > kLargestJobDocument) return Error{"", "too large for a job description", ""};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const bool report = is_rule_report(text);
  auto facts = json_facts(
      text, {.most = report ? kLargestJobDocument : kMostJobFacts, .longest = 4096, .look_into_texts = !report});
  if (!facts) return facts.error();
  if (report) shorten_details(*facts);
  const auto kind = kind_of(*facts, file_name);
  if (!kind) return Error{"", "not a job description", "remove it, or save it again"};
  JobDocument document;
  document.kind = *kind;
  document.facts = std::move(*facts);
  take_summary(document);
  return document;
}

}  // namespace warpscope::ingest
