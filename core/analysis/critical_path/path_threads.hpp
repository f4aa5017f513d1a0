#pragma once
// Finds the critical path's threads among a rank's tracks and identifies those that run the forward and backward passes
// of training steps.
//
// PyTorch runs the backward pass on a separate thread while the calling thread waits; no event records this. Calls of
// the autograd engine identify the backward thread. Step annotations (or, without them, calls named "forward") identify
// the thread that waits for it.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/critical_path/path_threads.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

// Classifies host calls by name, once per profile.

class PathWords {
 public:
  enum Word : std::uint16_t {
    kLocks = 1,          ///< takes the driver's lock, so only one such call runs at a time
    kBlocks = 2,         ///< spends its time waiting for a device
    kWaits = 4,          ///< may contain a recorded wait
    kForward = 8,        ///< its thread runs a forward pass
    kBackward = 16,      ///< its thread runs a backward pass, according to HTA
    kDataLoading = 32,   ///< loads data, as specified by the user
    kAsks = 64,          ///< queries completion without waiting
    kCopies = 128,       ///< waits only for its own memcpy, if at all
    kHoldsStream = 256,  ///< makes a stream wait for work submitted to another stream
    kStep = 512,         ///< its thread contains the steps
    kEngine = 1024,      ///< its thread runs a backward pass
  };

  /// `hta`: uses only the names that HTA recognizes, which are all CUDA calls. O(names).
  PathWords(const trace::Profile& profile, std::string_view data_loading, bool hta);

  [[nodiscard]] bool has(NameId name, Word word) const { return (words_[name] & word) != 0; }

 private:
  std::vector<std::uint16_t> words_;
};

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
