#pragma once
// Row names for activities, states and overlapping kernel classes. Analyses write them; charts and the Dashboard read
// them.
#include <array>
#include <cstdint>
#include <string_view>

#include "core/base/word_at.hpp"

namespace warpscope::analysis {

/// Activity of a GPU (ColumnRole::activity).
enum class GpuActivity : std::uint8_t { kernel, memory, sync, idle };
inline constexpr std::array<std::string_view, 4> kGpuActivities{"kernel", "memory", "sync", "idle"};

/// State of a GPU, core or thread (ColumnRole::state): GPUs and sampled cores are active or idle, threads busy or not.
enum class WorkState : std::uint8_t { active, idle, busy, not_busy };
inline constexpr std::array<std::string_view, 4> kWorkStates{"active", "idle", "busy", "not busy"};

/// Joins the classes of kernels that ran at the same time: "COMPUTATION overlapping MEMORY".
inline constexpr std::string_view kOverlapping = " overlapping ";

}  // namespace warpscope::analysis
