#include "core/analysis/request/registry.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/analysis/request/evaluated_time.hpp"
#include "core/analysis/request/hosted_analysis.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/trace/clock_check.hpp"
#include "core/trace/partial_ranks.hpp"

// One line per analysis, group by group, in listing order. Each is kAnalysis in namespace registered::NAME, which also
// keeps file-local names apart in unity builds.
#define WARPSCOPE_ANALYSES(ANALYSIS)                        \
  ANALYSIS("Time", what_if)                                 \
  ANALYSIS("Time", where_time_goes)                         \
  ANALYSIS("Time", step_overview)                           \
  ANALYSIS("Time", step_time)                               \
  ANALYSIS("Time", gpu_active_time)                         \
  ANALYSIS("Time", gpu_utilization)                         \
  ANALYSIS("Time", gpu_activity)                            \
  ANALYSIS("Time", temporal_breakdown)                      \
  ANALYSIS("Time", critical_path)                           \
  ANALYSIS("Time", annotations)                             \
  ANALYSIS("Time", annotation_histogram)                    \
  ANALYSIS("Time", job_statistics)                          \
  ANALYSIS("Time", steps_by_phase)                          \
  ANALYSIS("Time", framework_metrics)                       \
  ANALYSIS("Communication", comm_comp_overlap)              \
  ANALYSIS("Communication", collectives)                    \
  ANALYSIS("Communication", late_ranks)                     \
  ANALYSIS("Communication", rank_clocks)                    \
  ANALYSIS("Communication", potential_stragglers)           \
  ANALYSIS("Host and launches", idle_time_breakdown)        \
  ANALYSIS("Host and launches", cuda_kernel_launch_stats)   \
  ANALYSIS("Host and launches", queue_length_time_series)   \
  ANALYSIS("Host and launches", queue_length_summary)       \
  ANALYSIS("Host and launches", time_blocked_on_full_queue) \
  ANALYSIS("Host and launches", cpu_active_time)            \
  ANALYSIS("Host and launches", cpu_utilization)            \
  ANALYSIS("Host and launches", host_metrics)               \
  ANALYSIS("Host and launches", system_usage)               \
  ANALYSIS("Host and launches", metric_distribution)        \
  ANALYSIS("Host and launches", python_stats)               \
  ANALYSIS("Memory", memory_operations)                     \
  ANALYSIS("Memory", memory_bw_time_series)                 \
  ANALYSIS("Memory", memory_bw_summary)                     \
  ANALYSIS("Memory", allocations)                           \
  ANALYSIS("Memory", memory_timeline)                       \
  ANALYSIS("Kernels", kernel_time)                          \
  ANALYSIS("Kernels", kernels)                              \
  ANALYSIS("Kernels", kernel_launches)                      \
  ANALYSIS("Kernels", kernel_precision)                     \
  ANALYSIS("Kernels", gpu_kernel_breakdown)                 \
  ANALYSIS("Kernels", gpu_user_annotation_breakdown)        \
  ANALYSIS("Kernels", gpu_kernels_with_user_annotations)    \
  ANALYSIS("Kernels", cupti_counters)                       \
  ANALYSIS("Operators", operators)                          \
  ANALYSIS("Operators", call_tree)                          \
  ANALYSIS("Operators", modules)                            \
  ANALYSIS("Operators", efficiency)                         \
  ANALYSIS("Operators", pivot)                              \
  ANALYSIS("Operators", aten_op_kernels_and_delay)          \
  ANALYSIS("Operators", frequent_cuda_kernel_sequences)     \
  ANALYSIS("Operators", call_graph)                         \
  ANALYSIS("Compare", trace_diff)                           \
  ANALYSIS("Compare", ops_diff)

