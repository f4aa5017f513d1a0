// efficiency: work and memory traffic of operators, and how close they get to the GPU's peak.
//
// Lists the problems solved by a scope's operators, with their GPU time. Equal problems share an entry.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/analysis/efficiency/counted_activity.hpp"
#include "core/analysis/efficiency/device_peaks.hpp"
#include "core/analysis/efficiency/problem.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::efficiency {

namespace {

struct ProblemSum {
  std::string_view op;
  Problem problem;
  std::string model;  ///< of the GPU; "" if unknown
  std::uint64_t count = 0;
  Ns gpu_time = 0;
  bool matrix_units = false;  ///< at least one kernel uses Tensor Cores or matrix cores
};

struct ProblemSums {
  std::vector<ProblemSum> problems;  ///< by first occurrence
  Ns gpu_time = 0;                   ///< of all GPU activity
  Ns not_recorded = 0;               ///< of operators with a model but without recorded inputs
  Ns no_model = 0;                   ///< of operators without a model
  Ns transfers = 0;                  ///< of memcpys to or from the host or another device
  Ns no_operator = 0;                ///< of activity launched outside operators
  Ns no_launch = 0;                  ///< of activity launched before the recording, or by an unrecorded source
  std::string unread;                ///< why arguments of some ranks are missing
};

/// True for memcpys to or from the host or another device.
bool is_transfer(const GpuRow& row, std::string_view name) {
  const MemoryOperation operation = copy_direction(name);
  return row.role == trace::Role::memory_copy && operation != MemoryOperation::device_to_device &&
         operation != MemoryOperation::other_copy;
}

class ProblemCollector {
 public:
  explicit ProblemCollector(const AnalysisInput& input) : input_(input), book_(input, ProblemBook::Which::all) {}

  void add_rank(std::uint32_t r, const GpuRows::Rows& rows) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const CountedRank counted = counted_activity(input_, r, rows, book_);
    if (!counted.unread.empty()) found_.unread = counted.unread;
    std::vector<bool> seen(counted.calls);
    for (const CountedActivity& activity : counted.activity) {
      const Ns length = activity.row.time.length();
      found_.gpu_time = saturating_add(found_.gpu_time, length);
      if (Ns* const other = time_of(activity)) {
        *other = saturating_add(*other, length);
        continue;
      }
      ProblemSum& sum = sum_of(activity.problem, rank.devices[activity.row.device].model);
      if (!seen[activity.call]) ++sum.count;
      seen[activity.call] = true;
      sum.gpu_time = saturating_add(sum.gpu_time, length);
      sum.matrix_units = sum.matrix_units || book_.uses_matrix_units(activity.row.name);
    }
  }

  ProblemSums take() { return std::move(found_); }

 private:
  /// Returns the sum that activity without a problem is added to; null if it has a problem.
  Ns* time_of(const CountedActivity& activity) {
    switch (activity.counts_for) {
      case CountedActivity::For::no_operator:
        return &found_.no_operator;
      case CountedActivity::For::no_launch:
        return &found_.no_launch;
      case CountedActivity::For::no_model:
        return &found_.no_model;
      case CountedActivity::For::not_recorded:
        return &found_.not_recorded;
      case CountedActivity::For::call:
        break;
    }
    // These are limited by the host interconnect, not by the device.
    const bool transfer = book_.problem(activity.problem).kind == ProblemKind::copy &&
                          is_transfer(activity.row, input_.profile.names().view(activity.row.name));
    return transfer ? &found_.transfers : nullptr;
  }

  ProblemSum& sum_of(std::uint32_t problem, const std::string& model) {
    const auto [entry, fresh] = sums_.try_emplace({problem, model}, found_.problems.size());
    if (fresh)
      found_.problems.push_back(
          {.op = input_.profile.names().view(book_.op(problem)), .problem = book_.problem(problem), .model = model});
    return found_.problems[entry->second];
  }

  const AnalysisInput& input_;
  ProblemBook book_;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> sums_;
  ProblemSums found_;
};

ProblemSums problem_sums(const AnalysisInput& input) {
  const GpuRows rows(input.profile, input.scope, {}, input.cancel, input.shared);
  ProblemCollector collector(input);
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    collector.add_rank(r, *rows.of(r));
  }
  return collector.take();
}

constexpr std::array kParameters{kPeakParameter, integer_parameter("row_limit", "number of rows; 0 for all", "0")};

constexpr double kTera = 1e12;
constexpr double kPerSecond = 1e9;  // ns

