// kernels: GPU kernels by name or by launch configuration, and how well they fill the GPU.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>

#include "core/analysis/operators/host_events.hpp"
#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/base/format.hpp"
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

/// Truncates names of kernels that spell out their whole configuration.
std::string truncated(const std::string& name) {
  std::size_t end = 60;
  if (name.size() <= end) return name;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // inside a character
  return name.substr(0, end) + "…";
}

void add_figure(Weighted& to, const ingest::EventText& event, std::string_view path, Ns length) {
  if (const auto figure = figure_of(event, path)) to.add(*figure, length);
}

class Kernels {
 public:
  explicit Kernels(const AnalysisInput& input)
      : input_(input),
        by_launch_(input.values.text("group") == "launch"),
        rows_(input.profile, input.scope, {}, input.cancel, input.shared) {}

  void collect() {
    for (const std::uint32_t r : rows_.ranks()) {
      if (cancelled(input_.cancel)) break;
      if (auto failure = add_rank(r)) unread_ = "Cannot read kernel arguments: " + failure->message();
    }
  }

  Table table() const {
    std::vector<Column> columns{col::kernel};
    if (by_launch_) columns.insert(columns.end(), {col::op, col::text("grid"), col::text("block")});
    columns.insert(columns.end(),
                   {col::count, col::total, col::share, col::mean, col::min, col::max, col::real("blocks per SM"),
                    col::real("warps per SM"), col::percent("occupancy"), col::integer("registers per thread"),
                    col::size("shared memory"), col::text("Tensor Cores")});
    Table table("kernels", by_launch_ ? "Kernels by launch" : "Kernels", std::move(columns));
    Order order;
    Ns all = 0;
    for (const auto& entry : sums_) {
      order.push_back(&entry);
      all = saturating_add(all, entry.second.total);
    }
    // Ids of names depend on the order of loading.
    std::ranges::sort(order, {}, [&](const auto* entry) {
      return std::tuple(-entry->second.total, input_.profile.names().view(entry->first.first),
                        std::cref(entry->first.second));
    });
    const std::string answer = answer_of(order, all);
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
    table.note = joined_notes({answer, table.note});
    return table;
  }

 private:
  using Sums = std::map<std::pair<NameId, Launch>, KernelSum>;
  using Order = std::vector<const Sums::value_type*>;

  /// Returns "gemm takes 36.5 % of the kernel time; the top 5 of 49 take 62.0 %."; "" if the time is 0.
  [[nodiscard]] std::string answer_of(const Order& order, Ns all) const {
    constexpr std::size_t kFirst = 5;
    if (order.empty() || all <= 0 || order.front()->second.total <= 0) return "";
    const auto share = [&](std::size_t count) {
      double sum = 0;
      for (const auto* entry : std::span(order).first(count)) sum += static_cast<double>(entry->second.total);
      return format_share(sum / static_cast<double>(all));
    };
    const std::string name = trace::kernel_label(input_.profile.names().view(order.front()->first.first));
    std::string answer = fmt::format("{} takes {} of the kernel time", truncated(name), share(1));
    if (order.size() > kFirst) answer += fmt::format("; the top {} of {} take {}", kFirst, order.size(), share(kFirst));
    return answer + ".";
  }

  Failure add_rank(std::uint32_t r) {
    const auto rows = rows_.of(r);
    std::vector<std::string> op_of(rows->size());
    if (by_launch_) {
      const HostEvents host(input_, r, *rows, {});
      for (std::size_t i = 0; i < rows->size(); ++i)
        if (const std::uint32_t owner = host.activity()[i].owner; owner != HostEvent::kNone)
          op_of[i] = listed_name(input_.profile.names().view(host.events()[owner].name));
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
  Sums sums_;
  bool figures_ = false;  // any kernel has blocks per SM or occupancy
  std::string unread_;    // why arguments are missing
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Kernels kernels(input);
  kernels.collect();
  return std::vector{kernels.table()};
}

}  // namespace

extern const Analysis kAnalysis{"kernels", "Kernels and GPU occupancy",
                                "GPU kernels by name or launch: count, time, and time-weighted mean blocks per SM, "
                                "warps per SM and estimated occupancy. Tensor Core use is inferred from the name.",
                                kParameters, run};

}  // namespace warpscope::analysis::registered::kernels
