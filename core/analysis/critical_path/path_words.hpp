#pragma once
// Classifies host calls by name, once per profile.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

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

}  // namespace warpscope::analysis
