// kernels: GPU kernels by name or by launch configuration, and how well they fill the GPU.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>

#include "core/analysis/operators/captured_operators.hpp"
#include "core/analysis/operators/host_events.hpp"
#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/answers.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::analysis::registered::kernels {

namespace {

constexpr std::array<std::string_view, 2> kGroups{"name", "launch"};
constexpr std::array<std::string_view, 7> kLaunchRows{"args.registers per thread",
                                                      "args.shared memory",
                                                      "args.grid",
                                                      "args.block",
                                                      "args.blocks per SM",
                                                      "args.warps per SM",
                                                      "args.est. achieved occupancy %"};
constexpr std::array kParameters{choice_parameter("group",
                                                  "one row per name, or per launch configuration (name, operator, "
                                                  "grid, block, registers, shared memory)",
                                                  kGroups),
                                 integer_parameter("row_limit", "number of rows; 0 for all", "0")};

/// Launch configuration of a kernel, from its arguments.
struct Launch {
  std::string op, grid, block;
  std::int64_t registers = -1;
  std::int64_t shared_memory = -1;

  friend auto operator<=>(const Launch&, const Launch&) = default;
};

/// Time-weighted mean of a metric.
struct Weighted {
  double sum = 0;
  double time = 0;

  void add(double value, Ns length) {
    sum += value * static_cast<double>(length);
    time += static_cast<double>(length);
  }
  [[nodiscard]] Cell mean() const { return time > 0 ? Cell(sum / time) : Cell(); }
};

struct KernelSum {
  std::uint64_t count = 0;
  Ns total = 0;
  Ns longest = 0;
  Ns shortest = 0;
  Weighted blocks_per_sm, warps_per_sm, occupancy;
  std::int64_t registers = -1;  ///< most
  std::int64_t shared_memory = -1;
};

void add_figure(Weighted& to, const ingest::EventText& event, std::string_view path, Ns length) {
  if (const auto figure = figure_of(event, path)) to.add(*figure, length);
}

class Kernels {
 public:
  explicit Kernels(const AnalysisInput& input)
      : input_(input),
        by_launch_(input.values.text("group") == "launch"),
        rows_(input.profile, input.scope, {}, input.cancel, input.shared),
        captured_(input) {}

  void collect() {
    for (const std::uint32_t r : rows_.ranks()) {
      if (cancelled(input_.cancel)) break;
      if (auto failure = add_rank(r)) unread_ = "Cannot read kernel arguments: " + failure->message();
    }
  }

  Table table() const {
    std::vector<Column> columns{{"kernel", "", ColumnRole::kernel}};
    if (by_launch_)
      columns.insert(
          columns.end(),
          {{"operator", "", ColumnRole::op}, {"grid", "", ColumnKind::text}, {"block", "", ColumnKind::text}});
    columns.insert(columns.end(), {{"count", "", ColumnRole::count},
                                   {"total", "", ColumnRole::total},
                                   {"share", "", ColumnRole::share},
                                   {"mean", "", ColumnRole::mean},
                                   {"min", "", ColumnRole::min},
                                   {"max", "", ColumnRole::max},
                                   {"blocks per SM", "", ColumnKind::real},
                                   {"warps per SM", "", ColumnKind::real},
                                   {"occupancy", "", ColumnKind::share},
                                   {"registers per thread", "", ColumnKind::integer},
                                   {"shared memory", "", ColumnKind::bytes},
                                   {"Tensor Cores", "", ColumnKind::text}});
    Table table("kernels", by_launch_ ? "Kernels by launch" : "Kernels", std::move(columns));
    std::vector<const decltype(sums_)::value_type*> order;
    Ns all = 0;
    for (const auto& entry : sums_) {
      order.push_back(&entry);
      all = saturating_add(all, entry.second.total);
    }
    std::ranges::stable_sort(order, std::greater(), [](const auto* entry) { return entry->second.total; });
    std::vector<NamedTime> largest;
    for (const auto* entry : std::span(order).first(std::min<std::size_t>(order.size(), 5)))
      largest.emplace_back(trace::kernel_label(input_.profile.names().view(entry->first.first)), entry->second.total);
    const std::string answer = leading_answer(largest, order.size(), all, "the kernel time");
    const auto limit = static_cast<std::size_t>(input_.values.integer("row_limit"));
    if (limit > 0 && limit < order.size()) order.resize(limit);
    for (const auto* entry : order) {
      const auto& [key, sum] = *entry;
      const std::string_view name = input_.profile.names().view(key.first);
      std::vector<Cell> cells{name};
      if (by_launch_) cells.insert(cells.end(), {key.second.op, key.second.grid, key.second.block});
      const auto use = tensor_core_use(name);
      const auto known = [](std::int64_t value) { return value < 0 ? Cell() : Cell(value); };
      cells.insert(cells.end(), {sum.count, sum.total, share_of(sum.total, all),
                                 static_cast<double>(sum.total) / static_cast<double>(sum.count), sum.shortest,
                                 sum.longest, sum.blocks_per_sm.mean(), sum.warps_per_sm.mean(), sum.occupancy.mean(),
                                 known(sum.registers), known(sum.shared_memory),
                                 use == TensorCoreUse::used     ? Cell("used")
                                 : use == TensorCoreUse::unused ? Cell("not used")
                                                                : Cell()});
      table.add_row(cells);
    }
    if (!unread_.empty())
      table.note = unread_;
    else if (sums_.empty())
      table.note = "No GPU kernels in this selection.";
    else if (!figures_)
      table.note = "The traces do not record blocks per SM or occupancy.";
    table.note = joined_notes({answer, table.note, captured_.note()});
    return table;
  }

