#include "app/ui/dashboard/slice_picker.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "app/ui/dashboard/panel_data.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/analysis/slices/slice_details.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::ui {
namespace {

struct Found {
  trace::SliceRef slice;
  Ns begin = 0;
  Ns duration = 0;
};

std::vector<char> names_wanted(const trace::Profile& profile, const PickRequest& request, plots::RowMeaning meaning) {
  std::vector<char> wanted(profile.names().size());
  const std::unordered_set<std::string_view> named(request.named.begin(), request.named.end());
  const bool others = request.row == analysis::kOthers;
  for (NameId id = 0; id < wanted.size(); ++id) {
    const std::string_view name = profile.names().view(id);
    bool is = name == request.row;
    if (meaning == plots::RowMeaning::precision) is = to_string(analysis::kernel_precision(name)) == request.row;
    if (meaning == plots::RowMeaning::kernel && others) is = !named.contains(name);
    if (meaning == plots::RowMeaning::memory_operation) is = to_string(analysis::copy_direction(name)) == request.row;
    wanted[id] = is ? 1 : 0;
  }
  return wanted;
}

/// Selects the kernels of a row of kernel_precision: compute kernels by name, other kernels by class.
class PrecisionRow {
 public:
  PrecisionRow(const trace::Profile& profile, const PickRequest& request)
      : classes_(profile, {.rules = request.kernel_rules}) {
    for (const auto kind : {analysis::KernelClass::communication, analysis::KernelClass::memory})
      if (request.row == to_string(kind)) kind_ = kind;
  }
  [[nodiscard]] bool has(const analysis::RunPart& run, const std::vector<char>& names) const {
    if (kind_ == analysis::KernelClass::computation && names[run.lane.name(run.index)] == 0) return false;
    return classes_.of(run.rank, run.lane_index, run.index, run.role) == kind_;
  }

 private:
  analysis::KernelClasses classes_;
  analysis::KernelClass kind_ = analysis::KernelClass::computation;
};

void add_runs(const trace::Profile& profile, const PickRequest& request, plots::RowMeaning meaning,
              const CancelToken& cancel, std::vector<Found>& found) {
  using analysis::GpuActivity;
  using trace::Role;
  const bool by_name = meaning == plots::RowMeaning::kernel || meaning == plots::RowMeaning::precision ||
                       meaning == plots::RowMeaning::memory_operation;
  const std::vector<char> wanted = by_name ? names_wanted(profile, request, meaning) : std::vector<char>();
  std::optional<PrecisionRow> precision;
  if (meaning == plots::RowMeaning::precision) precision.emplace(profile, request);
  const auto passes = [&](const analysis::RunPart& run) {
    const bool kernel = trace::is_kernel(run.role);
    switch (meaning) {
      case plots::RowMeaning::kernel:
        return kernel && wanted[run.lane.name(run.index)] != 0;
      case plots::RowMeaning::precision:
        return kernel && precision->has(run, wanted);
      case plots::RowMeaning::memory_operation:
        if (run.role == Role::memory_set) return request.row == to_string(analysis::MemoryOperation::set);
        return run.role == Role::memory_copy && wanted[run.lane.name(run.index)] != 0;
      case plots::RowMeaning::activity:
        return kernel == (value_of<GpuActivity>(analysis::kGpuActivities, request.row) == GpuActivity::kernel);
      case plots::RowMeaning::busy:
        return true;
      case plots::RowMeaning::none:
      case plots::RowMeaning::kernel_class:
      case plots::RowMeaning::wait:
      case plots::RowMeaning::annotation:
      case plots::RowMeaning::bound:
        return false;
    }
    return false;
  };
  analysis::for_each_run(profile, request.scope, &cancel, [&](const analysis::RunPart& run) {
    if (!passes(run)) return;
    const trace::Rank& rank = *profile.ranks[run.rank];
    found.push_back({{run.rank, rank.ordinal({run.lane_index, run.index})}, run.part.begin, run.part.length()});
  });
}

void add_waits(const trace::Profile& profile, const analysis::Scope& scope, std::vector<Found>& found) {
  for (const std::uint32_t r : analysis::ranks_in(profile, scope)) {
    const trace::Rank& rank = *profile.ranks[r];
    for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
      if (rank.rows_of(l) != trace::LaneKind::sync) continue;
      analysis::for_each_part(rank.lanes[l], scope.on_gpu(r), [&](std::uint32_t i, Interval part) {
        found.push_back({{r, rank.ordinal({l, i})}, part.begin, part.length()});
      });
    }
  }
}