/// Minimum time of one call at the GPU's peak rates, and what limits it.
struct Roofline {
  double compute = 0;  ///< ns; 0: the rate is unknown, or there is nothing to compute
  double memory = 0;   ///< ns
  bool known = false;

  [[nodiscard]] double shortest() const { return std::max(compute, memory); }
};

Roofline roofline(const ProblemSum& sum, const DevicePeaks& peaks) {
  const Problem& problem = sum.problem;
  const double rate = is_product(problem.kind) ? peaks.of_products(problem.dtype, sum.matrix_units) : peaks.vector;
  Roofline limits;
  limits.known = peaks.memory > 0 && (rate > 0 || problem.flops == 0);
  if (rate > 0) limits.compute = problem.flops / (rate * kTera) * kPerSecond;
  if (peaks.memory > 0) limits.memory = problem.bytes / (peaks.memory * kTera) * kPerSecond;
  return limits;
}

/// Returns whole numbers as integers, which are written in full.
Cell whole(double value) {
  constexpr double kExact = 9e15;
  return value < kExact ? Cell(static_cast<std::int64_t>(value)) : Cell(value);
}

/// Sums over the problems whose minimum time is known.
struct Rated {
  double time = 0;      ///< ns
  double shortest = 0;  ///< ns
  std::string worst;    ///< the problem with the largest saving
  double worst_saving = 0;

  [[nodiscard]] std::string answer(Ns gpu_time) const {
    if (time <= 0) return "";
    std::string text =
        fmt::format("Modeled operators account for {} of GPU time and reach {} of the GPU's peak.",
                    format_share(time / static_cast<double>(std::max<Ns>(gpu_time, 1))), format_share(shortest / time));
    if (worst_saving > 0)
      text += fmt::format(" Running {} at peak would save the most: {}.", worst,
                          format_duration(static_cast<Ns>(std::llround(worst_saving))));
    return text;
  }
};

Table problems_table(const AnalysisInput& input, ProblemSums& found, PeaksOfModels& peaks, Rated& all) {
  Table table("efficiency", "Efficiency of operators",
              {Column("name", col::op),
               col::dims,
               col::text("dtype"),
               col::count,
               Column("GPU time", col::total),
               col::share_of_gpu_time,
               col::percent("peak share"),
               col::text("bound"),
               col::ns("could save"),
               Column("TFLOP/s", col::flop_rate).csv("tflops_per_s"),
               Column("TB/s", col::byte_rate).csv("tb_per_s"),
               Column("FLOP per byte", col::intensity),
               col::integer("FLOPs per call").csv("flops"),
               {"bytes per call", "B", ColumnKind::integer, "bytes"},
               col::text("kind"),
               Column("GPU", col::model)},
              "name,dims,dtype,count,gpu_time_ns,flops,bytes,tflops_per_s,tb_per_s,flop_per_byte,peak_share_pct,bound");
  std::ranges::stable_sort(found.problems, {}, [](const ProblemSum& sum) {
    return std::tuple(-sum.gpu_time, sum.op, std::string_view(sum.problem.dims), std::string_view(sum.problem.dtype));
  });
  const auto limit = static_cast<std::size_t>(input.values.integer("row_limit"));
  for (const ProblemSum& sum : found.problems) {
    const Problem& problem = sum.problem;
    const auto count = static_cast<double>(sum.count);
    const auto time = static_cast<double>(sum.gpu_time);
    const auto rate = [&](double amount) {
      return time > 0 ? Cell(amount * count / time * kPerSecond / kTera) : Cell();
    };
    const DevicePeaks* const known = peaks.of(sum.model);
    const Roofline limits = known == nullptr ? Roofline{} : roofline(sum, *known);
    const bool rated = limits.known && time > 0;
    const double share = rated ? limits.shortest() * count / time : 0;
    const double saving = std::max(0.0, time - limits.shortest() * count);
    if (rated) {
      all.time += time;
      all.shortest += std::min(time, limits.shortest() * count);
      if (saving > all.worst_saving) {
        all.worst_saving = saving;
        all.worst = fmt::format("{} {}", sum.op, problem.dims);
      }
    }
    if (limit > 0 && table.rows() == limit) continue;
    const Cell bound = !limits.known ? Cell() : limits.compute > limits.memory ? Cell("compute") : Cell("memory");
    table.add_row({sum.op, problem.dims, problem.dtype, sum.count, sum.gpu_time, share_of(sum.gpu_time, found.gpu_time),
                   rated ? Cell(share) : Cell(), bound, rated ? Cell(static_cast<Ns>(saving)) : Cell(),
                   rate(problem.flops), rate(problem.bytes),
                   problem.bytes > 0 ? Cell(problem.flops / problem.bytes) : Cell(), whole(problem.flops),
                   whole(problem.bytes), to_string(problem.kind), sum.model});
  }
  return table;
}

