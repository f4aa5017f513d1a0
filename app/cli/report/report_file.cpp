#include "app/cli/report/report_file.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/report/report_document.hpp"
#include "core/analysis/information/information.hpp"
#include "core/analysis/job/framework_time.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/base/utf8.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::cli {
namespace {

using analysis::Analysis;

std::vector<const Analysis*> analyses_told() {
  std::vector<const Analysis*> told;
  for (const Analysis& each : analysis::analyses())
    if (!each.compares) told.push_back(&each);  // a report has only one profile
  return told;
}

/// The analyses at the start of SageMaker Debugger's report.
constexpr std::array<std::string_view, 3> kDebuggersFirst{"job_statistics", "system_usage", "framework_metrics"};

bool is_of_debugger(const trace::Profile& profile) {
  return !profile.metrics.empty() ||
         std::ranges::any_of(profile.ranks, [](const auto& rank) { return analysis::is_framework_timeline(*rank); });
}

}  // namespace

std::size_t analyses_in_report() { return analyses_told().size(); }

std::string report_text(const ReportSource& source, const CancelToken& cancel, std::atomic<std::size_t>& done) {
  const std::unique_ptr<ReportDocument> document = make_report(source.format, source.title, source.rows);
  std::vector<Table> facts = analysis::information_tables(source.profile);
  std::vector<Table> diagnostics;
  for (Table& table : facts)
    if (table.id == "diagnostics") diagnostics.push_back(std::move(table));
  std::erase_if(facts, [](const Table& table) { return table.id == "diagnostics" || table.columns().empty(); });
  analysis::SharedResults shared(source.profile);
  const auto add = [&](const Analysis& each, bool leads) {
    std::vector<analysis::Setting> settings;
    if (analysis::has_parameter(each, analysis::kKernelClassParameter.name))
      analysis::append_kernel_rules(settings, source.kernel_rules);
    document->add(
        {&each,
         analysis::run_with_scope_note(each, source.profile, {.ranks = {}, .range = {}, .evaluated_only = !leads},
                                       settings, &cancel, source.events, shared),
         leads});
    done.fetch_add(1);
  };
  const auto evaluation = rules::evaluate({.profile = source.profile,
                                           .scope = {},
                                           .values = {},
                                           .cancel = &cancel,
                                           .events = source.events,
                                           .shared = &shared},
                                          {.settings = source.user.settings,
                                           .custom = source.user.custom,
                                           .kernel_rules = source.kernel_rules,
                                           .aws = source.aws});
  if (evaluation) document->add_findings(*evaluation, source.profile);
  const bool of_debugger = is_of_debugger(source.profile);
  if (of_debugger)
    for (const std::string_view name : kDebuggersFirst) add(*analysis::find_analysis(name), true);
  if (evaluation) document->add_rules(*evaluation, source.profile);
  document->add_part("profile", "Profile", facts);
  document->add_part("diagnostics", "Diagnostics", diagnostics);
  for (const Analysis* each : analyses_told()) {
    if (cancel.cancelled()) return {};
    if (!of_debugger || std::ranges::find(kDebuggersFirst, each->name) == kDebuggersFirst.end()) add(*each, false);
  }
  return without_controls(document->text());
}

}  // namespace warpscope::cli
