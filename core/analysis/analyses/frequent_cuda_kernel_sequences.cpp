// frequent_cuda_kernel_sequences: kernel sequences launched by calls with a given name, and how often each occurs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/what_is_there.hpp"
#include "core/analysis/shared/call_tree.hpp"
#include "core/analysis/shared/name_sequences.hpp"
#include "core/base/stretches.hpp"

namespace warpscope::analysis::registered::frequent_cuda_kernel_sequences {

namespace {

using trace::SliceOrdinal;

constexpr std::array kParameters{
    text_parameter("operator_name", "string to search for in call names", "aten::"),
    integer_parameter("min_pattern_len", "minimum number of kernels in a sequence", "3", 1), kNamesParameter,
    kHtaParameter, kRoundingParameter};

/// GPU activity and the call it is attributed to.
struct Launched {
  SliceOrdinal call = 0;
  Ns begin = 0;
  Ns length = 0;
  NameId name = 0;
};

/// Totals of a kernel sequence.
struct Pattern {
  std::uint64_t count = 0;
  Ns kernels = 0;
  Ns calls = 0;
};

/// Returns, for each name id, whether the name contains the text.
std::vector<bool> names_with(const StringTable& names, std::string_view text) {
  std::vector<bool> found(names.size());
  for (NameId id = 0; id < found.size(); ++id) found[id] = names.view(id).find(text) != std::string_view::npos;
  return found;
}

class Sequences {
 public:
  explicit Sequences(const AnalysisInput& input)
      : input_(input),
        profile_(input.profile),
        choice_(KernelClasses::hta_choice(input.values)),
        wanted_(names_with(profile_.names(), input.values.text("operator_name"))) {}

  Table table() {
    // Counts only calls that lie entirely within the scope.
    const GpuRows rows(profile_, {input_.scope.ranks, {}}, choice_, input_.cancel, input_.shared);
    for (const std::uint32_t r : rows.ranks()) {
      if (cancelled(input_.cancel)) break;
      add_rank(r, *rows.of(r));
    }
    Table table("kernel-sequences", "Frequent kernel sequences",
                {{"sequence", "", ColumnRole::sequence, "pattern"},
                 {"count", "", ColumnRole::count, "count"},
                 {"kernel time", "", ColumnKind::duration, "GPU kernel duration (us)", 1000, 0, 1},
                 {"call time", "", ColumnKind::duration, "CPU op duration (us)", 1000, 0, 1}});
    std::vector<std::uint32_t> order(sequences_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(patterns_[a].count, patterns_[a].kernels) > std::pair(patterns_[b].count, patterns_[b].kernels);
    });
    const auto most = static_cast<std::size_t>(input_.values.integer(kNamesParameter.name));
    for (const std::uint32_t sequence : order) {
      const Pattern& pattern = patterns_[sequence];
      table.add_row({text_of(profile_.names(), sequences_.view(sequence), "|", most == 0 ? 0 : most + 1), pattern.count,
                     pattern.kernels, pattern.calls});
    }
    if (table.rows() == 0)
      table.note = fmt::format("No call with \"{}\" in its name launched {} or more kernels in this selection.",
                               input_.values.text("operator_name"), input_.values.integer("min_pattern_len"));
    return table;
  }

 private:
  /// Returns, for each slice, the call that its launches are attributed to.
  std::vector<SliceOrdinal> calls_of(const trace::Rank& rank, const CallTree& tree) const {
    const auto wanted = [&](SliceOrdinal call) -> bool { return wanted_[rank.name(call)]; };
    if (!choice_.hta) return outermost(tree, wanted);
    const std::vector<std::uint32_t> depths = tree.depths();
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    tree.for_each_downward([&](SliceOrdinal call, SliceOrdinal) {
      if (depths[call] < least && wanted(call)) least = depths[call];
    });
    return outermost(tree, [&](SliceOrdinal call) { return depths[call] == least && wanted(call); });
  }