std::vector<Found> find(const trace::Profile& profile, const PickRequest& request, const CancelToken& cancel) {
  std::vector<Found> found;
  const PanelSpec& spec = spec_of(request.panel);
  const auto holds = [&](Ns duration) {
    return !request.bin || (request.bin->begin <= duration && duration < request.bin->end);
  };
  if (request.panel.made()) {
    const auto side = request.panel.gpu ? analysis::Side::gpu : analysis::Side::cpu;
    const auto samples = analysis::annotation_samples(profile, request.scope, request.panel.annotation, side, &cancel);
    for (const analysis::Sample& sample : samples.samples)
      if (holds(sample.duration)) found.push_back({sample.slice, sample.begin, sample.duration});
  } else if (spec.chart == ChartKind::histogram) {
    for (const analysis::StepSample& sample : analysis::step_samples(profile, request.scope, &cancel))
      if (holds(sample.duration) && (!request.begin || sample.begin - profile.span.begin == *request.begin))
        found.push_back({sample.slice, sample.begin, sample.duration});
  } else if (spec.meaning == plots::RowMeaning::activity &&
             request.row == word_at(analysis::kGpuActivities, analysis::GpuActivity::sync)) {
    add_waits(profile, request.scope, found);
  } else {
    add_runs(profile, request, spec.meaning, cancel, found);
  }
  return found;
}

}  // namespace

bool can_pick(const PanelState& panel, const Table& table, std::size_t row) {
  const PanelSpec& spec = spec_of(panel);
  if (spec.chart == ChartKind::histogram) return true;
  if (spec.meaning == plots::RowMeaning::none || spec.need == PanelNeed::host_load ||
      table.find_role(ColumnRole::samples))
    return false;
  const std::string_view name = plots::row_name(table, row);
  if (spec.meaning == plots::RowMeaning::activity)
    return name != word_at(analysis::kGpuActivities, analysis::GpuActivity::idle);
  return spec.meaning != plots::RowMeaning::busy || name != word_at(analysis::kWorkStates, analysis::WorkState::idle);
}

PickResult pick_slices(const trace::Profile& profile, PickRequest request, const CancelToken& cancel) {
  PickResult result;
  request.scope = resolved(std::move(request.scope), profile, &cancel, nullptr);
  std::vector<Found> found = find(profile, request, cancel);
  if (cancel.cancelled()) return result;
  std::ranges::sort(found, [](const Found& a, const Found& b) {
    return a.duration != b.duration ? a.duration > b.duration
                                    : std::pair(a.begin, a.slice) < std::pair(b.begin, b.slice);
  });
  result.table = Table("slices", request.label,
                       {{"slice", "", ColumnRole::name},
                        Column{"begin", "", ColumnRole::start}.labeled("start"),
                        {"duration", "", ColumnRole::duration},
                        {"rank", "", ColumnRole::rank},
                        {"track", "", ColumnKind::text}});
  auto slices = std::make_shared<PickedSlices>();
  slices->label = request.label;
  slices->slices.reserve(found.size());
  for (const Found& one : found) {
    result.total = saturating_add(result.total, one.duration);
    if (slices->slices.size() < kMostListed)
      result.table.add_row({profile.name(one.slice), one.begin - profile.span.begin, one.duration,
                            profile.ranks[one.slice.rank]->number, analysis::track_name(profile, one.slice)});
    slices->slices.push_back(one.slice);
  }
  result.slices = std::move(slices);
  return result;
}

}  // namespace warpscope::ui
