#include "core/rules/rule_details.hpp"

#include <utility>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/distribution.hpp"

namespace warpscope::rules {

std::vector<Detail> details_from(Facts& facts, std::string_view analysis, std::size_t most) {
  const analysis::AnalysisInput& input = facts.input();
  auto tables = analysis::run_analysis(*analysis::find_analysis(analysis), input.profile, input.scope, {}, input.cancel,
                                       nullptr, input.events, input.shared);
  std::vector<Detail> details;
  if (!tables) return details;
  for (Table& table : *tables) {
    if (table.rows() == 0 || details.size() == most) continue;
    const analysis::ChartSpec chart = analysis::chart_of(analysis, table.id);
    details.push_back({std::move(table), chart});
  }
  return details;
}

std::vector<Detail> distribution_details(std::string id, std::string title, const std::vector<Ns>& values) {
  if (values.empty()) return {};
  std::vector<Detail> details;
  Table statistics = analysis::statistics_table(title, values);
  statistics.id = id;
  details.push_back({std::move(statistics), {.table = {}, .kind = analysis::ChartKind::none}});
  details.push_back({analysis::histogram_table(id + "-histogram", title + ": histogram", values)});
  return details;
}

}  // namespace warpscope::rules
