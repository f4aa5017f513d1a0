// operators: the table of torch.profiler's key_averages().
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "core/analysis/operators/operator_rows.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::operators {

namespace {

using Value = std::int64_t (*)(const OperatorRow& row);
struct SortKey {
  std::string_view name;
  Value value;
  bool average = false;
};

constexpr std::array kSortKeys{
    SortKey{"self_cpu", [](const OperatorRow& row) { return row.self_cpu; }},
    SortKey{"cpu_total", [](const OperatorRow& row) { return row.cpu_total; }},
    SortKey{"cpu_avg", [](const OperatorRow& row) { return row.cpu_total; }, true},
    SortKey{"self_device", [](const OperatorRow& row) { return row.self_device; }},
    SortKey{"device_total", [](const OperatorRow& row) { return row.device_total; }},
    SortKey{"device_avg", [](const OperatorRow& row) { return row.device_total; }, true},
    SortKey{"self_cpu_memory", [](const OperatorRow& row) { return row.self_cpu_memory; }},
    SortKey{"cpu_memory", [](const OperatorRow& row) { return row.cpu_memory; }},
    SortKey{"self_device_memory", [](const OperatorRow& row) { return row.self_device_memory; }},
    SortKey{"device_memory", [](const OperatorRow& row) { return row.device_memory; }},
    SortKey{"calls", [](const OperatorRow& row) { return static_cast<std::int64_t>(row.calls); }},
};
constexpr auto kSortNames = [] {
  std::array<std::string_view, kSortKeys.size() + 1> names{};
  std::ranges::transform(kSortKeys, names.begin(), &SortKey::name);
  names.back() = "first_seen";
  return names;
}();

constexpr std::array<std::string_view, 4> kUsualGroups{"name", "shape", "stack:5", "module"};

constexpr std::array kParameters{
    Parameter{.name = "group",
              .about = "group by name only, or by name plus shape, stack:5 (the 5 innermost Python frames) or module",
              .kind = ParameterKind::text,
              .preset = "name",
              .choices = kUsualGroups},
    choice_parameter("sort", "column to sort by, largest first", kSortNames),
    integer_parameter("row_limit", "number of rows; 0 for all", "100")};

std::vector<std::uint32_t> sorted(const OperatorRows& found, std::string_view by, std::int64_t limit) {
  std::vector<std::uint32_t> order(found.rows.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  if (const auto* key = std::ranges::find(kSortKeys, by, &SortKey::name); key != kSortKeys.end())
    std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t i) {
      const OperatorRow& row = found.rows[i];
      const auto value = static_cast<double>(key->value(row));
      return key->average ? value / static_cast<double>(std::max<std::uint64_t>(1, row.calls)) : value;
    });
  if (limit > 0 && static_cast<std::uint64_t>(limit) < order.size()) order.resize(static_cast<std::size_t>(limit));
  return order;
}

std::vector<Column> columns(Grouping::By by) {
  std::vector<Column> all{Column("name", col::op),
                          Column("device", col::kind),
                          Column("calls", col::count),
                          col::us(col::ns("self CPU"), "self_cpu_us"),
                          col::us(col::ns("CPU total"), "cpu_total_us"),
                          col::us(col::ns("CPU average"), "cpu_avg_us", 2),
                          col::us(col::ns("self device"), "self_cuda_us"),
                          col::us(col::ns("device total"), "cuda_total_us"),
                          col::us(col::ns("device average"), "cuda_avg_us", 2),
                          col::size("CPU memory").csv("cpu_mem"),
                          col::size("self CPU memory").csv("self_cpu_mem"),
                          col::size("device memory").csv("cuda_mem"),
                          col::size("self device memory").csv("self_cuda_mem")};
  if (by == Grouping::By::shape) all.push_back(col::text("input shapes"));
  if (by == Grouping::By::stack) all.push_back(col::text("stack"));
  if (by == Grouping::By::module) all.push_back(col::text("module"));
  all.push_back(col::percent("self CPU share"));
  all.push_back(col::percent("self device share"));
  all.push_back(col::text("Tensor Core eligible"));
  all.push_back(col::percent("Tensor Core share"));
  return all;
}

struct MissingKey {
  std::string_view note;
  std::string_view advice;
};

std::string not_recorded(const AnalysisInput& input, Grouping::By by) {
  static constexpr std::array<MissingKey, 4> kMissing{
      {{},
       {"The traces have no input shapes", "to record them, use profile(record_shapes=True)"},
       {"The traces have no Python stacks", "to record them, use profile(with_stack=True)"},
       {"The traces have no modules", "to record them, use profile(with_stack=True) or with_modules=True"}}};
  const MissingKey& missing = kMissing.at(static_cast<std::size_t>(by));
  return not_recorded_note(input.profile, input.scope, missing.note, missing.advice);
}

