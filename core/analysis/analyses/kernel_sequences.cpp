// aten_op_kernels_and_delay and frequent_cuda_kernel_sequences: kernel sequences that calls launched, how often each
// occurs, and launch delays.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/call_tree.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/analysis/slices/launch_latency.hpp"
#include "core/base/stretches.hpp"
#include "core/base/text_pattern.hpp"

namespace warpscope::analysis::registered {

namespace {

using trace::SliceOrdinal;

/// Limits the number of names written per sequence, because all of a step's names would take more space than its trace.
constexpr Parameter kNamesParameter =
    integer_parameter("names", "number of kernels listed by name for each sequence, 0 for all", "100");
constexpr std::array kOperatorParameters{
    text_parameter("operators", "comma-separated operator names; * matches anything", "aten::*"),
    flag_parameter("include_memory", "include memcpys and memsets"), kNamesParameter, kHtaParameter,
    kRoundingParameter};
constexpr std::array kSequenceParameters{
    text_parameter("operator_name", "string to search for in call names", "aten::"),
    integer_parameter("min_pattern_len", "minimum number of kernels in a sequence", "3", 1), kNamesParameter,
    kHtaParameter, kRoundingParameter};

/// GPU activity and the call it is attributed to.
struct Launched {
  SliceOrdinal call = 0;
  SliceOrdinal launch = 0;
  Interval api;  ///< the launch
  Interval run;
  NameId name = 0;
};

/// Names of a call and of the kernels it launched.
using Sequence = std::vector<NameId>;

/// Sums by sequence.
template <class Sums>
class SequenceSums {
 public:
  Sums& of(const Sequence& names) {
    const auto [entry, fresh] = index_.try_emplace(names, all_.size());
    if (fresh) all_.emplace_back(&entry->first, Sums{});
    return all_[entry->second].second;
  }
  /// Returns sequences and sums, largest key first; on ties, in order of first occurrence.
  template <class Key>
  auto sorted(Key key) && {
    std::ranges::stable_sort(all_, std::greater(), [&](const auto& each) { return key(each.second); });
    return std::move(all_);
  }

 private:
  std::map<Sequence, std::size_t> index_;
  std::vector<std::pair<const Sequence*, Sums>> all_;
};

/// Finds the GPU activity of calls.
class LaunchedBy {
 public:
  explicit LaunchedBy(const AnalysisInput& input)
      : choice(KernelClasses::hta_choice(input.values)),
        input_(input),
        names_(input.profile.names()),
        most_(static_cast<std::size_t>(input.values.integer(kNamesParameter.name))),
        // Counts only calls that lie entirely within the scope, because clipping would distort their times.
        rows_(input.profile, {input.scope.ranks, {}}, choice, input.cancel, input.shared),
        steps_(input.profile, choice.hta) {}

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return rows_.ranks(); }

  /// Calls visit(names, span<const Launched>) for each call of a rank that `calls_of` selects and that launched rows
  /// for which `counts` returns true. `calls_of`: by slice, the call that its launches are attributed to.
  template <class CallsOf, class Counts, class Order, class Visit>
  void for_each(std::uint32_t r, CallsOf calls_of, Counts counts, Order order, Visit visit) const {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const auto tree =
        shared_call_tree(input_.profile, r, {steps_.last_begin(rank), choice.hta}, input_.cancel, input_.shared);
    if (cancelled(input_.cancel)) return;
    const std::vector<SliceOrdinal> calls = calls_of(*tree);
    const auto range = input_.scope.on_host(r);
    std::vector<Launched> launched;
    const std::shared_ptr<const GpuRows::Rows> rows = rows_.of(r);
    for (const GpuRow& row : *rows) {
      if (!row.launch || !counts(row) || !tree->is_call(*row.launch)) continue;
      const SliceOrdinal call = calls[*row.launch];
      if (call == CallTree::kNone || (range && !is_within(time_of(rank, call), *range))) continue;
      launched.push_back({call, *row.launch, *rows_.launch_time(r, row), row.time, row.name});
    }
    // Rows are sorted by start; a stable sort preserves the order of rows with equal starts.
    std::ranges::stable_sort(launched, {}, order);
    Sequence names;
    for_each_stretch(std::span<const Launched>(launched), &Launched::call, [&](std::span<const Launched> of_one) {
      names.assign(1, rank.name(of_one.front().call));
      for (const Launched& each : of_one) names.push_back(each.name);
      visit(names, of_one);
    });
  }

  [[nodiscard]] Interval rounded(Interval time) const { return choice.rounding ? hta_rounded(time) : time; }
  static Interval time_of(const trace::Rank& rank, SliceOrdinal call) {
    return {rank.begin(call), saturating_add(rank.begin(call), rank.duration(call))};
  }

