// operators: the table that torch.profiler prints as key_averages().table().
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

#include "core/analysis/operators/operator_rows.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"

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

// Prints operators as PyTorch's key_averages().table() does, so users can compare the result line by line with their
// scripts' output.

constexpr std::size_t kWidestName = 55;
constexpr std::size_t kWidestShapes = 80;
constexpr std::size_t kWidestSource = 75;
constexpr std::size_t kColumn = 12;
constexpr std::size_t kPad = 4;  // wider than the longest string
constexpr std::size_t kEllipsis = 3;

std::string time_text(Ns time, double divisor = 1) {
  const double us = static_cast<double>(time) / 1000 / divisor;
  if (us >= 1e6) return fmt::format("{:.3f}s", us / 1e6);
  if (us >= 1e3) return fmt::format("{:.3f}ms", us / 1e3);
  return fmt::format("{:.3f}us", us);
}

std::string share_text(Ns part, Ns whole) {
  if (whole == 0) return "NaN";
  return fmt::format("{:.2f}%", static_cast<double>(part) * 100 / static_cast<double>(whole));
}

std::string memory_text(std::int64_t bytes) {
  const double size = static_cast<double>(bytes);
  const double magnitude = std::abs(size);
  if (magnitude >= 1024. * 1024 * 1024) return fmt::format("{:.2f} Gb", size / (1024. * 1024 * 1024));
  if (magnitude >= 1024. * 1024) return fmt::format("{:.2f} Mb", size / (1024. * 1024));
  if (magnitude >= 1024) return fmt::format("{:.2f} Kb", size / 1024);
  return fmt::format("{} b", bytes);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (text.size() < width - kEllipsis) return std::string(text);
  return std::string(text.substr(0, width - kEllipsis)) + "...";
}

/// Source locations are truncated at the start.
std::string shortened_source(std::string_view text) {
  if (text.size() <= kWidestSource) return std::string(text);
  return "..." + std::string(text.substr(text.size() - (kWidestSource - kEllipsis)));
}

std::vector<std::string> frames_in(std::string_view stack) {
  std::vector<std::string> frames;
  for (const std::string_view frame : parts_of(stack, ";")) frames.push_back(shortened_source(frame));
  return frames;
}

class Layout {
 public:
  /// `order`: rows to print. Percentages are relative to all rows of `found`.
  Layout(const OperatorRows& found, const std::vector<std::uint32_t>& order, const Grouping& grouping)
      : found_(found), order_(order), by_(grouping.by) {
    device_ = std::ranges::any_of(found.rows, [](const OperatorRow& row) { return row.self_device > 0; });
    device_memory_ = std::ranges::any_of(found.rows, [](const OperatorRow& row) { return row.self_device_memory > 0; });
  }

  std::string text() {
    std::size_t longest = 0;
    std::size_t longest_key = 0;
    for (const OperatorRow& row : found_.rows) {
      longest = std::max(longest, row.name.size());
      if (by_ == Grouping::By::stack)
        for (const std::string& frame : frames_in(row.key)) longest_key = std::max(longest_key, frame.size());
      else
        longest_key = std::max(longest_key, row.key.size());
    }
    name_width_ = std::min(longest + kPad, kWidestName);
    headers_ = {"Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg"};
    if (device_) headers_.insert(headers_.end(), {"Self CUDA", "Self CUDA %", "CUDA total", "CUDA time avg"});
    if (found_.with_memory) headers_.insert(headers_.end(), {"CPU Mem", "Self CPU Mem"});
    if (found_.with_memory && device_memory_) headers_.insert(headers_.end(), {"CUDA Mem", "Self CUDA Mem"});
    headers_.emplace_back("# of Calls");
    widths_.assign(headers_.size(), kColumn);
    widths_.front() = name_width_;
    if (by_ != Grouping::By::name) {
      headers_.emplace_back(by_ == Grouping::By::shape    ? "Input Shapes"
                            : by_ == Grouping::By::module ? "Module Hierarchy"
                                                          : "Source Location");
      key_width_ = std::min(longest_key + kPad, by_ == Grouping::By::stack ? kWidestSource : kWidestShapes);
      widths_.push_back(key_width_);
    }
    rule();
    line(headers_);
    rule();
    for (const std::uint32_t i : order_) add(found_.rows[i]);
    rule();
    text_ += "Self CPU time total: " + time_text(found_.self_cpu) + "\n";
    if (device_) text_ += "Self CUDA time total: " + time_text(found_.self_device) + "\n";
    return std::move(text_);
  }

 private:
  void rule() {
    for (const std::size_t width : widths_) text_ += std::string(width, '-') + "  ";
    text_ += '\n';
  }

  void line(const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) text_ += fmt::format("{:>{}}  ", cells[c], widths_[c]);
    text_ += '\n';
  }

  void add(const OperatorRow& row) {
    const auto calls = static_cast<double>(row.calls);
    std::vector<std::string> cells{shortened(row.name, kWidestName), share_text(row.self_cpu, found_.self_cpu),
                                   time_text(row.self_cpu),          share_text(row.cpu_total, found_.self_cpu),
                                   time_text(row.cpu_total),         time_text(row.cpu_total, calls)};
    if (device_) {
      cells.push_back(time_text(row.self_device));
      cells.push_back(share_text(row.self_device, found_.self_device));
      cells.push_back(time_text(row.device_total));
      cells.push_back(time_text(row.device_total, calls));
    }
    if (found_.with_memory) {
      cells.push_back(memory_text(row.cpu_memory));
      cells.push_back(memory_text(row.self_cpu_memory));
      if (device_memory_) {
        cells.push_back(memory_text(row.device_memory));
        cells.push_back(memory_text(row.self_device_memory));
      }
    }
    cells.push_back(std::to_string(row.calls));
    if (by_ == Grouping::By::stack) return add_with_source(std::move(cells), frames_in(row.key));
    if (by_ != Grouping::By::name) cells.push_back(shortened(row.key, kWidestShapes));
    line(cells);
  }

  /// One frame per line, then an empty line.
  void add_with_source(std::vector<std::string> cells, const std::vector<std::string>& frames) {
    cells.push_back(frames.empty() ? "" : frames.front());
    line(cells);
    std::vector<std::string> rest(headers_.size());
    for (std::size_t f = 1; f < frames.size(); ++f) {
      rest.back() = frames[f];
      line(rest);
    }
    rest.back().clear();
    line(rest);
  }

  const OperatorRows& found_;
  const std::vector<std::uint32_t>& order_;
  Grouping::By by_;
  bool device_ = false;
  bool device_memory_ = false;
  std::size_t name_width_ = 0;
  std::size_t key_width_ = 0;
  std::vector<std::string> headers_;
  std::vector<std::size_t> widths_;
  std::string text_;
};

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
  table.text_layout = Layout(found, order, *grouping).text();
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
