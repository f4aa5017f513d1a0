#pragma once
// Recognizes a trace written by `warpscope counters`: counters computed from a rank's trace, in a separate file. Next
// to traces, it does not count as a rank.
#include <string_view>

namespace warpscope::ingest {

/// Start of such a file, before the label of the rank.
inline constexpr std::string_view kCounterMark = R"({"countersOf":)";

[[nodiscard]] inline bool is_counter_trace(std::string_view head) { return head.starts_with(kCounterMark); }

}  // namespace warpscope::ingest