 private:
  Failure add_rank(std::uint32_t r) {
    const auto rows = rows_.of(r);
    std::vector<std::string> op_of(rows->size());
    if (by_launch_) {
      const HostEvents host(input_, r, *rows, {});
      for (std::size_t i = 0; i < rows->size(); ++i)
        if (const std::uint32_t owner = host.activity()[i].owner; owner != HostEvent::kNone)
          op_of[i] = listed_name(input_.profile.names().view(host.events()[owner].name));
      const auto captured = captured_.of(r, *rows);  // on failure, reading the other arguments fails too
      for (std::size_t i = 0; captured && i < rows->size(); ++i)
        if (const auto found = captured->find((*rows)[i].slice); found != captured->end())
          op_of[i] = found->second.name + (found->second.inferred ? " (inferred)" : "");
    }
    std::vector<trace::SliceOrdinal> slices;
    std::unordered_map<trace::SliceOrdinal, std::size_t> row_of;
    row_of.reserve(rows->size());
    for (std::size_t i = 0; i < rows->size(); ++i) {
      if (!trace::is_kernel((*rows)[i].role)) continue;
      row_of.emplace((*rows)[i].slice, i);
      slices.push_back((*rows)[i].slice);
    }
    auto failure = read_events(input_, *input_.profile.ranks[r], slices, kLaunchRows,
                               [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
                                 const auto found = row_of.find(slice);
                                 add((*rows)[found->second], op_of[found->second], event);
                                 row_of.erase(found);
                               });
    // Kernels whose arguments cannot be read are still counted.
    for (std::size_t i = 0; failure && i < rows->size(); ++i)
      if (row_of.contains((*rows)[i].slice)) add((*rows)[i], op_of[i], {});
    return failure;
  }

  void add(const GpuRow& row, std::string op, const ingest::EventText& event) {
    const auto text = [&](std::string_view path) {
      const std::string* const found = event.find(path);
      return found == nullptr ? std::string() : *found;
    };
    const std::int64_t registers = whole_number_of(event, "args.registers per thread");
    const std::int64_t shared_memory = whole_number_of(event, "args.shared memory");
    Launch launch;
    if (by_launch_) launch = {std::move(op), text("args.grid"), text("args.block"), registers, shared_memory};
    KernelSum& sum = sums_[{row.name, std::move(launch)}];
    const Ns length = row.time.length();
    sum.shortest = sum.count == 0 ? length : std::min(sum.shortest, length);
    sum.longest = std::max(sum.longest, length);
    ++sum.count;
    sum.total = saturating_add(sum.total, length);
    sum.registers = std::max(sum.registers, registers);
    sum.shared_memory = std::max(sum.shared_memory, shared_memory);
    add_figure(sum.blocks_per_sm, event, "args.blocks per SM", length);
    add_figure(sum.warps_per_sm, event, "args.warps per SM", length);
    Weighted occupancy;
    add_figure(occupancy, event, "args.est. achieved occupancy %", length);
    if (occupancy.time > 0) sum.occupancy.add(occupancy.sum / occupancy.time / 100, length);
    figures_ = figures_ || sum.blocks_per_sm.time > 0 || sum.occupancy.time > 0;
  }

  const AnalysisInput& input_;
  bool by_launch_;
  GpuRows rows_;
  CapturedOperators captured_;
  std::map<std::pair<NameId, Launch>, KernelSum> sums_;
  bool figures_ = false;  // any kernel has blocks per SM or occupancy
  std::string unread_;    // why arguments are missing
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Kernels kernels(input);
  kernels.collect();
  Table patterns("tensor-cores", "Tensor Core kernel name patterns",
                 {{"pattern", "", ColumnKind::text}, {"meaning", "", ColumnKind::text}});
  patterns.note =
      "A kernel is assumed to use Tensor Cores if its lowercase name contains one of these patterns. Instruction and "
      "type patterns apply only to matrix products and convolutions.";
  for (const TensorCorePattern& each : tensor_core_patterns()) patterns.add_row({each.text, each.meaning});
  return std::vector{kernels.table(), std::move(patterns)};
}

}  // namespace

extern const Analysis kAnalysis{"kernels", "Kernels and GPU occupancy",
                                "GPU kernels by name or launch: count, time, and time-weighted mean blocks per SM, "
                                "warps per SM and estimated occupancy. Tensor Core use is inferred from the name.",
                                kParameters, run};

}  // namespace warpscope::analysis::registered::kernels
