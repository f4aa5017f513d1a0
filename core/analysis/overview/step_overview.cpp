// step_overview: how many FLOPs each step takes, and estimates of how well kernels fill the GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/analysis/overview/product_work.hpp"
#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/base/format.hpp"
#include "core/ingest/format/event_text.hpp"

namespace warpscope::analysis::registered::step_overview {

namespace {

constexpr std::array kParameters{kKernelClassParameter, kPeakParameter};

struct GpuFill {
  std::uint32_t device = 0;  ///< index into Rank::devices
  Ns busy = 0;               ///< during steps; kernels, memcpys and memsets
  Ns kernels = 0;            ///< sum of the durations of kernels during steps
  /// Time during steps, weighted by the blocks per SM of the running kernels, at most 1; nullopt if not recorded.
  std::optional<double> sm_time{};
  /// Mean of the estimated occupancy (a fraction), weighted by duration; nullopt if not recorded.
  std::optional<double> occupancy{};
  Ns tensor_cores = 0;  ///< part of `kernels` in kernels whose names indicate Tensor Core use
};

struct RankFill {
  std::vector<GpuFill> gpus;
  std::string unread;  ///< why arguments are missing
};

/// A change in running blocks per SM.
struct Change {
  Ns time = 0;
  double blocks = 0;
};

constexpr std::array<std::string_view, 2> kFillRows{"args.blocks per SM", "args.est. achieved occupancy %"};

struct KernelFigures {
  std::optional<double> blocks, occupancy;
};

/// Calls visit(part) for each part of `time` that lies within the steps.
template <class Visit>
void for_each_common(Interval time, const std::vector<Interval>& steps, Visit visit) {
  for (auto step = std::ranges::upper_bound(steps, time.begin, {}, &Interval::end);
       step != steps.end() && step->begin < time.end; ++step)
    visit(Interval{std::max(time.begin, step->begin), std::min(time.end, step->end)});
}

/// Integral of the running blocks per SM, at most 1, over time.
double filled_time(std::vector<Change> changes) {
  std::ranges::sort(changes, {}, &Change::time);
  double sum = 0;
  double running = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    running += changes[i].blocks;
    if (i + 1 < changes.size())
      sum += std::clamp(running, 0.0, 1.0) * static_cast<double>(changes[i + 1].time - changes[i].time);
  }
  return sum;
}

/// Uses launch sizes to estimate how well kernels fill a GPU during `steps`, as PyTorch's TensorBoard plugin does.
RankFill gpu_fill(const AnalysisInput& input, std::uint32_t rank_index, const GpuRows::Rows& rows,
                  const std::vector<Interval>& steps) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  std::vector<trace::SliceOrdinal> kernels;
  for (const GpuRow& row : rows)
    if (trace::is_kernel(row.role)) kernels.push_back(row.slice);
  std::unordered_map<trace::SliceOrdinal, KernelFigures> figures;
  figures.reserve(kernels.size());
  RankFill result;
  if (const auto failure =
          read_events(input, rank, kernels, kFillRows, [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
            figures[slice] = {figure_of(event, kFillRows[0]), figure_of(event, kFillRows[1])};
          }))
    result.unread = failure->message();

  std::vector<std::vector<Change>> changes(rank.devices.size());
  std::vector<std::pair<double, double>> occupancy(rank.devices.size());  // weighted sum, weight
  result.gpus.resize(rank.devices.size());
  for (std::uint32_t d = 0; d < rank.devices.size(); ++d) result.gpus[d].device = d;
  RowsByDevice(rows).for_each([&](std::uint32_t d, std::span<const GpuRow> own) {
    for (const Interval& busy : union_of(own, [](const GpuRow&) { return true; }))
      for_each_common(busy, steps, [&](Interval part) { result.gpus[d].busy += part.length(); });
  });
  for (const GpuRow& row : rows) {
    if (!trace::is_kernel(row.role)) continue;
    GpuFill& gpu = result.gpus[row.device];
    const auto found = figures.find(row.slice);
    const KernelFigures of = found == figures.end() ? KernelFigures{} : found->second;
    const bool tensor = tensor_core_use(input.profile.names().view(row.name)) == TensorCoreUse::used;
    for_each_common(row.time, steps, [&](Interval part) {
      const Ns length = part.length();
      gpu.kernels = saturating_add(gpu.kernels, length);
      if (tensor) gpu.tensor_cores = saturating_add(gpu.tensor_cores, length);
      if (of.blocks) {
        changes[row.device].push_back({part.begin, *of.blocks});
        changes[row.device].push_back({part.end, -*of.blocks});
      }
      if (of.occupancy) {
        occupancy[row.device].first += *of.occupancy / 100 * static_cast<double>(length);
        occupancy[row.device].second += static_cast<double>(length);
      }
    });
  }
  for (std::uint32_t d = 0; d < result.gpus.size(); ++d) {
    if (!changes[d].empty()) result.gpus[d].sm_time = filled_time(std::move(changes[d]));
    if (occupancy[d].second > 0) result.gpus[d].occupancy = occupancy[d].first / occupancy[d].second;
  }
  return result;
}

