// aten_op_kernels_and_delay: kernels launched by operators, with launch delays and latencies.
#include <algorithm>
#include <array>
#include <tuple>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/what_is_there.hpp"
#include "core/analysis/shared/call_tree.hpp"
#include "core/analysis/shared/hta_steps.hpp"
#include "core/analysis/shared/name_sequences.hpp"
#include "core/analysis/slices/launch_latency.hpp"
#include "core/base/stretches.hpp"
#include "core/base/text_pattern.hpp"

namespace warpscope::analysis::registered::aten_op_kernels_and_delay {

namespace {

using trace::SliceOrdinal;

constexpr std::array kParameters{
    text_parameter("operators", "comma-separated operator names; * matches anything", "aten::*"),
    flag_parameter("include_memory", "include memcpys and memsets"), kNamesParameter, kHtaParameter,
    kRoundingParameter};

/// A kernel and the operator that launched it.
struct Launched {
  SliceOrdinal op = 0;
  SliceOrdinal launch = 0;
  Ns launched = 0;  ///< start of the launch
  Ns ended = 0;     ///< end of the launch
  Ns began = 0;     ///< start of the kernel
  NameId name = 0;
};

/// Totals of a kernel sequence.
struct Delays {
  std::uint64_t count = 0;
  double launch = 0;   ///< ns, sum
  double runtime = 0;  ///< ns, sum, from the start of the launch
  double waited = 0;   ///< ns, sum, from the end of the launch
};

/// True for the calls that HTA treats as kernel launches.
bool launches_to_hta(std::string_view name) {
  return (name.starts_with("cuda") && name.find("LaunchKernel", 4) != name.npos) ||
         name.starts_with("cuLaunchKernel") || name.starts_with("runFunction");
}

class Operators {
 public:
  explicit Operators(const AnalysisInput& input)
      : input_(input),
        profile_(input.profile),
        choice_(KernelClasses::hta_choice(input.values)),
        memory_(input.values.flag("include_memory")),
        // Counts only operators entirely within the scope, because clipping would distort their delays.
        rows_(profile_, {input.scope.ranks, {}}, choice_, input.cancel, input.shared),
        steps_(profile_, choice_.hta),
        wanted_(profile_.names().size()) {
    const std::vector<TextPattern> patterns = parse_patterns(input.values.text("operators"));
    for (NameId id = 0; id < wanted_.size(); ++id)
      wanted_[id] = std::ranges::any_of(
          patterns, [&](const TextPattern& each) { return each.matches(profile_.names().view(id)); });
  }

  Table table() {
    Table table("aten-op-kernels", "Operators and their kernels",
                {{"rank", "", ColumnRole::rank, "rank"},
                 {"operator", "", ColumnRole::op, "aten_op_name"},
                 {"kernels", "", ColumnRole::kernel_names, "kernel_sequence"},
                 {"calls", "", ColumnKind::integer, "occurrence_count"},
                 {choice_.hta ? "mean launch delay" : "mean operator start → API start", "", ColumnKind::duration,
                  "avg_aten_op_launch_delay", 1000, 0, 1},
                 {choice_.hta ? "mean runtime delay" : mean_of(kApiStartToKernelStart), "", ColumnKind::duration,
                  "avg_runtime_delay", 1000, 0, 1},
                 {mean_of(kApiEndToKernelStart), "", ColumnKind::duration, "avg_api_end_to_kernel_start", 1000, 0, 1}});
    std::size_t without = 0;
    for (const std::uint32_t r : rows_.ranks()) {
      const std::vector<Launched> launched = launched_on(r);
      if (cancelled(input_.cancel)) break;
      if (launched.empty()) ++without;
      add_rows(table, r, launched);
    }
    if (table.rows() == 0)
      table.note = "The traces contain no kernels launched by these operators.";
    else if (without > 0)
      table.note = "On some ranks, these operators launched no kernels.";
    return table;
  }

 private:
  static std::string mean_of(std::string_view latency) { return "mean " + std::string(latency); }

  [[nodiscard]] bool counts(const trace::Rank& rank, const GpuRow& row) const {
    if (!row.launch) return false;
    if (choice_.hta) return launches_to_hta(profile_.names().view(rank.name(*row.launch)));
    return memory_ || trace::is_kernel(row.role);
  }

