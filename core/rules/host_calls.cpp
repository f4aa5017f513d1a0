#include "core/rules/host_calls.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/analysis/request/runs.hpp"
#include "core/rules/gpu_window.hpp"

namespace warpscope::rules {

namespace {

constexpr std::array<std::string_view, 15> kWaits{"cudaStreamSynchronize", "cudaDeviceSynchronize",
                                                  "cudaEventSynchronize",  "cuStreamSynchronize",
                                                  "cuCtxSynchronize",      "cuEventSynchronize",
                                                  "hipStreamSynchronize",  "hipDeviceSynchronize",
                                                  "hipEventSynchronize",   "cudaMemcpy",
                                                  "cudaMemcpy2D",          "cudaMemcpyToSymbol",
                                                  "cudaMemcpyFromSymbol",  "hipMemcpy",
                                                  "hipMemcpyWithStream"};
constexpr std::array<std::string_view, 11> kAllocations{
    "cudaMalloc", "cudaFree",  "cudaHostAlloc", "cudaMallocHost", "cudaFreeHost", "cuMemCreate",
    "cuMemMap",   "hipMalloc", "hipFree",       "hipHostMalloc",  "hipHostFree"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// Returns the kind of each name; nullopt if the name does not determine it.
std::vector<std::optional<HostCallKind>> kinds_of(const StringTable& names) {
  std::vector<std::optional<HostCallKind>> kinds(names.size());
  for (NameId id = 0; id < kinds.size(); ++id) {
    const std::string_view name = names.view(id);
    if (name.starts_with("enumerate(DataLoader)"))
      kinds[id] = HostCallKind::data_loader;
    else if (name.ends_with("(dynamo_timed)"))
      kinds[id] = HostCallKind::compilation;
    else if (is_one_of(name, kAllocations))
      kinds[id] = HostCallKind::allocation;
    else if (is_wait(name))
      kinds[id] = HostCallKind::wait;
  }
  return kinds;
}

}  // namespace

bool is_wait(std::string_view name) { return is_one_of(name, kWaits); }

HostCalls host_calls(const trace::Profile& profile, std::uint32_t rank_index, const CancelToken* cancel) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const analysis::RoleOfCategory roles = analysis::roles_of_categories(profile);
  const auto kinds = kinds_of(profile.names());
  HostCalls found;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind == trace::TrackKind::stream) continue;
    for (const std::uint32_t l : analysis::recorded_lanes(rank, track)) {
      if (analysis::cancelled(cancel)) return found;
      const trace::Lane& lane = rank.lanes[l];
      analysis::for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
        const trace::Role role = roles[lane.category(i)];
        const NameId name = lane.name(i);
        const auto add = [&](HostCallKind kind) {
          found.of_kind[static_cast<std::size_t>(kind)].push_back({rank.lane_start[l] + i, name, time});
        };
        if (role == trace::Role::overhead) return add(HostCallKind::overhead);
        if (role == trace::Role::python || !kinds[name]) return;
        const bool call = *kinds[name] == HostCallKind::allocation || *kinds[name] == HostCallKind::wait;
        if (call == (role == trace::Role::launch)) add(*kinds[name]);
      });
    }
  }
  for (auto& calls : found.of_kind)
    std::ranges::stable_sort(calls, {}, [](const HostCall& call) { return call.time.begin; });
  return found;
}

std::vector<Interval> times_of(const std::vector<HostCall>& calls) {
  std::vector<Interval> times;
  times.reserve(calls.size());
  for (const HostCall& call : calls) times.push_back(call.time);
  return joined(std::move(times));
}

}  // namespace warpscope::rules