Table steps_table() {
  return {"steps",
          "Steps",
          {col::rank, col::step, col::begin(), Column("time", col::duration).alike(),
           Column("model FLOPs", "TFLOP", ColumnKind::real), col::percent("model FLOPs utilization")}};
}

Table gpus_table() {
  return {"gpus",
          "GPU utilization and occupancy",
          {col::rank, col::device, Column("steps", col::duration), Column("GPU utilization", col::utilization),
           col::percent("SM efficiency (estimated)"), col::percent("occupancy (estimated)"),
           col::percent("Tensor Core share"), Column("kernel time", col::total)}};
}

void add_gpus(Table& table, const trace::Rank& rank, const RankFill& fill, Ns steps) {
  const auto of_steps = [&](double time) { return steps > 0 ? Cell(time / static_cast<double>(steps)) : Cell(); };
  for (const GpuFill& gpu : fill.gpus)
    table.add_row({rank.number, rank.devices[gpu.device].id, steps, of_steps(static_cast<double>(gpu.busy)),
                   gpu.sm_time ? of_steps(*gpu.sm_time) : Cell(), gpu.occupancy,
                   share_of(gpu.tensor_cores, gpu.kernels), gpu.kernels});
}

/// Counts the operations of products in steps, rank by rank.
class StepFlops {
 public:
  static Result<StepFlops> of(const AnalysisInput& input) {
    auto peaks = PeaksOfModels::with(input.values.text(kPeakParameter.name));
    if (!peaks) return peaks.error();
    return StepFlops(input, std::move(*peaks));
  }

  void start_rank(std::uint32_t rank) {
    work_.emplace(whole_, rank, *rows_.of(rank), book_, peaks_);
    recorded_ = recorded_ || work_->recorded() > 0;
    not_recorded_ = not_recorded_ || work_->not_recorded() > 0;
    if (!work_->unread().empty()) unread_ = "Cannot read operator arguments: " + work_->unread();
  }
  void append(std::vector<Cell>& cells, Interval host, Ns step) const {
    if (work_->recorded() == 0) {
      cells.insert(cells.end(), 2, Cell());
      return;
    }
    cells.emplace_back(std::max(0.0, work_->within(host).flops) / kTera);
    cells.emplace_back(work_->utilization(host, step));
  }
  [[nodiscard]] std::string note() const {
    if (!unread_.empty()) return unread_;
    if (recorded_)
      return joined_notes({not_recorded_ ? "Some matrix products, convolutions or attention operators have no recorded "
                                           "input shapes; they count as 0 FLOPs."
                                         : "",
                           peaks_.unknown()});
    return not_recorded_ ? not_recorded_note(whole_.profile, whole_.scope,
                                             "The traces have no input shapes, so model FLOPs are unknown",
                                             "to record shapes, use profile(record_shapes=True)")
                         : "";
  }

 private:
  static constexpr double kTera = 1e12;

  StepFlops(const AnalysisInput& input, PeaksOfModels peaks)
      : whole_(without_range(input)),
        rows_(whole_.profile, whole_.scope, {}, whole_.cancel, whole_.shared),
        book_(whole_, ProblemBook::Which::products),
        peaks_(std::move(peaks)) {}
  static AnalysisInput without_range(AnalysisInput input) {
    input.scope.range.reset();
    input.scope.evaluated.reset();
    return input;
  }