  std::vector<Launched> launched_on(std::uint32_t rank_index) const {
    const trace::Rank& rank = *profile_.ranks[rank_index];
    const RoleOfCategory roles = roles_of_categories(profile_);
    const auto tree =
        shared_call_tree(profile_, rank_index, {steps_.last_begin(rank), choice_.hta}, input_.cancel, input_.shared);
    if (cancelled(input_.cancel)) return {};
    const std::vector<SliceOrdinal> operators = innermost(*tree, [&](SliceOrdinal call) {
      return wanted_[rank.name(call)] && roles[rank.category(call)] == trace::Role::op;
    });
    const auto range = input_.scope.on_host(rank_index);
    std::vector<Launched> launched;
    const std::shared_ptr<const GpuRows::Rows> rows = rows_.of(rank_index);
    for (const GpuRow& row : *rows) {
      if (!counts(rank, row) || !tree->is_call(*row.launch)) continue;
      const SliceOrdinal op = operators[*row.launch];
      if (op == CallTree::kNone) continue;
      const Interval time{rank.begin(op), saturating_add(rank.begin(op), rank.duration(op))};
      if (range && !is_within(time, *range)) continue;
      const Interval call{rank.begin(*row.launch), saturating_add(rank.begin(*row.launch), rank.duration(*row.launch))};
      launched.push_back({op, *row.launch, *rows_.launch_begin(rank_index, row),
                          choice_.rounding ? hta_rounded(call).end : call.end, row.time.begin, row.name});
    }
    std::ranges::sort(launched, {},
                      [](const Launched& each) { return std::tuple(each.op, each.launched, each.launch, each.began); });
    return launched;
  }

  void add_rows(Table& table, std::uint32_t rank_index, std::span<const Launched> launched) const {
    const trace::Rank& rank = *profile_.ranks[rank_index];
    NameSequences sequences;
    std::vector<Delays> delays;
    std::vector<NameId> names;
    for_each_stretch(launched, &Launched::op, [&](std::span<const Launched> of_one) {
      const Launched& first = of_one.front();
      names.assign(1, rank.name(first.op));
      for (const Launched& each : of_one) names.push_back(each.name);
      const std::uint32_t sequence = sequences.intern(names);
      delays.resize(sequences.size());
      Delays& sums = delays[sequence];
      ++sums.count;
      const Ns op_begin = rank.begin(first.op);
      sums.launch += static_cast<double>(first.launched - (choice_.rounding ? hta_rounded(op_begin) : op_begin));
      const LaunchLatency latency = launch_latency({first.launched, first.ended}, first.began);
      sums.runtime += static_cast<double>(latency.from_start);
      sums.waited += static_cast<double>(latency.from_end);
    });
    std::vector<std::uint32_t> order(sequences.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order,
                             [&](std::uint32_t a, std::uint32_t b) { return delays[a].count > delays[b].count; });
    const auto most = static_cast<std::size_t>(input_.values.integer(kNamesParameter.name));
    for (const std::uint32_t sequence : order) {
      const std::span<const NameId> all = sequences.view(sequence);
      const Delays& sums = delays[sequence];
      const auto count = static_cast<double>(sums.count);
      table.add_row({rank.number, profile_.names().view(all.front()),
                     text_of(profile_.names(), all.subspan(1), " -> ", most), sums.count, sums.launch / count,
                     sums.runtime / count, sums.waited / count});
    }
  }

  const AnalysisInput& input_;
  const trace::Profile& profile_;
  KernelClasses::Choice choice_;
  bool memory_;
  GpuRows rows_;
  HtaSteps steps_;
  std::vector<bool> wanted_;  // by name
};

Failure check(const AnalysisInput& input) {
  const std::string& wanted = input.values.text("operators");
  const std::vector<std::uint32_t> ranks = ranks_in(input.profile, input.scope);
  const std::vector<TextPattern> patterns = parse_patterns(wanted);
  const auto matches = [&](std::string_view name) {
    return std::ranges::any_of(patterns, [&](const TextPattern& each) { return each.matches(name); });
  };
  if (wanted == kParameters[0].preset || has_call(input.profile, ranks, matches)) return {};
  return Error{"operators " + wanted, "match no calls on the selected ranks",
               "available operators: " + operators_there(input.profile, ranks)};
}

Result<std::vector<Table>> run(const AnalysisInput& input) { return std::vector{Operators(input).table()}; }

}  // namespace

extern const Analysis kAnalysis{
    .name = "aten_op_kernels_and_delay",
    .title = "Operator kernels and delays",
    .about =
        "Kernel sequences that operators launch directly, in launch order: number of occurrences, mean time from "
        "operator start to first launch, and both launch latencies of the first kernel. HTA recognizes only "
        "cudaLaunchKernel and cuLaunchKernel, and may attribute launches to operators on other threads.",
    .parameters = kParameters,
    .run = run,
    .still_ours =
        "Launches are attributed to operators on the same thread. HTA uses the most recently started operator on any "
        "thread, so it mixes up kernels of forward and backward operators.",
    .check = check};

}  // namespace warpscope::analysis::registered::aten_op_kernels_and_delay
