#pragma once
// A small training job for the timeline tests: three steps of 30 ms per rank, with four kernels per step on stream 7
// and a collective at the end of each step on stream 20. The rank's only thread launches all of them.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "app/ui/timeline/timeline_state.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::test {

inline constexpr Ns kMs = 1'000'000;
inline constexpr Ns kStepEvery = 35 * kMs;
inline constexpr int kSteps = 3;
inline constexpr int kKernels = 4;

/// Tracks of a rank, in order.
inline constexpr std::uint32_t kStream7 = 0;
inline constexpr std::uint32_t kStream20 = 1;
inline constexpr std::uint32_t kThread = 2;

[[nodiscard]] RankSpec job_rank();

/// A profile with `ranks` ranks, with steps.
[[nodiscard]] std::shared_ptr<const trace::Profile> job_profile(std::size_t ranks = 2, bool complete = true);

[[nodiscard]] trace::SliceRef slice_at(const trace::Profile& profile, std::uint32_t rank, Where where);

/// Returns a state with everything expanded on a canvas of 1000 × 400 px.
[[nodiscard]] ui::TimelineState open_state(std::shared_ptr<const trace::Profile> profile = job_profile());

/// Advances time until the view has settled; returns the time reached.
double rest(ui::TimelineState& state, double now = 0);

/// Vertical center of a lane's row, in px from the top of the canvas.
[[nodiscard]] double row_middle(const ui::TimelineState& state, std::uint32_t rank, Where where);

}  // namespace warpscope::test