  /// Joins the names from `first` on, up to the limit, with `separator`, and appends the number of remaining kernels.
  [[nodiscard]] std::string text_of(const Sequence& sequence, std::size_t first, std::string_view separator) const {
    const std::size_t end = most_ == 0 ? sequence.size() : std::min(most_ + 1, sequence.size());
    std::string text;
    for (std::size_t i = first; i < end; ++i) text.append(i > first ? separator : "").append(names_.view(sequence[i]));
    if (end < sequence.size()) text += fmt::format("{}… ({} more)", separator, sequence.size() - end);
    return text;
  }

  const KernelClasses::Choice choice;

 private:
  const AnalysisInput& input_;
  const StringTable& names_;
  std::size_t most_;
  GpuRows rows_;
  HtaSteps steps_;
};

/// Returns, by name id, whether the name matches.
std::vector<bool> names_where(const StringTable& names, const std::function<bool(std::string_view)>& matches) {
  std::vector<bool> found(names.size());
  for (NameId id = 0; id < found.size(); ++id) found[id] = matches(names.view(id));
  return found;
}

std::function<bool(std::string_view)> wanted_operators(const AnalysisInput& input) {
  return [patterns = parse_patterns(input.values.text("operators"))](std::string_view name) {
    return std::ranges::any_of(patterns, [&](const TextPattern& each) { return each.matches(name); });
  };
}

std::function<bool(std::string_view)> wanted_calls(const AnalysisInput& input) {
  return [text = input.values.text("operator_name")](std::string_view name) { return name.find(text) != name.npos; };
}

struct Delays {
  std::uint64_t count = 0;
  double launch = 0;   ///< ns, sum, from the start of the operator to the start of the launch
  double runtime = 0;  ///< ns, sum, from the start of the launch
  double waited = 0;   ///< ns, sum, from the end of the launch
};

/// True for the calls that HTA treats as kernel launches.
bool launches_to_hta(std::string_view name) {
  return (name.starts_with("cuda") && name.find("LaunchKernel", 4) != name.npos) ||
         name.starts_with("cuLaunchKernel") || name.starts_with("runFunction");
}

Result<std::vector<Table>> run_operators(const AnalysisInput& input) {
  const LaunchedBy launched(input);
  const trace::Profile& profile = input.profile;
  const bool hta = launched.choice.hta;
  const auto mean_of = [](std::string_view latency) { return "mean " + std::string(latency); };
  Table table(
      "aten-op-kernels", "Operators and their kernels",
      {col::rank, Column(col::op).csv("aten_op_name"), Column(col::kernel_names).csv("kernel_sequence"),
       col::integer("calls").csv("occurrence_count"),
       col::us(col::ns(hta ? "mean launch delay" : "mean operator start → API start"), "avg_aten_op_launch_delay"),
       col::us(col::ns(hta ? "mean runtime delay" : mean_of(kApiStartToKernelStart)), "avg_runtime_delay"),
       col::us(col::ns(mean_of(kApiEndToKernelStart)), "avg_api_end_to_kernel_start")});
  const bool memory = input.values.flag("include_memory");
  const std::vector<bool> wanted = names_where(profile.names(), wanted_operators(input));
  const RoleOfCategory roles = roles_of_categories(profile);
  std::size_t without = 0;
  for (const std::uint32_t r : launched.ranks()) {
    if (cancelled(input.cancel)) break;
    const trace::Rank& rank = *profile.ranks[r];
    SequenceSums<Delays> sequences;
    const std::size_t before = table.rows();
    launched.for_each(
        r,
        [&](const CallTree& tree) {
          return innermost(tree, [&](SliceOrdinal call) {
            return wanted[rank.name(call)] && roles[rank.category(call)] == trace::Role::op;
          });
        },
        [&](const GpuRow& row) {
          return hta ? launches_to_hta(profile.names().view(rank.name(*row.launch)))
                     : memory || trace::is_kernel(row.role);
        },
        [](const Launched& each) { return std::tuple(each.call, each.api.begin, each.launch, each.run.begin); },
        [&](const Sequence& names, std::span<const Launched> of_one) {
          const Launched& first = of_one.front();
          const LaunchLatency latency = launch_latency(first.api, first.run.begin);
          Delays& sums = sequences.of(names);
          ++sums.count;
          const Ns op_begin = launched.rounded(LaunchedBy::time_of(rank, first.call)).begin;
          sums.launch += static_cast<double>(first.api.begin - op_begin);
          sums.runtime += static_cast<double>(latency.from_start);
          sums.waited += static_cast<double>(latency.from_end);
        });
    for (const auto& [names, sums] : std::move(sequences).sorted([](const Delays& each) { return each.count; })) {
      const auto count = static_cast<double>(sums.count);
      table.add_row({rank.number, profile.names().view(names->front()), launched.text_of(*names, 1, " -> "), sums.count,
                     sums.launch / count, sums.runtime / count, sums.waited / count});
    }
    if (table.rows() == before) ++without;
  }
  if (table.rows() == 0)
    table.note = "The traces contain no kernels launched by these operators.";
  else if (without > 0)
    table.note = "On some ranks, these operators launched no kernels.";
  return std::vector{std::move(table)};
}

struct Pattern {
  std::uint64_t count = 0;
  Ns kernels = 0;
  Ns calls = 0;
};

Result<std::vector<Table>> run_sequences(const AnalysisInput& input) {
  const LaunchedBy launched(input);
  const bool hta = launched.choice.hta;
  const std::vector<bool> wanted = names_where(input.profile.names(), wanted_calls(input));
  const auto least = static_cast<std::size_t>(input.values.integer("min_pattern_len"));
  SequenceSums<Pattern> sequences;
  for (const std::uint32_t r : launched.ranks()) {
    if (cancelled(input.cancel)) break;
    const trace::Rank& rank = *input.profile.ranks[r];
    const auto is_wanted = [&](SliceOrdinal call) -> bool { return wanted[rank.name(call)]; };
    launched.for_each(
        r,
        [&](const CallTree& tree) {
          if (!hta) return outermost(tree, is_wanted);
          const std::vector<std::uint32_t> depths = tree.depths();
          std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
          tree.for_each_downward([&](SliceOrdinal call, SliceOrdinal) {
            if (depths[call] < smallest && is_wanted(call)) smallest = depths[call];
          });
          return outermost(tree, [&](SliceOrdinal call) { return depths[call] == smallest && is_wanted(call); });
        },
        // HTA ignores stream 0 in this analysis.
        [&](const GpuRow& row) { return !hta || rank.tracks[row.track].id > 0; },
        [](const Launched& each) { return std::pair(each.call, each.run.begin); },
        [&](const Sequence& names, std::span<const Launched> of_one) {
          if (of_one.size() < least) return;
          Pattern& pattern = sequences.of(names);
          ++pattern.count;
          for (const Launched& each : of_one) pattern.kernels = saturating_add(pattern.kernels, each.run.length());
          const Interval call = launched.rounded(LaunchedBy::time_of(rank, of_one.front().call));
          pattern.calls = saturating_add(pattern.calls, call.length());
        });
  }
  Table table(
      "kernel-sequences", "Frequent kernel sequences",
      {Column(col::sequence).csv("pattern"), col::count, col::us(col::ns("kernel time"), "GPU kernel duration (us)"),
       col::us(col::ns("call time"), "CPU op duration (us)")});
  for (const auto& [names, pattern] :
       std::move(sequences).sorted([](const Pattern& each) { return std::pair(each.count, each.kernels); }))
    // The reference is the name of the call.
    table.add_row(
        {Cell(launched.text_of(*names, 0, "|"), names->front()), pattern.count, pattern.kernels, pattern.calls});
  if (table.rows() == 0)
    table.note = fmt::format("No call with \"{}\" in its name launched {} or more kernels in this selection.",
                             input.values.text("operator_name"), least);
  return std::vector{std::move(table)};
}

}  // namespace

