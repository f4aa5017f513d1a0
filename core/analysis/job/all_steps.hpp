#pragma once
// Steps in all phases of a job: training, evaluation and others. Rank::steps contains only one phase.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Returns the name of a step without its number: "ProfilerStep#12" and "step_12" → "ProfilerStep", "step".
[[nodiscard]] std::string_view phase_of(std::string_view step);
/// Returns the number at the end of a step's name; nullopt if there is none.
[[nodiscard]] std::optional<std::int64_t> number_of(std::string_view step);

/// Returns the rank's steps in all phases, sorted by start. Rank::steps contains only the training phase; framework
/// timelines also contain other phases, such as evaluation.
[[nodiscard]] std::vector<trace::Step> all_steps(const trace::Profile& profile, const trace::Rank& rank);

}  // namespace warpscope::analysis
