#include "core/rules/kineto/stall_suspects.hpp"

#include <algorithm>
#include <utility>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/device_time.hpp"
#include "core/base/ascii.hpp"

namespace warpscope::rules {

namespace {

constexpr double kMost = 0.5;  // of the stall

bool has_any(std::string_view name, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

constexpr std::array<std::string_view, 7> kDriverMemory{
    "Malloc", "cudaFree", "hipFree", "cudaHostAlloc", "cuMemCreate", "cuMemMap", "cuMemAddressReserve"};
constexpr std::array<std::string_view, 7> kModules{
    "FuncSetAttribute",  "FuncGetAttributes",       "ModuleLoad", "LibraryLoad", "LibraryGet",
    "ModuleGetFunction", "OccupancyMaxActiveBlocks"};
constexpr std::array<std::string_view, 4> kCompilation{"dynamo_timed", "inductor", "triton", "compile"};
// Allocate host memory or write to it for the first time, unless their tensors are on the GPU.
constexpr std::array<std::string_view, 13> kHostMemory{
    "aten::empty", "aten::empty_strided", "aten::zeros",     "aten::copy_",      "aten::_to_copy",
    "aten::to",    "aten::cat",           "aten::stack",     "aten::pin_memory", "aten::_pin_memory",
    "aten::clone", "aten::resize_",       "aten::empty_like"};
// Change only the description of a tensor.
constexpr std::array<std::string_view, 17> kViews{
    "aten::view",         "aten::reshape", "aten::as_strided", "aten::transpose", "aten::t",          "aten::permute",
    "aten::unsqueeze",    "aten::squeeze", "aten::expand",     "aten::slice",     "aten::select",     "aten::detach",
    "aten::_unsafe_view", "aten::alias",   "aten::narrow",     "detach",          "aten::result_type"};

bool is_in(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::string_view to_string(StallSuspect suspect) {
  constexpr std::array<std::string_view, kStallSuspects> kWords{"Python's garbage collection",
                                                                "Python code of other threads, which holds the GIL",
                                                                "memory allocated through the driver",
                                                                "kernels and modules loaded on first use",
                                                                "compilation",
                                                                "page faults of host memory",
                                                                "too few CPU cores: the thread did not run",
                                                                ""};
  return kWords[static_cast<std::size_t>(suspect)];
}

std::string_view advice_for(StallSuspect suspect) {
  switch (suspect) {
    case StallSuspect::garbage_collection:
      return "Call gc.freeze() after the setup, and gc.disable() with gc.collect() every N steps.";
    case StallSuspect::gil:
      return "Move the Python code of the other threads to processes: num_workers of the DataLoader, logging, metrics.";
    case StallSuspect::driver_memory:
      return "Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True and keep the shapes of batches constant.";
    case StallSuspect::module_loading:
      return "Load kernels at the start: CUDA_MODULE_LOADING=EAGER, or warm up every shape before training.";
    case StallSuspect::compilation:
      return "Warm up every shape before training, and mark changing dimensions with torch._dynamo.mark_dynamic.";
    case StallSuspect::page_faults:
      return "Reuse host buffers instead of allocating them in each step, pin memory once, and check for swapping.";
    case StallSuspect::descheduled:
      return "Give each process its own cores (numactl or taskset), and lower OMP_NUM_THREADS and num_workers so that "
             "threads do not compete for them.";
    case StallSuspect::unknown:
      break;
  }
  return "";
}

StallJudge::StallJudge(Facts& facts, std::uint32_t rank_index) : facts_(facts) {
  const trace::Profile& profile = facts.profile();
  const trace::Rank& rank = *profile.ranks[rank_index];
  const analysis::RoleOfCategory roles = analysis::roles_of_categories(profile);
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    const trace::Track& track = rank.tracks[t];
    if (track.kind == trace::TrackKind::stream) continue;
    std::vector<Interval> python;
    std::vector<Interval> native;  // what Python code calls usually releases the GIL, or is short
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      if (!analysis::holds_recorded(rank, l)) continue;
      for (trace::SliceOrdinal slice = rank.lane_start[l]; slice < rank.lane_start[l + 1]; ++slice) {
        const std::string_view name = profile.names().view(rank.name(slice));
        const trace::Role role = roles[rank.category(slice)];
        const Interval time{rank.begin(slice), saturating_add(rank.begin(slice), rank.duration(slice))};
        if (name.starts_with("Python GC"))
          collections_.push_back(time);
        else if (role == trace::Role::python && !name.starts_with("<built-in"))
          python.push_back(time);
        else if (role == trace::Role::python || role == trace::Role::op || role == trace::Role::launch)
          native.push_back(time);
      }
    }
    if (python.empty()) continue;
    python_.emplace_back(t, analysis::without(joined(std::move(python)), joined(std::move(native))));
  }
  collections_ = joined(std::move(collections_));
}

bool StallJudge::is_covered(const HostStall& stall,
                            const std::vector<std::pair<std::uint32_t, std::vector<Interval>>>& times) const {
  return std::ranges::any_of(times, [&](const auto& track) {
    return track.first != stall.track && static_cast<double>(analysis::common_length(stall.time, track.second)) >
                                             kMost * static_cast<double>(stall.time.length());
  });
}

StallSuspect StallJudge::suspect_of(const HostStall& stall) const {
  const std::string_view name = facts_.profile().names().view(stall.name);
  if (touches(collections_, stall.time)) return StallSuspect::garbage_collection;
  if (has_any(name, kDriverMemory)) return StallSuspect::driver_memory;
  if (has_any(name, kModules)) return StallSuspect::module_loading;
  if (has_any(lower(std::string(name)), kCompilation)) return StallSuspect::compilation;
  if (is_covered(stall, python_)) return StallSuspect::gil;
  if (is_in(name, kHostMemory)) return StallSuspect::page_faults;
  if (is_in(name, kViews)) return StallSuspect::descheduled;
  return StallSuspect::unknown;
}

}  // namespace warpscope::rules