namespace warpscope::analysis {

namespace {

// Analyses over a time span common to all ranks, which is meaningless if the ranks' clocks disagree.
constexpr std::array<std::string_view, 5> kOnCommonClock{"gpu_active_time", "gpu_utilization", "cpu_active_time",
                                                         "cpu_utilization", "gpu_activity"};

/// Notes on missing parts of traces in the profile and the compared profile.
std::string partial_notes(const trace::Profile& profile, std::span<const std::uint32_t> ranks, Ns until,
                          const trace::Profile* other) {
  std::string note = trace::partial_note(profile, ranks, until);
  if (other == nullptr) return note;
  if (!note.empty()) note = "A: " + note;
  const std::string theirs = trace::partial_note(*other);
  return joined_notes({note, theirs.empty() ? theirs : "B: " + theirs});
}

/// An analysis that reports results of others already includes their notes.
void put_first(const std::string& note, std::vector<Table>& tables) {
  for (Table& table : tables)
    if (!note.empty() && table.note.find(note) == std::string::npos) table.note = joined_notes({note, table.note});
}

}  // namespace

namespace registered {
#define WARPSCOPE_DECLARE(group, name) \
  namespace name {                     \
  extern const Analysis kAnalysis;     \
  }
WARPSCOPE_ANALYSES(WARPSCOPE_DECLARE)
WARPSCOPE_DECLARE("", information)  // not listed: it has a page of its own
#undef WARPSCOPE_DECLARE
}  // namespace registered

std::span<const Analysis> analyses() {
#define WARPSCOPE_LIST(group, name) registered::name::kAnalysis,
  static const std::array kAll{WARPSCOPE_ANALYSES(WARPSCOPE_LIST)};
#undef WARPSCOPE_LIST
  return kAll;
}

std::string_view group_of(const Analysis& analysis) {
#define WARPSCOPE_GROUP(group, name) std::string_view(group),
  static constexpr std::array kGroups{WARPSCOPE_ANALYSES(WARPSCOPE_GROUP)};
#undef WARPSCOPE_GROUP
  return kGroups[static_cast<std::size_t>(&analysis - analyses().data())];
}

const Analysis* find_analysis(std::string_view name) {
  if (name == registered::information::kAnalysis.name) return &registered::information::kAnalysis;
  const std::span<const Analysis> all = analyses();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Analysis& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

ChartSpec chart_of(std::string_view analysis, std::string_view table) {
  const Analysis* of = find_analysis(analysis);
  const auto charts = of != nullptr ? of->charts : std::span<const ChartSpec>();
  const auto found =
      std::find_if(charts.begin(), charts.end(), [&](const ChartSpec& each) { return each.table == table; });
  return found == charts.end() ? ChartSpec{.table = table} : *found;
}

std::string description(const Analysis& analysis) {
  std::string text(analysis.about);
  if (!analysis.still_ours.empty()) text.append(" Remaining differences with hta: ").append(analysis.still_ours);
  return text;
}

bool has_parameter(const Analysis& analysis, std::string_view name) {
  return std::ranges::find(analysis.parameters, name, &Parameter::name) != analysis.parameters.end();
}

Result<std::vector<Table>> run_with_scope_note(const Analysis& analysis, const trace::Profile& profile, Scope scope,
                                               std::span<const Setting> settings, const CancelToken* cancel,
                                               const ingest::EventLookup* events, SharedResults& shared) {
  if (auto answer = ask_for_tables(analysis, profile, scope, settings, cancel, true)) return std::move(*answer);
  scope = resolved(std::move(scope), profile, cancel, &shared);
  const std::string note = scope.evaluated != nullptr ? scope.evaluated->note() : "";
  const auto values = ParameterValues::parse(analysis.parameters, settings);
  const bool hta = values && has_parameter(analysis, kHtaParameter.name) && values->flag(kHtaParameter.name);
  auto tables = run_analysis(analysis, profile, std::move(scope), settings, cancel, nullptr, events, &shared);
  if (tables && !hta)
    for (Table& table : *tables) table.note = joined_notes({table.note, note});
  return tables;
}

Result<std::vector<Table>> run_analysis(const Analysis& analysis, const trace::Profile& profile, Scope scope,
                                        std::span<const Setting> settings, const CancelToken* cancel,
                                        const trace::Profile* other, const ingest::EventLookup* events,
                                        SharedResults* shared) {
  auto values = ParameterValues::parse(analysis.parameters, settings);
  if (!values) return values.error();
  if (has_parameter(analysis, kKernelClassParameter.name))
    if (const auto rules = parse_kernel_rules(values->text(kKernelClassParameter.name)); !rules) return rules.error();
  if (other == nullptr)
    if (auto answer = ask_for_tables(analysis, profile, scope, settings, cancel, false)) return std::move(*answer);
  if (shared != nullptr && !shared->is_of(profile)) shared = nullptr;
  // HTA's figures are of the whole recording, and two profiles share no time.
  if (other != nullptr || (has_parameter(analysis, kHtaParameter.name) && values->flag(kHtaParameter.name))) {
    scope.evaluated_only = false;
    scope.evaluated = nullptr;
  }
  scope = resolved(std::move(scope), profile, cancel, shared);
  const std::vector<std::uint32_t> ranks = scope.ranks;
  const Ns until = scope.range ? scope.range->end : std::numeric_limits<Ns>::max();
  const bool common_span = scope.evaluated == nullptr;
  auto tables = analysis.run({profile, std::move(scope), std::move(*values), cancel, other, events, shared});
  // Columns that cannot be loaded read as empty, so tables computed from them would be silently wrong.
  if (auto damage = trace::damage_of(profile, ranks)) return *damage;
  if (other != nullptr)
    if (auto damage = trace::damage_of(*other)) return *damage;
  if (!tables) return tables;
  if (common_span && std::ranges::find(kOnCommonClock, analysis.name) != kOnCommonClock.end())
    put_first(trace::clock_note(profile), *tables);
  put_first(partial_notes(profile, ranks, until, other), *tables);
  return tables;
}

}  // namespace warpscope::analysis
