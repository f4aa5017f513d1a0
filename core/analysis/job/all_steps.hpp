#pragma once
// Steps of all phases of a job: training, evaluation and others. Rank::steps has one phase only.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Name of a step without its number: "ProfilerStep#12" and "step_12" → "ProfilerStep", "step".
[[nodiscard]] std::string_view phase_of(std::string_view step);
/// Number at the end of a step's name; nullopt without one.
[[nodiscard]] std::optional<std::int64_t> number_of(std::string_view step);

/// The rank's steps of all phases, by start. Rank::steps has one phase only, that of training; framework timelines have
/// others beside it, such as evaluation.
[[nodiscard]] std::vector<trace::Step> all_steps(const trace::Profile& profile, const trace::Rank& rank);

}  // namespace warpscope::analysis
