#pragma once
// Row names for activities and states, whose cells refer to the enumerator.
#include <array>
#include <cstdint>
#include <string_view>

#include "core/base/table.hpp"
#include "core/base/word_at.hpp"

namespace warpscope::analysis {

/// Activity of a GPU (ColumnRole::activity).
enum class GpuActivity : std::uint8_t { kernel, memory, sync, idle };
inline constexpr std::array<std::string_view, 4> kGpuActivities{"kernel", "memory", "sync", "idle"};

/// State of a GPU, core or thread (ColumnRole::state): GPUs and sampled cores are active or idle, threads busy or not.
enum class WorkState : std::uint8_t { active, idle, busy, not_busy };
[[nodiscard]] constexpr Cell state_cell(WorkState state) {
  constexpr std::array<std::string_view, 4> kWords{"active", "idle", "busy", "not busy"};
  return {word_at(kWords, state), state};
}

}  // namespace warpscope::analysis