/// One row for each model and type of product: the roofs of the chart.
Table peaks_table(const ProblemSums& found, PeaksOfModels& peaks) {
  Table table("peaks", "GPU peak rates",
              {Column("GPU", col::model), col::text("type"), Column("TFLOP/s", col::flop_rate),
               Column("TB/s", col::byte_rate)});
  std::map<std::pair<std::string, std::string>, double> rates;
  for (const ProblemSum& sum : found.problems) {
    const DevicePeaks* const known = peaks.of(sum.model);
    if (known == nullptr || !is_product(sum.problem.kind)) continue;
    const bool tf32 = sum.problem.dtype == "fp32" && sum.matrix_units && known->tf32 > 0;
    const double rate = known->of_products(sum.problem.dtype, sum.matrix_units);
    if (rate > 0) rates[{sum.model, tf32 ? "tf32" : sum.problem.dtype}] = rate;
    if (known->vector > 0) rates[{sum.model, "fp32"}] = known->vector;
  }
  for (const auto& [of, rate] : rates) table.add_row({of.first, of.second, rate, peaks.of(of.first)->memory});
  table.note = table.rows() == 0 ? "The peak rates of these GPUs are unknown."
                                 : "Rates from the data sheet (without sparsity), or set with the peak parameter.";
  return table;
}

Table coverage_table(const ProblemSums& found) {
  Table table("coverage", "GPU time by operator kind",
              {col::kind, Column("GPU time", col::total), col::share_of_gpu_time});
  std::map<ProblemKind, Ns> by_kind;
  for (const ProblemSum& sum : found.problems) {
    Ns& total = by_kind[sum.problem.kind];
    total = saturating_add(total, sum.gpu_time);
  }
  std::vector<std::pair<std::string_view, Ns>> rows;
  for (const auto& [kind, total] : by_kind) rows.emplace_back(to_string(kind), total);
  std::ranges::stable_sort(rows, std::greater(), &std::pair<std::string_view, Ns>::second);
  rows.emplace_back("memory copies to and from the device", found.transfers);
  rows.emplace_back("operators without a model", found.no_model);
  rows.emplace_back("inputs not recorded", found.not_recorded);
  rows.emplace_back("launched outside operators", found.no_operator);
  rows.emplace_back("no launch recorded", found.no_launch);
  for (const auto& [kind, total] : rows)
    if (total > 0) table.add_row({kind, total, share_of(total, found.gpu_time)});
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  auto checked = PeaksOfModels::with(input.values.text(kPeakParameter.name));
  if (!checked) return checked.error();
  PeaksOfModels& peaks = *checked;
  ProblemSums found = problem_sums(input);
  Rated all;
  Table table = problems_table(input, found, peaks, all);
  const bool shapes_missing = found.problems.empty() && found.not_recorded > 0;
  table.note = joined_notes(
      {all.answer(found.gpu_time),
       found.gpu_time == 0      ? "No GPU activity in this selection."
       : shapes_missing         ? not_recorded_note(input.profile, input.scope, "The traces have no input shapes",
                                                    "to record them, use profile(record_shapes=True)")
       : found.problems.empty() ? "None of the operators in this selection are modeled. Warpscope models PyTorch's "
                                  "matrix products, convolutions, attention, normalization, softmax, embedding, "
                                  "optimizers, elementwise operators and reductions."
                                : "",
       peaks.unknown(), found.unread.empty() ? "" : "Cannot read event arguments: " + found.unread});
  Table coverage = coverage_table(found);
  coverage.note = table.note;
  return std::vector{std::move(table), std::move(coverage), peaks_table(found, peaks)};
}

constexpr std::array kCharts{ChartSpec{"efficiency", ChartKind::roofline}, ChartSpec{"peaks", ChartKind::none}};

}  // namespace

extern const Analysis kAnalysis{
    "efficiency",
    "Efficiency of operators",
    "Arithmetic and memory traffic of each operator, derived from its input shapes, and how close it gets to the GPU's "
    "peak. The peak share is the time that the arithmetic or the memory traffic would take at peak rates, whichever is "
    "longer, divided by the operator's GPU time. More than 100 % means that data came from a cache, or that the "
    "algorithm needs fewer operations, as with Winograd convolutions.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::efficiency