namespace aten_op_kernels_and_delay {
extern const Analysis kAnalysis{
    .name = "aten_op_kernels_and_delay",
    .title = "Operator kernels and delays",
    .about =
        "Kernel sequences that operators launch directly, in launch order: number of occurrences, mean time from "
        "operator start to first launch, and both launch latencies of the first kernel. HTA recognizes only "
        "cudaLaunchKernel and cuLaunchKernel, and may attribute launches to operators on other threads.",
    .parameters = kOperatorParameters,
    .run = run_operators,
    .still_ours =
        "Launches are attributed to operators on the same thread. HTA uses the most recently started operator on any "
        "thread, so it mixes up kernels of forward and backward operators."};
}

namespace frequent_cuda_kernel_sequences {
extern const Analysis kAnalysis{
    .name = "frequent_cuda_kernel_sequences",
    .title = "Frequent kernel sequences",
    .about =
        "Sequences of kernels, memcpys and memsets launched by the outermost calls whose name contains operator_name, "
        "in execution order, with counts and durations. HTA uses only the calls at the smallest depth and counts "
        "stream waits as kernels.",
    .parameters = kSequenceParameters,
    .run = run_sequences,
    .still_ours =
        "Sequences do not include stream waits. The parent of a zero-duration call is the call that starts at the same "
        "time. In HTA, its parent depends on the sort order."};
}

}  // namespace warpscope::analysis::registered
