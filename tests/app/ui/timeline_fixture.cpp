#include "tests/app/ui/timeline_fixture.hpp"

#include <string>
#include <utility>
#include <vector>

namespace warpscope::test {

RankSpec job_rank() {
  static const std::vector<std::string> kNames{"gemm_0", "gemm_1", "gemm_2", "gemm_3"};
  RankSpec spec;
  LaneSpec kernels, collectives, steps, launches;
  for (int s = 0; s < kSteps; ++s) {
    const Ns at = s * kStepEvery;
    steps.slices.push_back({at, 30 * kMs, "ProfilerStep", trace::Family::annotation});
    for (int k = 0; k < kKernels; ++k) {
      const auto name = static_cast<std::size_t>(k);
      kernels.slices.push_back({at + 6 * kMs + k * 5 * kMs, 4 * kMs, kNames[name], trace::Family::computation});
      launches.slices.push_back({at + kMs + k * kMs, kMs / 2, "cudaLaunchKernel", trace::Family::runtime});
      const auto index = static_cast<std::uint32_t>(s * (kKernels + 1) + k);
      const auto run = static_cast<std::uint32_t>(s * kKernels + k);
      spec.launches.push_back({{kThread, 1, index}, {kStream7, 0, run}});
    }
    collectives.slices.push_back({at + 26 * kMs, 3 * kMs, "ncclAllReduce", trace::Family::communication});
    launches.slices.push_back({at + 6 * kMs, kMs / 2, "cudaLaunchKernel", trace::Family::runtime});
    spec.launches.push_back({{kThread, 1, static_cast<std::uint32_t>(s * (kKernels + 1) + kKernels)},
                             {kStream20, 0, static_cast<std::uint32_t>(s)}});
  }
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {kernels}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 20", {collectives}});
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {steps, launches}});
  return spec;
}

std::shared_ptr<const trace::Profile> job_profile(std::size_t ranks, bool complete) {
  auto dictionary = std::make_shared<trace::Dictionary>();
  std::vector<std::shared_ptr<const trace::Rank>> built;
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto rank = make_rank(job_rank(), static_cast<std::int64_t>(r), *dictionary);
    for (int s = 0; s < kSteps; ++s) {
      const Ns at = s * kStepEvery;
      const std::uint32_t lane = rank->tracks[kThread].first_lane;
      rank->steps.push_back({dictionary->names.intern("ProfilerStep#" + std::to_string(s)),
                             {at, at + 30 * kMs},
                             rank->ordinal({lane, static_cast<std::uint32_t>(s)})});
    }
    built.push_back(rank);
  }
  return trace::assemble_profile("job", dictionary, std::move(built), {}, complete);
}

trace::SliceRef slice_at(const trace::Profile& profile, std::uint32_t rank, Where where) {
  const trace::Rank& of = *profile.ranks[rank];
  return {rank, of.lane_start[of.tracks[where.track].first_lane + where.lane] + where.index};
}

ui::TimelineState open_state(std::shared_ptr<const trace::Profile> profile) {
  ui::TimelineState state;
  state.resize(1000, 400, 1, scene::Density::normal);
  state.set_profile(std::move(profile), true);
  state.edit_tracks([&](scene::TrackState& tracks) {
    for (std::uint32_t i = 0; i < state.profile()->tree.entries.size(); ++i)
      tracks.set_open(state.profile()->tree, i, true);
  });
  return state;
}

double rest(ui::TimelineState& state, double now) {
  for (int i = 0; i < 100; ++i) {
    now += 1.0 / 60;
    if (!state.advance(1.0 / 60, now)) break;
  }
  return now;
}

double row_middle(const ui::TimelineState& state, std::uint32_t rank, Where where) {
  const trace::Rank& of = *state.profile()->ranks[rank];
  const std::uint32_t row =
      state.layout()->row_of_lane(*state.profile(), rank, of.tracks[where.track].first_lane + where.lane);
  const scene::Row& found = state.layout()->rows()[row];
  return scene::canvas_y(state.input(), found) + found.height / 2.0;
}

}  // namespace warpscope::test
