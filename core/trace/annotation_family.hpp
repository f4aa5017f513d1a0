#pragma once
// Annotations that differ only by a trailing number are one family: `step_12`, `step_13` → `step`; `ProfilerStep#7` →
// `ProfilerStep`. Statistics and histograms are of families, steps are the instances of one of them.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpscope::trace {

/// The name without its trailing number and the sign before it (one of `_ # - : . /` or a space). A name that is
/// nothing but a number is its own family.
[[nodiscard]] std::string_view annotation_family(std::string_view name);

/// The family that marks training steps, from how often each occurs: PyTorch's own ProfilerStep, else `step`, else the
/// most frequent one with "step" in its name. Empty if there is none.
[[nodiscard]] std::string step_family(const std::map<std::string, std::uint64_t>& families);

}  // namespace warpscope::trace
