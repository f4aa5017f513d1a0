#pragma once
// What a load found, as text that can be compared, and what its diagnostics account for.
#include <cstdint>
#include <map>
#include <string>

#include "tests/damage/inputs.hpp"

namespace warpscope::damage {

struct Reading {
  /// Each slice, connection and sample, with its number of occurrences.
  std::map<std::string, int> contents;
  /// Bytes of the event or line of each slice and sample; 0 for connections.
  std::map<std::string, std::uint64_t> lengths;
  std::map<std::string, std::uint64_t> warnings;  ///< counts by code
  bool failed = false;                            ///< with an error
};

/// Loads `bytes` as the only file of a folder.
[[nodiscard]] Reading read(const Input& input, const std::string& bytes);

/// Difference of two readings.
struct Loss {
  int lost = 0;                   ///< slices, connections and samples that are missing or differ
  int added = 0;                  ///< those that are new or differ
  int events = 0;                 ///< missing or different slices and samples that the diagnostics do not account for
  std::uint64_t diagnostics = 0;  ///< additional occurrences
  [[nodiscard]] bool any() const { return lost + added > 0; }
};
/// `gone`: see Damaged.
[[nodiscard]] Loss compare(const Reading& whole, const Reading& now, std::uint64_t gone);

}  // namespace warpscope::damage
