#pragma once
// Finds the threads of HTA's critical path among a rank's tracks. PyTorch runs the backward pass on a thread of its
// own; as HTA does, names tell which thread that is.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/request/runs.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

// Classifies host calls by name, once per profile.

class PathWords {
 public:
  enum Word : std::uint16_t {
    kLocks = 1,         ///< takes the driver's lock, so only one such call runs at a time
    kBlocks = 2,        ///< spends its time waiting for a device
    kWaits = 4,         ///< may contain a recorded wait
    kForward = 8,       ///< its thread runs a forward pass
    kBackward = 16,     ///< its thread runs a backward pass
    kDataLoading = 32,  ///< loads data, as specified by the user
  };

  /// O(names).
  PathWords(const trace::Profile& profile, std::string_view data_loading);

  [[nodiscard]] bool has(NameId name, Word word) const { return (words_[name] & word) != 0; }

 private:
  std::vector<std::uint16_t> words_;
};

struct PathTracks {
  std::vector<std::uint32_t> tracks;  ///< one track; two if a backward pass continues the forward thread
  std::size_t calls = 0;              ///< operators and runtime calls
};

/// Returns the threads sorted by process and number of their first track. O(n) for n host slices in `until`, the
/// analyzed time range of the rank.
[[nodiscard]] std::vector<PathTracks> path_tracks(const trace::Rank& rank, const PathWords& words,
                                                  const RoleOfCategory& roles, Interval until,
                                                  const CancelToken* cancel);

}  // namespace warpscope::analysis
