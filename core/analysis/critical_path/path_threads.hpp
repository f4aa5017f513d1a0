#pragma once
// Which tracks of a rank are threads of the critical path, and on which of them a training step goes forward and back.
//
// PyTorch runs the backward pass on a thread of its own while the one that called it waits; no event says so. The
// engine's calls tell its thread, the steps' annotations (else calls named "forward") the one that waits for it.
#include <cstdint>
#include <vector>

#include "core/analysis/critical_path/path_words.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

enum class Pass : std::uint8_t {
  none,      ///< neither, or nobody knows
  forward,   ///< has the steps, and waits while others run the backward pass
  backward,  ///< has a backward pass that the forward one of its process waits for
};

struct PathTracks {
  struct Choice {
    Interval until;    ///< what of the rank is looked at
    bool hta = false;  ///< the tracks of one forward and one backward pass are one thread
    const CancelToken* cancel = nullptr;
  };
  std::vector<std::uint32_t> tracks;  ///< one; to HTA two where a backward pass goes on where the forward ended
  Pass pass = Pass::none;
  std::size_t calls = 0;  ///< operators and runtime calls
};

/// By process and number of the first track. O(slices of threads in `until`).
[[nodiscard]] std::vector<PathTracks> path_tracks(const trace::Rank& rank, const PathWords& words,
                                                  const RoleOfCategory& roles, const PathTracks::Choice& choice);

}  // namespace warpscope::analysis
