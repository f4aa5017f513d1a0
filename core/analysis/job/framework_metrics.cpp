// framework_metrics: time by phase of the training loop, and by operator on CPU and GPU.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/job/framework_time.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/call_tree.hpp"
#include "core/base/counted.hpp"

namespace warpscope::analysis::registered::framework_metrics {

namespace {

constexpr std::array kParameters{integer_parameter("k", "number of operators to list; 0 for all", "15", 0, 1e6)};

struct OperatorTime {
  std::uint64_t count = 0;
  Ns time = 0;
};
using ByName = std::vector<OperatorTime>;  // by name id

void add_to(ByName& all, NameId name, Ns time) {
  if (name >= all.size()) all.resize(name + 1);
  ++all[name].count;
  all[name].time = saturating_add(all[name].time, time);
}

/// Adds the time of each operator, excluding the operators it calls.
void add_cpu_operators(const AnalysisInput& input, std::uint32_t rank_index, ByName& all) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  const RoleOfCategory roles = roles_of_categories(input.profile);
  const auto range = input.scope.on_host(rank_index);
  const auto tree = shared_call_tree(input.profile, rank_index, {}, input.cancel, input.shared);
  std::vector<trace::SliceOrdinal> around(tree->slices(), CallTree::kNone);  // the innermost operator, including itself
  tree->for_each_downward([&](trace::SliceOrdinal call, trace::SliceOrdinal parent) {
    const trace::SliceOrdinal outer = parent == CallTree::kNone ? CallTree::kNone : around[parent];
    const bool is_operator = roles[rank.category(call)] == trace::Role::op;
    around[call] = is_operator ? call : outer;
    if (!is_operator || (range && !range->contains(rank.begin(call)))) return;
    const Ns length = rank.duration(call);
    add_to(all, rank.name(call), length);
    if (outer == CallTree::kNone) return;
    const NameId name = rank.name(outer);
    if (name < all.size()) all[name].time -= std::min(length, rank.duration(outer));
  });
}

Table operators_table(const trace::Profile& profile, std::string id, std::string title, const ByName& all,
                      std::size_t most) {
  Table table(
      std::move(id), std::move(title),
      {col::op, Column("calls", col::count), Column("time", col::total), col::share, col::ns("cumulative time")});
  std::vector<NameId> names;
  Ns sum = 0;
  for (NameId name = 0; name < all.size(); ++name) {
    if (all[name].count == 0) continue;
    names.push_back(name);
    sum = saturating_add(sum, all[name].time);
  }
  std::ranges::sort(names, [&](NameId a, NameId b) {
    return std::pair(-all[a].time, profile.names().view(a)) < std::pair(-all[b].time, profile.names().view(b));
  });
  Ns cumulative = 0;
  OperatorTime rest;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const OperatorTime& of = all[names[i]];
    if (most > 0 && i >= most) {
      rest.count += of.count;
      rest.time = saturating_add(rest.time, of.time);
      continue;
    }
    cumulative = saturating_add(cumulative, of.time);
    table.add_row({profile.names().view(names[i]), of.count, of.time, share_of(of.time, sum), cumulative});
  }
  if (rest.count > 0)
    table.add_row({counted(names.size() - most, "other operator", "other operators"), rest.count, rest.time,
                   share_of(rest.time, sum), sum});
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const GpuRows rows(profile, input.scope, {}, input.cancel, input.shared);
  ByName cpu;
  ByName gpu;
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    add_cpu_operators(input, r, cpu);
    const auto own = rows.of(r);
    for (const GpuRow& row : *own) add_to(gpu, row.name, row.time.length());
  }
  const auto most = static_cast<std::size_t>(input.values.integer("k"));
  Table cpu_table = operators_table(profile, "cpu-operators", "CPU operators", cpu, most);
  cpu_table.note = cpu_table.rows() > 0 ? "Time of each operator, excluding the operators it calls." : "No operators.";
  Table gpu_table = operators_table(profile, "gpu-operators", "GPU operators", gpu, most);
  gpu_table.note = gpu_table.rows() > 0 ? "Sums of durations." : "No GPU activity.";
  return std::vector{steps_table(time_of_steps(profile, input.scope)), phases_table(phase_times(profile, input.scope)),
                     std::move(cpu_table), std::move(gpu_table)};
}

}  // namespace

extern const Analysis kAnalysis{"framework_metrics", "Framework metrics",
                                "Percentage of time by phase of the training loop and outside steps, by phase of "
                                "SageMaker Debugger's framework timelines, and by operator on CPU and GPU.",
                                kParameters, run};

}  // namespace warpscope::analysis::registered::framework_metrics
