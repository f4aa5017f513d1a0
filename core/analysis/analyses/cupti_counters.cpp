// cupti_counters: CUPTI profiler counters of each kernel (PyTorch's `profiler_metrics`), and the operators that
// launched it.
//
// Traces with counters contain no kernels. Instead, they contain one range of category `cuda_profiler_range` per
// kernel, with the counters as arguments and artificial timestamps. Ranges can be linked to launches only by order: the
// profiler serializes kernels, so if a rank has as many ranges as launches, they match one to one.
//
// Profiles do not store arguments, so the analysis reads the counters from the trace file again.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/call_tree.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/base/format.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::analysis::registered::cupti_counters {

namespace {

using trace::SliceOrdinal;

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};
constexpr std::string_view kCategory = "cuda_profiler_range";
constexpr std::string_view kHowTo =
    "No kernel counters in this selection. PyTorch records them with "
    "experimental_config=_ExperimentalConfig(profiler_metrics=[…], profiler_measure_per_kernel=True).";

bool launches_kernel(std::string_view name, bool hta) {
  if (hta) return name == "cudaLaunchKernel";
  const std::size_t launch = name.find("Launch");
  return launch != std::string_view::npos && name.find("Kernel", launch) != std::string_view::npos;
}

std::vector<bool> launching_names(const StringTable& names, bool hta) {
  std::vector<bool> launching(names.size());
  for (NameId id = 0; id < launching.size(); ++id) launching[id] = launches_kernel(names.view(id), hta);
  return launching;
}

/// Ranges and launches of a rank, each sorted by start.
struct RangesAndLaunches {
  std::vector<SliceOrdinal> ranges;
  std::vector<SliceOrdinal> launches;
};

/// Selects the ranges and launches of ranks.
class Picker {
 public:
  Picker(const trace::Profile& profile, bool hta)
      : roles_(roles_of_categories(profile)), launching_(launching_names(profile.names(), hta)) {
    for (std::size_t id = 0; id < is_range_.size(); ++id)
      is_range_[id] = profile.categories().name(static_cast<trace::CategoryId>(id)) == kCategory;
  }

  [[nodiscard]] RangesAndLaunches of(const trace::Rank& rank) const {
    RangesAndLaunches picked;
    const auto ranges =
        std::ranges::any_of(rank.counts.by_category, [&](const auto& each) { return is_range_[each.first]; });
    for (std::uint32_t l = 0; ranges && l < rank.lanes.size(); ++l) {
      const trace::Lane& lane = rank.lanes[l];
      if (!holds_recorded(rank, l)) continue;
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        const trace::CategoryId category = lane.category(i);
        if (is_range_[category]) picked.ranges.push_back(rank.lane_start[l] + i);
        if (roles_[category] == trace::Role::launch && launching_[lane.name(i)])
          picked.launches.push_back(rank.lane_start[l] + i);
      }
    }
    for (auto* each : {&picked.ranges, &picked.launches})
      std::ranges::stable_sort(*each, {}, [&](SliceOrdinal slice) { return rank.begin(slice); });
    return picked;
  }

 private:
  RoleOfCategory roles_;
  std::array<bool, 256> is_range_{};
  std::vector<bool> launching_;  // by name id
};

/// Counters of ranges, one column per name, in order of first occurrence.
class CounterColumns {
 public:
  void add(std::size_t row, const ingest::EventText& event) {
    constexpr std::string_view kArguments = "args.";
    for (const ingest::EventRow& field : event.rows) {
      if (!field.path.starts_with(kArguments)) continue;
      const auto value = number_in(field.value);
      if (!value) {
        ++unreadable_;
        continue;
      }
      const auto [column, fresh] = columns_.try_emplace(field.path.substr(kArguments.size()), names_.size());
      if (fresh) names_.push_back(column->first);
      reals_.resize(names_.size());
      if (value->type() == Cell::Type::real) reals_[column->second] = true;
      if (rows_.size() <= row) rows_.resize(row + 1);
      rows_[row].resize(std::max(rows_[row].size(), column->second + 1));
      rows_[row][column->second] = *value;
    }
  }
  [[nodiscard]] std::vector<Column> columns() const {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < names_.size(); ++i)
      columns.push_back(
          {names_[i], "", reals_[i] ? ColumnKind::real : ColumnKind::integer, ColumnRole::counter, names_[i]});
    return columns;
  }
  void append(std::vector<Cell>& cells, std::size_t row) const {
    if (row < rows_.size()) cells.insert(cells.end(), rows_[row].begin(), rows_[row].end());
  }
  [[nodiscard]] std::size_t unreadable() const { return unreadable_; }

 private:
  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<std::string> names_;
  std::vector<bool> reals_;
  std::vector<std::vector<Cell>> rows_;  // numbers only, so cells own no text
  std::size_t unreadable_ = 0;
};

/// A kernel with counters.
struct Counted {
  std::uint32_t rank = 0;
  SliceOrdinal range = 0;
  std::vector<NameId> operators;  ///< around its launch, outermost first
};

class Counters {
 public:
  explicit Counters(const AnalysisInput& input)
      : input_(input),
        profile_(input.profile),
        choice_(KernelClasses::hta_choice(input.values)),
        picker_(profile_, choice_.hta) {}

