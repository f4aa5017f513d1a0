#pragma once
// The samplers of `warpscope record`. Each sampler reads some of this host's metrics. The values use the names of
// SageMaker Debugger's system metrics, so the same reader handles both.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::record {

/// A sampled value, named as in the files. The views are valid until the next call to the sampler.
struct Sample {
  std::string_view type;       ///< "cpu", "gpu", "memory", "i/o", "network"
  std::string_view name;       ///< "cpu3", "ReceiveBytesPerSecond"
  std::string_view dimension;  ///< "CPUUtilization", "Algorithm", ""
  double value = 0;
};

/// Receives messages for the user.
using Say = std::function<void(const std::string&)>;

class Sampler {
 public:
  Sampler() = default;
  virtual ~Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Appends the current values. `seconds` is the time since the previous call, for computing rates; on the first call,
  /// it is 0 and no rates are appended. Values that cannot be read are omitted.
  virtual void sample(double seconds, std::vector<Sample>& into) = 0;
};

}  // namespace warpscope::record
