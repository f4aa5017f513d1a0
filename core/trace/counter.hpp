#pragma once
// A sampled series. Each value holds until the next sample. NaN means the value is unknown until the next sample, so
// gaps stay visible. A pyramid of (min, max, sum over time) over blocks of 16, 256, … samples yields the range and mean
// of the values in a pixel in O(log n). Series sampled together share one time column.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

class Counter {
 public:
  using Times = std::shared_ptr<const std::vector<Ns>>;
  struct Summary {
    double min = 0;
    double max = 0;
    double mean = 0;   ///< time-weighted, over the known time
    double known = 0;  ///< known time, in ns
    bool any = false;  ///< false if no value is known in the range
  };

  Counter() = default;
  /// `times` must be ascending; `unit` may be empty.
  Counter(std::string name, std::string unit, std::vector<Ns> times, std::vector<float> values);
  /// Same, with a shared time column that has one entry per value.
  Counter(std::string name, std::string unit, Times times, std::vector<float> values);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] Ns time(std::size_t i) const { return (*times_)[i] + shift_; }
  [[nodiscard]] float value(std::size_t i) const { return values_[i]; }
  /// Returns the unshifted time column; null if there are no samples.
  [[nodiscard]] const Times& times() const { return times_; }
  [[nodiscard]] std::span<const float> values() const { return values_; }
  /// Minimum and maximum, ignoring NaN; both are 0 if all values are NaN.
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }

  /// Summarizes the values within [a, b). O(log n).
  [[nodiscard]] Summary summary(Ns a, Ns b) const;
  void shift(Ns delta) { shift_ += delta; }
  /// Bytes in memory, excluding a shared time column.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Size in bytes, including the time column even if it is shared.
  [[nodiscard]] std::size_t whole_bytes() const;

 private:
  struct Node {
    float min;  // NaN if unknown
    float max;
    double area;   // integral of value over time, in value · ns, of the samples of this node
    double known;  // ns
  };
  [[nodiscard]] Node node_of(std::size_t sample) const;
  static void add(Node& sum, const Node& node);

  std::string name_;
  std::string unit_;
  Times times_;
  std::vector<float> values_;
  std::vector<std::vector<Node>> levels_;  // levels_[0]: blocks of 16 samples; each higher level is 16 × coarser
  Ns shift_ = 0;
  double min_ = 0;
  double max_ = 0;
};

}  // namespace warpscope::trace
