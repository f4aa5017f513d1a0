#pragma once
// A sampled series: values that hold from their time until the next sample. A value that is not a number says that
// nothing is known from there on: so a gap is kept as a gap. Beside the samples stands a pyramid of (min, max, sum over
// time) over blocks of 16, 256, … samples, so that a pixel's extent and mean cost O(log n). Series that were sampled
// together share their column of times.
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
    double mean = 0;   ///< weighted by time, over the time in which something is known
    double known = 0;  ///< that time, in ns
    bool any = false;  ///< false where no sample holds
  };

  Counter() = default;
  /// Samples sorted by time. `unit` may be empty.
  Counter(std::string name, std::string unit, std::vector<Ns> times, std::vector<float> values);
  /// The same of a column of times that others have too: as many as there are values.
  Counter(std::string name, std::string unit, Times times, std::vector<float> values);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] Ns time(std::size_t i) const { return (*times_)[i] + shift_; }
  [[nodiscard]] float value(std::size_t i) const { return values_[i]; }
  /// The column, of no samples null. Not shifted.
  [[nodiscard]] const Times& times() const { return times_; }
  [[nodiscard]] std::span<const float> values() const { return values_; }
  /// Least and greatest value of all that are numbers; 0, 0 if there are none.
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }

  /// What held within [a, b). O(log n).
  [[nodiscard]] Summary summary(Ns a, Ns b) const;
  void shift(Ns delta) { shift_ += delta; }
  /// Without the column of times if others have it too.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// With the column of times, as if nobody shared it.
  [[nodiscard]] std::size_t whole_bytes() const;

 private:
  struct Node {
    float min;  // not a number if nothing is known
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
  std::vector<std::vector<Node>> levels_;  // levels_[0]: blocks of 16 samples, each next 16 × coarser
  Ns shift_ = 0;
  double min_ = 0;
  double max_ = 0;
};

}  // namespace warpscope::trace
