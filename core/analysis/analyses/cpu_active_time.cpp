// cpu_active_time: host busy and idle time.
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/host_time.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/analysis/shared/sampled.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis::registered::cpu_active_time {

namespace {

constexpr const char* kId = "cpu-active-time";
constexpr const char* kTitle = "CPU active time";
constexpr const char* kTitleOfThreads = "Busy time of launching threads";
constexpr std::array<std::string_view, 3> kSources{"auto", "threads", kSampled};
constexpr std::array kParameters{source_parameter(kSources, "data source; auto: sampled if available")};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto sampled = wants_samples(input, trace::Metric::cpu_utilisation, true);
  if (!sampled) return sampled.error();
  if (*sampled) return sampled_active_tables(input, trace::Metric::cpu_utilisation, Table(kId, kTitle, {}));
  const trace::Profile& profile = input.profile;
  const Interval extent = extent_of(profile, input.scope);
  Table table(kId, kTitleOfThreads,
              {{"state", "", ColumnRole::state}, {"total", "", ColumnRole::total}, {"share", "", ColumnRole::share}});
  Table each("by-thread", "Busy time of each launching thread",
             {{"node", "", ColumnRole::node},
              {"rank", "", ColumnRole::rank},
              {"thread", "", ColumnKind::text},
              {"busy", "", ColumnRole::active},
              {"not busy", "", ColumnRole::idle},
              {"busy share", "", ColumnKind::share}});
  Ns busy = 0;
  Ns whole = 0;
  double whole_real = 0;
  const trace::CoveredTime covered(profile);
  const auto threads = launching_threads(profile, input.scope, input.cancel, input.shared);
  for (const HostThread& thread : *threads) {
    const trace::Rank& rank = *profile.ranks[thread.rank];
    const Interval known = covered.of(thread.rank, extent);
    const Ns own = thread.busy.busy(known.begin, known.end);
    busy = saturating_add(busy, own);
    whole = saturating_add(whole, known.length());
    whole_real += static_cast<double>(known.length());
    each.add_row({profile.nodes[profile.node_of_rank[thread.rank]].label, rank.number, rank.tracks[thread.track].label,
                  own, known.length() - own, share_of(own, known.length())});
  }
  if (whole > 0) {
    // The sum may overflow Ns; compute shares in floating point.
    const double share = static_cast<double>(busy) / whole_real;
    table.add_row({word_at(kWorkStates, WorkState::busy), busy, share});
    table.add_row({word_at(kWorkStates, WorkState::not_busy), whole - busy, 1 - share});
  }
  table.note = host_time_note(each.rows());
  each.note = table.note;
  return std::vector{std::move(table), std::move(each)};
}

constexpr std::array kParts{ChartSeries{ColumnRole::active}, ChartSeries{ColumnRole::idle}};
constexpr std::array kCharts{ChartSpec{"by-thread", ChartKind::columns, "Time by thread", kParts},
                             ChartSpec{"each", ChartKind::columns, "Time by core", kParts}};

}  // namespace

extern const Analysis kAnalysis{"cpu_active_time",
                                "CPU active time",
                                "Sampled time during which CPU cores were not idle. Without samples: the time that "
                                "launching threads spent in operators and runtime calls.",
                                kParameters,
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::cpu_active_time