  AnalysisInput whole_;
  GpuRows rows_;
  ProblemBook book_;
  PeaksOfModels peaks_;
  std::optional<ProductWork> work_;
  bool recorded_ = false;
  bool not_recorded_ = false;
  std::string unread_;
};

struct StepTime {
  std::string_view name;  ///< "" for the whole recording of a trace without steps
  Interval time;          ///< as in step_time
  Interval host;          ///< in which it launches its work
};

/// Returns the steps of a rank in the scope; without steps, the evaluated time, the range or the rank's time span.
std::vector<StepTime> steps_of(const AnalysisInput& input, std::uint32_t rank_index) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  Scope own = input.scope;
  own.ranks = {rank_index};
  std::vector<StepTime> steps;
  for (const StepSample& step : step_samples(input.profile, own, input.cancel))
    steps.push_back({input.profile.names().view(step.name),
                     {step.begin, step.begin + step.duration},
                     {rank.begin(step.slice.slice), rank.begin(step.slice.slice) + rank.duration(step.slice.slice)}});
  if (!rank.steps.empty()) return steps;
  Interval host = rank.span;
  if (own.range) host = {std::max(host.begin, own.range->begin), std::min(host.end, own.range->end)};
  const auto gpu = own.evaluated_on_gpu(rank_index);
  if (!host.empty()) steps.push_back({"", gpu && !gpu->empty() ? *gpu : host, host});
  return steps;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelClasses::Choice choice{.rules = input.values.text(kKernelClassParameter.name)};
  const GpuRows all(profile, input.scope, choice, input.cancel, input.shared);
  auto flops = StepFlops::of(input);
  if (!flops) return flops.error();
  Table steps = steps_table();
  Table gpus = gpus_table();
  std::size_t without_steps = 0;
  bool figures = false;
  std::string unread;
  for (const std::uint32_t r : all.ranks()) {
    if (cancelled(input.cancel)) break;
    const trace::Rank& rank = *profile.ranks[r];
    const auto rows = all.of(r);
    if (rank.steps.empty()) ++without_steps;
    flops->start_rank(r);
    std::vector<Interval> time;
    for (const StepTime& step : steps_of(input, r)) {
      std::vector<Cell> cells{rank.number, step.name.empty() ? Cell() : Cell(step.name),
                              step.time.begin - profile.span.begin, step.time.length()};
      flops->append(cells, step.host, step.time.length());
      steps.add_row(cells);
      time.push_back(step.time);
    }
    time = joined(std::move(time));
    const RankFill fill = gpu_fill(input, r, *rows, time);
    if (!fill.unread.empty()) unread = "Cannot read kernel arguments: " + fill.unread;
    figures = figures || std::ranges::any_of(fill.gpus, [](const GpuFill& gpu) { return gpu.sm_time.has_value(); });
    add_gpus(gpus, rank, fill, total_length(time));
  }
  steps.note = joined_notes(
      {steps.rows() == 0 ? "Nothing was recorded in this selection." : "",
       without_steps == 0 ? ""
       : without_steps == all.ranks().size()
           ? joined_notes({"The traces have no steps, so each row covers a whole recording.",
                           of_pytorch(profile, input.scope) ? "Call the profiler's step() to record steps." : ""})
           : fmt::format("{} ranks have no steps; their rows cover whole recordings.", without_steps),
       flops->note()});
  gpus.note =
      joined_notes({gpus.rows() == 0 ? "No GPU activity in this selection." : "", unread,
                    gpus.rows() == 0 || figures || !unread.empty()
                        ? ""
                        : "The traces do not record blocks per SM, so SM efficiency and occupancy are unknown."});
  return std::vector{std::move(steps), std::move(gpus)};
}

}  // namespace

extern const Analysis kAnalysis{
    "step_overview", "Steps and GPU utilization",
    "The FLOPs of each step, and how well its kernels fill the GPUs. Model FLOPs are the operations of the matrix "
    "products, convolutions and attention launched by the step, derived from recorded shapes. Model FLOPs utilization "
    "(MFU) is the time the GPUs would need for them at peak rates, divided by the duration of the step, which is that "
    "of step_time. For each GPU: utilization during steps, and estimates of SM efficiency (blocks per SM, at most 1) "
    "and occupancy. Where the time of a step goes: where_time_goes.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::step_overview
