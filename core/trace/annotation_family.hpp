#pragma once
// Groups annotations whose names differ only in a trailing number into families: `step_12`, `step_13` → `step`;
// `ProfilerStep#7` → `ProfilerStep`. Statistics and histograms are computed per family; training steps are the
// instances of one family.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpscope::trace {

/// Returns the name without its trailing number and the separator before it (one of `_ # - : . /` or a space). A name
/// consisting only of a number forms its own family.
[[nodiscard]] std::string_view annotation_family(std::string_view name);

/// Returns the family that marks training steps, given the number of annotations in each family. Candidates, in order
/// of preference: PyTorch's ProfilerStep, `step`, SageMaker Debugger's training steps, the most frequent family with
/// "step" in its name. Empty if no family qualifies.
[[nodiscard]] std::string step_family(const std::map<std::string, std::uint64_t>& families);

}  // namespace warpscope::trace
