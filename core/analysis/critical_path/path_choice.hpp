#pragma once
// What a user asks the critical path of, and what it would be if.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/critical_path/path_graph.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/analysis/shared/hta_steps.hpp"
#include "core/base/result.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Reads "compute=0.5, launch=0" and "sync, launch": factors of what bounds (cpu, data_loading, compute, communication,
/// memory, launch, gap), and kinds of edges that do not exist (operator, dependency, launch, kernel, sync). Both may be
/// empty. Errors: a word that is none of these, a factor that is negative or no number.
[[nodiscard]] Result<WhatIf> parse_what_if(std::string_view scale, std::string_view without);

/// A stretch of a rank.
struct PathWindow {
  std::string name;  ///< of its annotation or step; "range" or "all"
  Interval time;
  std::string reason;  ///< why there is none; "" if there is one
};

/// The `instance`-th (from 0) annotation or call whose name contains `annotation`; without a name what lies in `range`;
/// without one the `instance`-th step; of a rank without steps everything. O(slices) with a name.
[[nodiscard]] PathWindow path_window(const trace::Profile& profile, std::uint32_t rank, std::string_view annotation,
                                     std::uint64_t instance, const std::optional<Interval>& range);

/// That none of the ranks (indices) has the annotation or the instance that is asked for, with what they have; nothing
/// where one has it, or nothing is asked for by name or number.
[[nodiscard]] Failure missing_window(const trace::Profile& profile, std::span<const std::uint32_t> ranks,
                                     std::string_view annotation, std::uint64_t instance,
                                     const std::optional<Interval>& range);

/// What of a window counts: all of it, or what HTA looks at of it, by its steps (null: not as HTA).
[[nodiscard]] Interval looked_at(const trace::Rank& rank, Interval window, const HtaSteps* steps, bool rounding);

}  // namespace warpscope::analysis
