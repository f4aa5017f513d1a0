#pragma once
// Sentences that say what a table means, for the start of its note: the largest parts of a whole.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::analysis {

/// A part of a whole: its name as shown, and its time in ns.
using NamedTime = std::pair<std::string, Ns>;

/// "gemm takes 36.5 % of the kernel time; the first 5 of 49 take 62.0 %.": `whole` is "the kernel time", `all` its
/// length. `largest_first` may be cut; `count` is the number of all parts. "" without time.
[[nodiscard]] std::string leading_answer(std::span<const NamedTime> largest_first, std::size_t count, Ns all,
                                         std::string_view whole);

/// "kernels 35.0 %, CPU 30.1 %, exposed communication 12.0 %": the largest parts, at most three, without those below
/// one percent.
[[nodiscard]] std::string largest_parts(std::vector<NamedTime> parts, Ns all);

}  // namespace warpscope::analysis
