#include "core/analysis/overview/gpu_fill.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/shared/rows_by_device.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/ingest/format/event_text.hpp"

namespace warpscope::analysis {

namespace {

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

}  // namespace

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

}  // namespace warpscope::analysis
