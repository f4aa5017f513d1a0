// cpu_utilization: host utilization over time.
#include <array>
#include <map>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/host_time.hpp"
#include "core/analysis/shared/sampled.hpp"
#include "core/analysis/shared/time_bins.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis::registered::cpu_utilization {

namespace {

constexpr const char* kId = "cpu-utilization";
constexpr const char* kTitle = "CPU utilization over time";
constexpr const char* kTitleOfThreads = "Launching thread utilization over time";
constexpr std::array<std::string_view, 3> kSources{"auto", "threads", kSampled};
constexpr std::array kParameters{bin_parameter(),
                                 source_parameter(kSources, "data source; auto: sampled if available")};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto sampled = wants_samples(input, trace::Metric::cpu_utilisation, true);
  if (!sampled) return sampled.error();
  if (*sampled) return sampled_series_tables(input, trace::Metric::cpu_utilisation, Table(kId, kTitle, {}));
  const trace::Profile& profile = input.profile;
  const auto threads = launching_threads(profile, input.scope, input.cancel, input.shared);
  const auto bins = time_bins(extent_of(profile, input.scope), input.values, threads->size());
  if (!bins) return bins.error();
  std::map<std::uint32_t, std::vector<const HostThread*>> nodes;
  for (const HostThread& thread : *threads) nodes[profile.node_of_rank[thread.rank]].push_back(&thread);

  Table table(kId, kTitleOfThreads,
              {{"node", "", ColumnRole::node},
               Column{"begin", "", ColumnRole::start}.labeled("start"),
               {"end", "", ColumnRole::end},
               {"busy share", "", ColumnKind::share}});
  table.reserve(nodes.size() * bins->size());
  const trace::CoveredTime covered(profile);
  for (const auto& [node, own] : nodes) {
    for (std::uint64_t b = 0; b < bins->size() && !cancelled(input.cancel); ++b) {
      const Interval bin = (*bins)[b];
      double busy = 0;
      double whole = 0;
      for (const HostThread* thread : own) {
        const Interval known = covered.of(thread->rank, bin);
        busy += static_cast<double>(thread->busy.busy(known.begin, known.end));
        whole += static_cast<double>(known.length());
      }
      table.add_row({profile.nodes[node].label, bin.begin - profile.span.begin, bin.end - profile.span.begin,
                     share_of(busy, whole)});
    }
  }
  table.note = joined_notes({host_time_note(threads->size()), threads->empty() ? "" : bins->note()});
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    "cpu_utilization", "CPU utilization over time",
    "Sampled utilization, averaged over the CPU cores of a node. Without samples: the percentage of each time bin that "
    "launching threads spent in operators and runtime calls.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::cpu_utilization
