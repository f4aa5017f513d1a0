// steps_by_phase: durations of steps on the host, by rank and phase.
#include <fmt/format.h>

#include <array>
#include <map>

#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/distribution.hpp"

namespace warpscope::analysis::registered::steps_by_phase {

namespace {

constexpr std::array kParameters{kBinsParameter};
constexpr std::size_t kMostHistograms = 32;

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  std::vector<Column> columns{col::node, col::rank, Column("phase", col::annotation_group)};
  append_statistics_columns(columns);
  columns.emplace_back("min", "", ColumnKind::duration, ColumnRole::min);
  Table table("steps-by-phase", "Steps by phase", std::move(columns));
  std::map<std::pair<std::string, std::string>, std::vector<Ns>> by_node;  // and phase
  for (const std::uint32_t r : ranks_in(profile, input.scope)) {
    if (cancelled(input.cancel)) break;
    const trace::Rank& rank = *profile.ranks[r];
    const std::string& node = profile.nodes[profile.node_of_rank[r]].label;
    std::map<std::string, std::vector<Ns>, std::less<>> phases;
    for (const trace::Step& step : all_steps(profile, rank)) {
      if (const auto range = input.scope.on_host(r); range && !is_within(step.time, *range)) continue;
      phases[std::string(phase_of(profile.names().view(step.name)))].push_back(step.time.length());
    }
    for (auto& [phase, durations] : phases) {
      std::vector<Ns>& all = by_node[{node, phase}];
      all.insert(all.end(), durations.begin(), durations.end());
      const Statistics of = statistics(durations);
      std::vector<Cell> cells{node, rank.number, phase};
      append_statistics_cells(cells, of);
      cells.push_back(of.min);
      table.add_row(cells);
    }
  }
  if (table.rows() == 0)
    table.note = "No steps in this selection. Call the profiler's step() or add annotations named step_N.";
  std::vector tables{std::move(table)};
  for (const auto& [key, durations] : by_node) {
    if (tables.size() > kMostHistograms) {
      tables.front().note = fmt::format("Shows only the first {} histograms.", kMostHistograms);
      break;
    }
    const auto& [node, phase] = key;
    tables.push_back(histogram_table(fmt::format("steps-{}-{}", node, phase),
                                     fmt::format("Steps of {}: {}", node, phase), durations,
                                     histogram_bins(input.values)));
  }
  return tables;
}

}  // namespace

extern const Analysis kAnalysis{"steps_by_phase", "Steps by phase",
                                "Duration of steps on the host, by rank and phase (such as training or evaluation), "
                                "with histograms by node and phase.",
                                kParameters, run};

}  // namespace warpscope::analysis::registered::steps_by_phase