  void add_rank(std::uint32_t rank_index, const std::vector<GpuRow>& rows) {
    const trace::Rank& rank = *profile_.ranks[rank_index];
    const auto before = HtaSteps(profile_, choice_.hta).last_begin(rank);
    const auto tree = shared_call_tree(profile_, rank_index, {before, choice_.hta}, input_.cancel, input_.shared);
    if (cancelled(input_.cancel)) return;
    const std::vector<SliceOrdinal> calls = calls_of(rank, *tree);
    std::vector<Launched> launched;
    for (const GpuRow& row : rows) {
      if (!row.launch || !tree->is_call(*row.launch)) continue;
      const SliceOrdinal call = calls[*row.launch];
      if (call == CallTree::kNone) continue;
      // HTA ignores stream 0 in this analysis.
      if (choice_.hta && rank.tracks[row.track].id <= 0) continue;
      launched.push_back({call, row.time.begin, row.time.length(), row.name});
    }
    // Rows are sorted by start; a stable sort preserves the order of rows with equal starts.
    std::ranges::stable_sort(launched, {}, [](const Launched& each) { return std::pair(each.call, each.begin); });
    count(rank_index, launched);
  }

  void count(std::uint32_t rank_index, std::span<const Launched> launched) {
    const trace::Rank& rank = *profile_.ranks[rank_index];
    const auto range = input_.scope.on_host(rank_index);
    const auto least = static_cast<std::size_t>(input_.values.integer("min_pattern_len"));
    std::vector<NameId> names;
    for_each_stretch(launched, &Launched::call, [&](std::span<const Launched> of_one) {
      const SliceOrdinal caller = of_one.front().call;
      const Ns begin = rank.begin(caller);
      Interval call{begin, saturating_add(begin, rank.duration(caller))};
      if (of_one.size() < least || (range && !is_within(call, *range))) return;
      if (choice_.rounding) call = hta_rounded(call);
      names.assign(1, rank.name(caller));
      Ns kernels = 0;
      for (const Launched& each : of_one) {
        names.push_back(each.name);
        kernels = saturating_add(kernels, each.length);
      }
      const std::uint32_t sequence = sequences_.intern(names);
      patterns_.resize(sequences_.size());
      Pattern& pattern = patterns_[sequence];
      ++pattern.count;
      pattern.kernels = saturating_add(pattern.kernels, kernels);
      pattern.calls = saturating_add(pattern.calls, call.length());
    });
  }

  const AnalysisInput& input_;
  const trace::Profile& profile_;
  KernelClasses::Choice choice_;
  std::vector<bool> wanted_;  // by name id
  NameSequences sequences_;
  std::vector<Pattern> patterns_;  // by sequence number
};

Failure check(const AnalysisInput& input) {
  const std::string& wanted = input.values.text("operator_name");
  const std::vector<std::uint32_t> ranks = ranks_in(input.profile, input.scope);
  const auto contains = [&](std::string_view name) { return name.find(wanted) != name.npos; };
  if (wanted == kParameters[0].preset || has_call(input.profile, ranks, contains)) return {};
  return Error{"operator_name " + wanted, "matches no calls on the selected ranks",
               "available operators: " + operators_there(input.profile, ranks)};
}

Result<std::vector<Table>> run(const AnalysisInput& input) { return std::vector{Sequences(input).table()}; }

}  // namespace

extern const Analysis kAnalysis{
    .name = "frequent_cuda_kernel_sequences",
    .title = "Frequent kernel sequences",
    .about =
        "Sequences of kernels, memcpys and memsets launched by the outermost calls whose name contains operator_name, "
        "in execution order, with counts and durations. HTA uses only the calls at the smallest depth and counts "
        "stream waits as kernels.",
    .parameters = kParameters,
    .run = run,
    .still_ours =
        "Sequences do not include stream waits. The parent of a zero-duration call is the call that starts at the same "
        "time. In HTA, its parent depends on the sort order.",
    .check = check};

}  // namespace warpscope::analysis::registered::frequent_cuda_kernel_sequences