/// Returns ", mostly from c10d::allreduce_" if `row` is the event that PyTorch puts around every collective, which does
/// not have the collective's name.
std::string collective_of(const OperatorRows& found, const OperatorRow& row) {
  if (row.name != "record_param_comms") return "";
  const OperatorRow* most = nullptr;
  for (const OperatorRow& each : found.rows)
    if (each.name.starts_with("c10d::") && (most == nullptr || each.device_total > most->device_total)) most = &each;
  return most != nullptr && most->device_total > row.self_device / 2 ? fmt::format(", mostly from {}", most->name) : "";
}

/// Returns ", all of it after the last step" or the part of it; "" if there is none. Such calls include the profiler's
/// shutdown.
std::string after_steps(const OperatorRow& row) {
  if (row.self_cpu_after_steps == 0) return "";
  return fmt::format(", {} of it after the last step",
                     row.self_cpu_after_steps == row.self_cpu ? "all" : format_duration(row.self_cpu_after_steps));
}

/// Names the operators or calls with the most self time on GPUs and on the host.
std::string answer_of(const OperatorRows& found) {
  const OperatorRow* device = nullptr;
  const OperatorRow* host = nullptr;
  for (const OperatorRow& row : found.rows) {
    if (row.on_device) continue;
    if (row.self_device > 0 && (device == nullptr || row.self_device > device->self_device)) device = &row;
    if (!row.annotation && row.self_cpu > 0 && (host == nullptr || row.self_cpu > host->self_cpu)) host = &row;
  }
  const auto figure = [](Ns own, Ns all) {
    return fmt::format("{} ({})", format_duration(own),
                       format_share(static_cast<double>(own) / static_cast<double>(std::max<Ns>(all, 1))));
  };
  return joined_notes({device != nullptr
                           ? fmt::format("Most GPU time: {}, {}{}.", device->name,
                                         figure(device->self_device, found.self_device), collective_of(found, *device))
                           : "",
                       host != nullptr ? fmt::format("Most host time, excluding annotations: {}, {}{}.", host->name,
                                                     figure(host->self_cpu, found.self_cpu), after_steps(*host))
                                       : ""});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto grouping = Grouping::parse(input.values.text("group"));
  if (!grouping)
    return Error{"group " + input.values.text("group"), "is not supported",
                 "use name, shape, module, stack, or stack:N for N frames"};
  const OperatorRows found = operator_rows(input, *grouping);
  Table table("operators", "Operators", columns(grouping->by));
  const std::vector<std::uint32_t> order = sorted(found, input.values.text("sort"), input.values.integer("row_limit"));
  table.reserve(order.size());
  std::vector<Cell> cells;
  for (const std::uint32_t i : order) {
    const OperatorRow& row = found.rows[i];
    const auto calls = static_cast<double>(row.calls);
    cells = {row.name,
             row.on_device ? "CUDA" : "CPU",
             row.calls,
             row.self_cpu,
             row.cpu_total,
             static_cast<double>(row.cpu_total) / calls,
             row.self_device,
             row.device_total,
             static_cast<double>(row.device_total) / calls,
             row.cpu_memory,
             row.self_cpu_memory,
             row.device_memory,
             row.self_device_memory};
    if (grouping->by != Grouping::By::name) cells.emplace_back(row.key);
    cells.push_back(row.on_device ? Cell() : share_of(row.self_cpu, found.self_cpu));
    cells.push_back(row.on_device && row.annotation ? Cell() : share_of(row.self_device, found.self_device));
    cells.emplace_back(row.on_device ? Cell() : Cell(is_tensor_core_op(row.name) ? "yes" : "no"));
    cells.push_back(share_of(row.tensor_cores, row.self_device));
    table.add_row(cells);
  }
  std::size_t ranks = 0;
  for (const std::uint32_t r : ranks_in(input.profile, input.scope)) ranks += input.profile.ranks[r]->counts.runs > 0;
  table.note = joined_notes(
      {answer_of(found), found.rows.empty() ? "The traces have no operators and no GPU activity." : "",
       ranks > 1 ? fmt::format("Sums over {} ranks; select ranks with --rank or the rank filter.", ranks) : "",
       order.size() < found.rows.size()
           ? fmt::format("Shows {} of {} rows; row_limit=0 shows all.", order.size(), found.rows.size())
           : "",
       found.unread.empty() ? "" : "Cannot read event arguments: " + found.unread,
       found.recorded || found.rows.empty() || !found.unread.empty() ? "" : not_recorded(input, grouping->by),
       found.with_memory || found.rows.empty() || !found.unread.empty()
           ? ""
           : not_recorded_note(input.profile, input.scope, "The traces do not record memory",
                               "to record it, use profile(profile_memory=True)")});
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    "operators", "Operators",
    "Same table as torch.profiler's key_averages(): calls, CPU and GPU time, and memory of each operator, annotation, "
    "runtime call and kernel. Self excludes nested events; total includes them. GPU time is attributed to the "
    "innermost operator around the launch; rows with device CUDA list the same time by kernel.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::operators
