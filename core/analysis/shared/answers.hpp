#pragma once
// Sentences about the largest parts of a whole, used to summarize a table at the top of its note.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::analysis {

/// A part's display name and time in ns.
using NamedTime = std::pair<std::string, Ns>;

/// Returns "gemm takes 36.5 % of the kernel time; the top 5 of 49 take 62.0 %.", where `whole` is "the kernel time" and
/// `all` is its length. `largest_first` may be truncated; `count` is the total number of parts. Returns "" if the time
/// is 0.
[[nodiscard]] std::string leading_answer(std::span<const NamedTime> largest_first, std::size_t count, Ns all,
                                         std::string_view whole);

/// Returns up to three of the largest parts, omitting those below one percent: "kernels 35.0 %, CPU 30.1 %, exposed
/// communication 12.0 %".
[[nodiscard]] std::string largest_parts(std::vector<NamedTime> parts, Ns all);

}  // namespace warpscope::analysis
