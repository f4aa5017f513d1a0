#pragma once
// Helpers for rules that evaluate PyTorch profiles.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

/// Returns the outcome if there is too little GPU activity to evaluate the rule; nullopt otherwise.
[[nodiscard]] std::optional<Outcome> too_little(Facts& facts);

/// Returns an outcome with the finding if `fires`, otherwise with the verdict "no issues". Both contain `why`.
[[nodiscard]] Outcome judged(bool fires, Finding finding, std::string why);

/// Returns a place on a GPU.
[[nodiscard]] Place on_gpu(Facts& facts, const GpuWindow& gpu, Interval time, std::string text,
                           std::optional<trace::SliceOrdinal> slice = std::nullopt);
/// Returns a slice as a place, labeled with `text` or, if `text` is empty, with the slice's name.
[[nodiscard]] Place at_slice(Facts& facts, std::uint32_t rank, trace::SliceOrdinal slice, std::string text = {});

/// Returns "rank 5", followed by the GPU if the rank has several.
[[nodiscard]] std::string gpu_label(Facts& facts, const GpuWindow& gpu);
/// Returns the name of the step that corresponds to a part of the GPU's evaluated time; the part's number if there is
/// no such step.
[[nodiscard]] std::string step_label(Facts& facts, const GpuWindow& gpu, std::size_t part);
/// Returns one bar per name with its mean time per step, or per GPU if there are no steps. `label` maps a name to its
/// label; by default, the name itself.
[[nodiscard]] Evidence bars_by_name(Facts& facts, std::string title, const std::map<NameId, Ns>& times,
                                    const std::function<std::string(std::string_view)>& label = {});
/// True unless the culprit is other ranks.
[[nodiscard]] bool concerns(Facts& facts, const Culprit& culprit, std::uint32_t rank);
/// Charts the idle time from one cause: one column per step, averaged over the culprit's GPUs, or one column per GPU if
/// there are fewer than two steps.
[[nodiscard]] Evidence idle_by_step(Facts& facts, std::string_view what,
                                    const std::function<const std::vector<Interval>&(std::size_t)>& of_gpu,
                                    const Culprit& culprit = {});

/// Calls of one kind in the evaluated time.
struct CallsInWindow {
  std::uint64_t count = 0;
  std::string_view most;        ///< the name with the most time
  std::vector<Place> places{};  ///< the longest
};
[[nodiscard]] CallsInWindow calls_in_window(Facts& facts, analysis::HostWork kind, const Culprit& culprit = {});

/// Returns `one` if a single GPU is evaluated, otherwise `several`: "The GPU waits" or "GPUs wait".
[[nodiscard]] std::string_view by_gpus(Facts& facts, std::string_view one, std::string_view several);

/// Returns "per step" if steps are evaluated, otherwise "in total".
[[nodiscard]] std::string_view a_step_words(Facts& facts);

}  // namespace warpscope::rules
