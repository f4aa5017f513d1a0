#pragma once
// What names say about calls on the host, looked up once for a profile.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

class PathWords {
 public:
  enum Word : std::uint16_t {
    kLocks = 1,          ///< only one of them goes on at a time
    kBlocks = 2,         ///< its time is time that it waits for a device
    kWaits = 4,          ///< a row of a wait may lie in it
    kForward = 8,        ///< tells of a thread with a forward pass
    kBackward = 16,      ///< tells of a thread with a backward pass
    kDataLoading = 32,   ///< as the user says
    kAsks = 64,          ///< asks whether something is done, and waits for nothing
    kCopies = 128,       ///< waits, if at all, for its own copy
    kHoldsStream = 256,  ///< tells a stream to wait for what another has been given
    kStep = 512,         ///< tells of a thread with the steps
    kEngine = 1024,      ///< tells of a thread that runs a backward pass
  };

  /// `hta`: only the names that HTA knows, which are CUDA's. O(names).
  PathWords(const trace::Profile& profile, std::string_view data_loading, bool hta);

  [[nodiscard]] bool has(NameId name, Word word) const { return (words_[name] & word) != 0; }

 private:
  std::vector<std::uint16_t> words_;
};

}  // namespace warpscope::analysis
