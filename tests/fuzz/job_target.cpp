// Job documents: sizes are bounded, and rule reports yield counts.
#include <array>
#include <memory>

#include "core/ingest/listing/job_documents.hpp"
#include "core/rules/aws_report.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {

void run_job(std::string_view input) {
  constexpr std::array<std::string_view, 5> kNames{"profilerconfig.json", "resourceconfig.json", "hyperparameters.json",
                                                   "inputdataconfig.json", "describe.json"};
  Controls controls(input, 1);
  const std::string_view name = kNames[controls.below(kNames.size())];
  const auto document = ingest::parse_job_document(input, name);
  if (!document) {
    require(!document.error().what.empty(), "an error says what is wrong");
    return;
  }
  require(document->instance_count >= 0, "a count is not negative");
  for (const JsonFact& fact : document->facts) require(fact.value.size() < 5000, "values are bounded");
  if (document->kind != trace::JobDocumentKind::rule_report)
    require(document->facts.size() <= ingest::kMostJobFacts, "facts are bounded");
  trace::Profile profile;
  profile.job = std::make_shared<const trace::JobDocuments>(1, *document);
  require(rules::aws_reports(profile).size() == (rules::has_aws_reports(profile) ? 1U : 0U), "a report is one row");
}

}  // namespace warpscope::fuzz
