#pragma once
// Generates random numbers that are the same on every machine. Uses only integers, and not the distributions of the
// standard library, which differ between implementations. splitmix64 (Steele, Lea and Flood, 2014).
#include <cstdint>

namespace warpscope::tracegen {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }

  /// Uniform in [0, bound); bound > 0 and below 2^32.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(((next() >> 32U) * static_cast<std::uint64_t>(bound)) >> 32U);
  }

  /// Returns about `mean` ns, at least 1: bell-shaped within ± `percent` %, and in 1 of 256 cases an outlier of up to 4
  /// times.
  std::int64_t around(std::int64_t mean, int percent) {
    const std::uint64_t bits = next();
    const auto bell = static_cast<std::int64_t>((bits & 0x3FF) + (bits >> 10U & 0x3FF) + (bits >> 20U & 0x3FF)) - 1534;
    std::int64_t value = mean + mean * percent / 100 * bell / 1534;
    if ((bits >> 32U & 0xFF) == 0) value += value * static_cast<std::int64_t>(bits >> 40U & 0xFF) / 85;
    return value < 1 ? 1 : value;
  }

 private:
  std::uint64_t state_;
};

}  // namespace warpscope::tracegen
