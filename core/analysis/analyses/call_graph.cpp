// call_graph: tree of host calls and the GPU activity each call launched.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/call_tree.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::call_graph {

namespace {

using trace::SliceOrdinal;

constexpr std::array kParameters{integer_parameter("rows", "number of calls to list per rank; 0 for all", "1000"),
                                 kHtaParameter, kRoundingParameter};

/// `zero`: origin of times in CSV.
Table calls_table(Ns zero) {
  return {"call-graph",
          "Calls and their kernels",
          {col::rank, col::id("thread").csv("tid"), col::name, col::begin().csv("ts", 1000, zero),
           Column(col::duration).csv("dur", 1000), col::id("call").csv("index"), col::id("parent"),
           col::integer("depth"), col::integer("height"), col::integer("kernels").csv("num_kernels"),
           col::ns("kernel time").csv("kernel_dur_sum", 1000), col::ns("kernel span").csv("kernel_span", 1000),
           col::moment("first kernel").csv("first_kernel_start", 1000, zero),
           col::moment("last kernel's end").csv("last_kernel_end", 1000, zero), col::id("forward")},
          "index,parent,depth,height,num_kernels,kernel_dur_sum,kernel_span,first_kernel_start,last_kernel_end"};
}

/// Which calls to list.
struct Listing {
  std::size_t most = 0;  // 0: all
  const Scope& scope;
};

/// Adds the calls of a rank, or only those with the most kernel time if there is a limit. Returns the number of calls
/// without the limit.
std::size_t add_rank(Table& table, const AnalysisInput& input, std::uint32_t rank_index, const CallTree& tree,
                     const std::vector<KernelsBelow>& below, const Listing& listing) {
  const trace::Profile& profile = input.profile;
  const trace::Rank& rank = *profile.ranks[rank_index];
  const std::optional<Interval> range = listing.scope.on_host(rank_index);
  const auto touches = [&](SliceOrdinal call) {
    if (!range) return true;
    const Ns begin = rank.begin(call);
    const Ns end = saturating_add(begin, std::max<Ns>(rank.duration(call), 1));
    return begin < range->end && end > range->begin;
  };
  std::vector<SliceOrdinal> calls;
  tree.for_each_downward([&](SliceOrdinal call, SliceOrdinal) {
    if (touches(call)) calls.push_back(call);
  });
  const std::size_t all = calls.size();
  if (listing.most > 0 && listing.most < all) {
    // On ties, prefers calls closer to the root, which have lower ordinals.
    const auto more = [&](SliceOrdinal a, SliceOrdinal b) {
      return below[a].time != below[b].time ? below[a].time > below[b].time : a < b;
    };
    const auto middle = calls.begin() + static_cast<std::ptrdiff_t>(listing.most);
    std::nth_element(calls.begin(), middle, calls.end(), more);
    calls.erase(middle, calls.end());
    std::ranges::sort(calls, more);
  }
  const std::vector<std::uint32_t> depths = tree.depths();
  const std::vector<std::uint32_t> heights = tree.heights();
  const auto since_begin = [&](Ns time) { return saturating_difference(time, profile.span.begin); };
  table.reserve(table.rows() + calls.size());
  for (const SliceOrdinal call : calls) {
    const KernelsBelow& kernels = below[call];
    const bool any = kernels.count > 0;
    const trace::Track& track = rank.tracks[rank.track_of_lane(rank.locate(call).lane)];
    const trace::Connection* forward = rank.forward_backward.cause_of(call);
    const SliceOrdinal parent = tree.parent(call);
    table.add_row({rank.number, track.id, profile.names().view(rank.name(call)), since_begin(rank.begin(call)),
                   rank.duration(call), call, parent == CallTree::kNone ? Cell() : Cell(parent), depths[call],
                   heights[call], kernels.count, kernels.time, any ? Cell(kernels.extent.length()) : Cell(),
                   any ? Cell(since_begin(kernels.extent.begin)) : Cell(),
                   any ? Cell(since_begin(kernels.extent.end)) : Cell(),
                   forward == nullptr ? Cell() : Cell(forward->from)});
  }
  return all;
}

/// HTA ignores stream 0 in this analysis.
std::shared_ptr<const GpuRows::Rows> on_numbered_streams(const trace::Rank& rank, GpuRows::Rows rows) {
  std::erase_if(rows, [&](const GpuRow& row) { return rank.tracks[row.track].id <= 0; });
  return std::make_shared<const GpuRows::Rows>(std::move(rows));
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  const GpuRows all(input.profile, input.scope, choice, input.cancel, input.shared);
  const Listing listing{static_cast<std::size_t>(input.values.integer("rows")), input.scope};
  Table table = calls_table(csv_zero(input));
  std::size_t calls = 0;
  std::size_t without = 0;
  const HtaSteps steps(input.profile, choice.hta);
  for (const std::uint32_t r : all.ranks()) {
    const trace::Rank& rank = *input.profile.ranks[r];
    const auto tree =
        shared_call_tree(input.profile, r, {steps.last_begin(rank), choice.hta}, input.cancel, input.shared);
    if (cancelled(input.cancel)) break;
    std::shared_ptr<const GpuRows::Rows> rows = all.of(r);
    if (choice.hta) rows = on_numbered_streams(rank, *rows);
    if (rows->empty()) ++without;
    calls += add_rank(table, input, r, *tree, kernels_below(*tree, *rows), listing);
  }
  if (calls == 0) {
    table.note = "No host calls in this selection.";
  } else {
    const std::string told = table.rows() == calls
                                 ? std::string()
                                 : fmt::format("Shows the {} of {} calls with the most kernel time; rows=0 shows all.",
                                               format_count(static_cast<std::int64_t>(table.rows())),
                                               format_count(static_cast<std::int64_t>(calls)));
    table.note = joined_notes({told, without_runs_note(without, all.ranks().size())});
  }
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    .name = "call_graph",
    .title = "Call graph",
    .about =
        "For each host call: its parent, depth and height, and the kernels, memcpys and memsets launched by it and its "
        "callees. Each backward pass is a child of the annotation it runs in; \"forward\" is the matching forward "
        "call. HTA also counts stream waits as kernels.",
    .parameters = kParameters,
    .run = run,
    .still_ours =
        "Rows are host calls; HTA also has a row for each GPU activity. Stream waits are not counted as kernels. The "
        "parent of a zero-duration call is the call that starts at the same time. In HTA, its parent depends on the "
        "sort order. In traces with ns timestamps, HTA's rounding may break the nesting of calls. If calls overlap "
        "without nesting, HTA may choose a parent that has already ended. The index and parent columns contain slice "
        "numbers, not file positions."};

}  // namespace warpscope::analysis::registered::call_graph
