#pragma once
// The clock of a rank's file.
#include <charconv>
#include <string_view>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

/// Returns the origin of the times in the rank's file, in ns since the Unix epoch: the file's baseTimeNanoseconds, or 0
/// if its times are absolute.
[[nodiscard]] inline Ns file_zero(const Rank& rank) {
  if (rank.diagnostics.count("time-base-ignored") > 0) return 0;
  const auto base = rank.properties.find("baseTimeNanoseconds");
  if (base == rank.properties.end()) return 0;
  std::string_view text = base->second;
  if (text.starts_with('"')) text.remove_prefix(1);
  Ns zero = 0;
  std::from_chars(text.data(), text.data() + text.size(), zero);
  return zero;
}

}  // namespace warpscope::trace
