#pragma once
// Finds the critical path's threads among a rank's tracks and identifies those that run the forward and backward passes
// of training steps.
//
// PyTorch runs the backward pass on a separate thread while the calling thread waits; no event records this. Calls of
// the autograd engine identify the backward thread. Step annotations (or, without them, calls named "forward") identify
// the thread that waits for it.
#include <cstdint>
#include <vector>

#include "core/analysis/critical_path/path_words.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

enum class Pass : std::uint8_t {
  none,      ///< neither, or unknown
  forward,   ///< contains the steps and waits while other threads run the backward pass
  backward,  ///< runs a backward pass that the forward thread of its process waits for
};

struct PathTracks {
  struct Choice {
    Interval until;    ///< analyzed time range of the rank
    bool hta = false;  ///< treat the tracks of one forward and one backward pass as one thread
    const CancelToken* cancel = nullptr;
  };
  std::vector<std::uint32_t> tracks;  ///< one track; with hta, two if a backward pass continues the forward thread
  Pass pass = Pass::none;
  std::size_t calls = 0;  ///< operators and runtime calls
};

/// Returns the threads sorted by process and number of their first track. O(n) for n host slices in `until`.
[[nodiscard]] std::vector<PathTracks> path_tracks(const trace::Rank& rank, const PathWords& words,
                                                  const RoleOfCategory& roles, const PathTracks::Choice& choice);

}  // namespace warpscope::analysis