  Table table() {
    for (const std::uint32_t r : ranks_in(profile_, input_.scope)) {
      if (cancelled(input_.cancel)) break;
      add_rank(r);
    }
    std::vector<Column> columns{col::rank,
                                Column(col::kernel).csv("name"),
                                col::begin().csv("ts", 1000, csv_zero(input_)),
                                Column(col::duration).csv("dur", 1000),
                                col::text("top operator").csv("top_level_op"),
                                col::text("bottom operator").csv("bottom_level_op"),
                                col::text("operators").csv("op_stack")};
    for (Column& counter : values_.columns()) columns.push_back(std::move(counter));
    Table table("cupti-counters", "Kernel counters", std::move(columns),
                "name,ts,dur,*,op_stack,top_level_op,bottom_level_op");
    for (std::size_t row = 0; row < kernels_.size(); ++row) add_row(table, row);
    std::string unreadable;
    if (values_.unreadable() > 0) unreadable = fmt::format("Non-numeric values skipped: {}.", values_.unreadable());
    table.note = joined_notes({notes_, unreadable});
    if (table.rows() == 0 && table.note.empty()) table.note = kHowTo;
    return table;
  }

 private:
  void say(std::string_view note) { notes_ = joined_notes({notes_, note}); }

  void add_rank(std::uint32_t rank_index) {
    const trace::Rank& rank = *profile_.ranks[rank_index];
    const RangesAndLaunches picked = picker_.of(rank);
    if (picked.ranges.empty()) return;
    const bool paired = picked.ranges.size() == picked.launches.size();
    if (!paired) {
      say(fmt::format("Rank {} has counters for {} kernels but {} launches, so they cannot be matched.", rank.number,
                      picked.ranges.size(), picked.launches.size()));
      if (choice_.hta) return;
    }
    std::optional<CallTree> tree;
    if (paired) tree.emplace(profile_, rank_index, CallTree::Choice{}, input_.cancel);
    if (cancelled(input_.cancel)) return;
    const auto limits = input_.scope.on_gpu(rank_index);
    std::unordered_map<SliceOrdinal, std::size_t> row_of;
    for (std::size_t i = 0; i < picked.ranges.size(); ++i) {
      const SliceOrdinal range = picked.ranges[i];
      if (limits && !is_within(time_of(rank, range), *limits)) continue;
      row_of.emplace(range, kernels_.size());
      kernels_.push_back(
          {rank_index, range, tree ? operators_of(rank, *tree, picked.launches[i]) : std::vector<NameId>()});
    }
    read_counters(rank, row_of);
  }

  void read_counters(const trace::Rank& rank, const std::unordered_map<SliceOrdinal, std::size_t>& row_of) {
    std::vector<SliceOrdinal> slices;
    for (const auto& [slice, row] : row_of) slices.push_back(slice);
    const auto add = [&](SliceOrdinal slice, const ingest::EventText& event) { values_.add(row_of.at(slice), event); };
    if (const Failure failure = read_events(input_, rank, slices, {}, add))
      say(fmt::format("Cannot read the counters of rank {} from the trace: {}.", rank.number, failure->message()));
  }

  [[nodiscard]] Interval time_of(const trace::Rank& rank, SliceOrdinal range) const {
    const Interval time{rank.begin(range), saturating_add(rank.begin(range), rank.duration(range))};
    return choice_.rounding ? hta_rounded(time) : time;
  }

  [[nodiscard]] std::vector<NameId> operators_of(const trace::Rank& rank, const CallTree& tree,
                                                 SliceOrdinal launch) const {
    std::vector<NameId> names;
    for (SliceOrdinal call = launch; call != CallTree::kNone && tree.is_call(call); call = tree.parent(call))
      if (profile_.categories().role(rank.category(call)) == trace::Role::op) names.push_back(rank.name(call));
    std::ranges::reverse(names);
    return names;
  }

  void add_row(Table& table, std::size_t row) const {
    const Counted& kernel = kernels_[row];
    const trace::Rank& rank = *profile_.ranks[kernel.rank];
    const StringTable& names = profile_.names();
    const Interval time = time_of(rank, kernel.range);
    std::string stack;
    for (const NameId name : kernel.operators) stack += (stack.empty() ? "" : "|") + std::string(names.view(name));
    const bool any = !kernel.operators.empty();
    std::vector<Cell> cells{rank.number,
                            names.view(rank.name(kernel.range)),
                            saturating_difference(time.begin, profile_.span.begin),
                            saturating_difference(time.end, time.begin),
                            any ? Cell(names.view(kernel.operators.front())) : Cell(),
                            any ? Cell(names.view(kernel.operators.back())) : Cell(),
                            any ? Cell(stack) : Cell()};
    values_.append(cells, row);
    table.add_row(cells);
  }

  const AnalysisInput& input_;
  const trace::Profile& profile_;
  KernelClasses::Choice choice_;
  Picker picker_;
  std::vector<Counted> kernels_;  // one per row
  CounterColumns values_;
  std::string notes_;
};

Result<std::vector<Table>> run(const AnalysisInput& input) { return std::vector{Counters(input).table()}; }

constexpr std::array kCharts{ChartSpec{.table = "cupti-counters", .y = ColumnRole::counter}};

}  // namespace

extern const Analysis kAnalysis{
    .name = "cupti_counters",
    .title = "Kernel counters (CUPTI)",
    .about =
        "Per-kernel hardware counters from the CUPTI profiler, and the operators that launched each kernel, outermost "
        "first. Kernels are matched to launches in order. HTA matches only cudaLaunchKernel calls.",
    .parameters = kParameters,
    .run = run,
    .charts = kCharts,
    .still_ours =
        "Counters are in trace order; op_stack has the form a|b; HTA's columns for the kernel's own event (cat, pid, "
        "tid, stream, correlation …) are omitted."};

}  // namespace warpscope::analysis::registered::cupti_counters
