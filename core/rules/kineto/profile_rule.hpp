#pragma once
// Helpers of the rules for PyTorch profiles.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

inline constexpr std::uint64_t kLeastKernels = 100;

/// Why the rule cannot be evaluated; nullopt if there is enough GPU activity.
[[nodiscard]] std::optional<Outcome> too_little(Facts& facts);

/// A finding if `fires`, else no issues; both with `why`.
[[nodiscard]] Outcome judged(bool fires, Finding finding, std::string why);

/// A place on a GPU.
[[nodiscard]] Place on_gpu(Facts& facts, const GpuWindow& gpu, Interval time, std::string text,
                           std::optional<trace::SliceOrdinal> slice = std::nullopt);
/// The slice as a place, named by `text` or its own name.
[[nodiscard]] Place at_slice(Facts& facts, std::uint32_t rank, trace::SliceOrdinal slice, std::string text = {});

/// Idle time of a cause, summed over all GPUs, with its longest places.
struct CauseTime {
  Ns time = 0;
  std::vector<Place> places;
};
[[nodiscard]] CauseTime time_of_cause(Facts& facts, IdleCause cause, std::string_view text);

/// "rank 5", with the GPU if the rank has several.
[[nodiscard]] std::string gpu_label(Facts& facts, const GpuWindow& gpu);
/// Name of the step that is a part of the GPU's evaluated time, else its number.
[[nodiscard]] std::string step_label(Facts& facts, const GpuWindow& gpu, std::size_t part);
/// Bars of times summed over the GPUs, each per step. `label` makes the label of a name; by default the name itself.
[[nodiscard]] Evidence bars_by_name(Facts& facts, std::string title, const std::map<NameId, Ns>& times,
                                    const std::function<std::string(std::string_view)>& label = {});
/// A column for each step with the idle time of a cause, the mean of the GPUs; with fewer than two steps, a column
/// for each GPU.
[[nodiscard]] Evidence idle_by_step(Facts& facts, IdleCause cause);

/// The calls of this kind in the evaluated time.
struct CallsInWindow {
  std::uint64_t count = 0;
  Ns time = 0;                  ///< sum of the durations, the part in the evaluated time
  std::string_view most;        ///< the name with the most time
  std::vector<Place> places{};  ///< the longest
};
[[nodiscard]] CallsInWindow calls_in_window(Facts& facts, HostCallKind kind);

/// "a step" if steps are evaluated, else "in all".
[[nodiscard]] std::string_view a_step_words(Facts& facts);

}  // namespace warpscope::rules
