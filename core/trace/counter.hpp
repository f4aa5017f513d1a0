#pragma once
// A sampled series: values that hold from their time until the next sample. Beside the samples stands a pyramid of
// (min, max, sum over time) over blocks of 16, 256, … samples, so that a pixel's extent and mean cost O(log n).
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

class Counter {
 public:
  struct Summary {
    double min = 0;
    double max = 0;
    double mean = 0;   ///< weighted by time
    bool any = false;  ///< false where no sample holds
  };

  Counter() = default;
  /// Samples sorted by time. `unit` may be empty.
  Counter(std::string name, std::string unit, std::vector<Ns> times, std::vector<float> values);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] std::size_t size() const { return times_.size(); }
  [[nodiscard]] Ns time(std::size_t i) const { return times_[i] + shift_; }
  [[nodiscard]] float value(std::size_t i) const { return values_[i]; }
  /// Least and greatest value of all; 0, 0 if empty.
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }

  /// What held within [a, b). O(log n).
  [[nodiscard]] Summary summary(Ns a, Ns b) const;
  void shift(Ns delta) { shift_ += delta; }
  [[nodiscard]] std::size_t resident_bytes() const;

 private:
  struct Node {
    float min;
    float max;
    double area;  // integral of value over time, in value · ns, of the samples of this node
  };

  std::string name_;
  std::string unit_;
  std::vector<Ns> times_;
  std::vector<float> values_;
  std::vector<std::vector<Node>> levels_;  // levels_[0]: blocks of 16 samples, each next 16 × coarser
  Ns shift_ = 0;
  double min_ = 0;
  double max_ = 0;
};

}  // namespace warpscope::trace
