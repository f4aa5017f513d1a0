#pragma once
// Checks whether a time is plausible as a recording date. Other times are relative to a base stored elsewhere, or to an
// unknown origin.
#include "core/base/time.hpp"

namespace warpscope::ingest {

inline constexpr Ns kEarliestRecording = Ns{978'307'200} * 1'000'000'000;  // 2001
inline constexpr Ns kLatestRecording = Ns{4'102'444'800} * 1'000'000'000;  // 2100

/// `time`: ns since the Unix epoch.
[[nodiscard]] constexpr bool plausible_time(Ns time) { return time >= kEarliestRecording && time <= kLatestRecording; }

}  // namespace warpscope::ingest
