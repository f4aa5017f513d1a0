// rank_clocks: how far apart rank clocks are, with standard errors and bounds.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::rank_clocks {

namespace {

constexpr std::array kParameters{kKernelClassParameter};

std::string fit_note(const trace::Profile& profile, const RankComparison& comparison) {
  const ClockFit& fit = comparison.clocks();
  if (comparison.matches().compared.size() < 2) return too_few_ranks(profile, "Comparing clocks");
  if (fit.components == 0) return "Cannot compare clocks: no collective synchronizes several ranks.";
  std::string text;
  if (!fit.safe())
    text = fmt::format("Do not trust these offsets: {}.", fit.refused);
  else
    text = fmt::format("After alignment, 95 % of collective end times agree within {}.",
                       format_duration(std::max<Ns>(1, std::llround(fit.residual_p95))));
  const std::string parts =
      fit.components < 2
          ? ""
          : fmt::format("No collective connects the {} sets of ranks, so offsets are valid only within a set.",
                        fit.components);
  const std::string drift = fit.span >= 300'000'000 ? "" : "The recording is too short to detect clock drift.";
  return joined_notes({text, parts, drift});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto comparison = compare_ranks(input);
  const ClockFit& fit = comparison->clocks();
  Table table("rank-clocks", "Rank clocks",
              {{"rank", "", ColumnRole::rank},
               {"node", "", ColumnRole::node},
               {"offset", "ns", ColumnKind::duration},
               {"standard error", "ns", ColumnKind::duration},
               {"drift", "ppm", ColumnKind::real},
               {"drift error", "ppm", ColumnKind::real},
               {"collectives", "", ColumnRole::collectives},
               {"set", "", ColumnKind::identifier},
               {"refused", "", ColumnRole::remark}});
  for (const std::uint32_t r : comparison->matches().compared) {
    const trace::Rank& rank = *input.profile.ranks[r];
    const RankClock& clock = fit.ranks[r];
    const RankMatch& match = comparison->matches().ranks[r];
    if (match.events == 0 && rank.counts.runs == 0) continue;
    const bool known = clock.collectives > 0;
    const std::string& refused = match.refused.empty() ? clock.refused : match.refused;
    const auto figure = [&](auto value) { return known ? Cell(value) : Cell(); };
    table.add_row({rank.number, input.profile.nodes[input.profile.node_of_rank[r]].label,
                   figure(static_cast<std::int64_t>(std::llround(comparison->recorded_offset(r)))),
                   figure(static_cast<std::int64_t>(std::llround(clock.error))), figure(clock.drift * 1e6),
                   clock.drift_error > 0 ? Cell(clock.drift_error * 1e6) : Cell(), clock.collectives,
                   known ? Cell(clock.component + 1) : Cell(), refused.empty() ? Cell() : Cell(refused)});
  }
  table.note = joined_notes({fit_note(input.profile, *comparison), comparison->match_note()});
  return std::vector{std::move(table)};
}

/// About half of the offsets are negative, which bars cannot show.
constexpr std::array kCharts{ChartSpec{.table = "rank-clocks", .kind = ChartKind::none}};

}  // namespace

extern const Analysis kAnalysis{
    "rank_clocks",
    "Rank clocks",
    "How far each rank's clock is ahead of the median rank's, estimated from collectives. All ranks leave a collective "
    "together, so its end marks the same moment on each rank. Arrivals can be compared only on a common clock. Drift "
    "is shown only if it is significant.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::rank_clocks
