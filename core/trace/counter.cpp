#include "core/trace/counter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warpscope::trace {

namespace {

constexpr std::size_t kFan = 16;
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

Counter::Times column_of(std::vector<Ns> times) {
  if (times.empty()) return nullptr;
  times.shrink_to_fit();
  return std::make_shared<const std::vector<Ns>>(std::move(times));
}

}  // namespace

void Counter::add(Node& sum, const Node& node) {
  // fmin and fmax ignore NaN.
  sum.min = std::fmin(sum.min, node.min);
  sum.max = std::fmax(sum.max, node.max);
  sum.area += node.area;
  sum.known += node.known;
}

/// Returns the node of one sample. Each sample holds until the next; the last has no known duration and adds no area.
Counter::Node Counter::node_of(std::size_t sample) const {
  const float value = values_[sample];
  Node node{value, value, 0, 0};
  if (std::isnan(value) || sample + 1 >= size()) return node;
  node.known = static_cast<double>((*times_)[sample + 1] - (*times_)[sample]);
  node.area = static_cast<double>(value) * node.known;
  return node;
}

Counter::Counter(std::string name, std::string unit, std::vector<Ns> times, std::vector<float> values)
    : Counter(std::move(name), std::move(unit), column_of(std::move(times)), std::move(values)) {}

Counter::Counter(std::string name, std::string unit, Times times, std::vector<float> values)
    : name_(std::move(name)), unit_(std::move(unit)), times_(std::move(times)), values_(std::move(values)) {
  values_.shrink_to_fit();
  const std::size_t count = values_.size();
  if (count == 0) return;
  Node all{kUnknown, kUnknown, 0, 0};
  std::vector<Node> level((count + kFan - 1) / kFan, all);
  for (std::size_t i = 0; i < count; ++i) add(level[i / kFan], node_of(i));
  for (const Node& node : level) add(all, node);
  if (!std::isnan(all.min)) {
    min_ = all.min;
    max_ = all.max;
  }
  levels_.push_back(std::move(level));
  while (levels_.back().size() > kFan) {
    const std::vector<Node>& below = levels_.back();
    std::vector<Node> above((below.size() + kFan - 1) / kFan, Node{kUnknown, kUnknown, 0, 0});
    for (std::size_t i = 0; i < below.size(); ++i) add(above[i / kFan], below[i]);
    levels_.push_back(std::move(above));
  }
}

namespace {

/// Returns the index that `time` would have if the samples were evenly spaced, as most are.
std::size_t guess(const std::vector<Ns>& times, Ns time) {
  const double span = static_cast<double>(times.back()) - static_cast<double>(times.front());
  if (time <= times.front() || span <= 0) return 0;
  if (time >= times.back()) return times.size() - 1;
  const double share = (static_cast<double>(time) - static_cast<double>(times.front())) / span;
  return static_cast<std::size_t>(share * static_cast<double>(times.size() - 1));
}

/// Returns the index of the first sample after `time`. Searches in doubling steps from `near`: O(log distance).
std::size_t first_after(const std::vector<Ns>& times, Ns time, std::size_t near) {
  std::size_t low = std::min(near, times.size());
  std::size_t high = low;
  std::size_t step = 1;
  while (high < times.size() && times[high] <= time) {
    low = high + 1;
    high = std::min(times.size(), high + step);
    step *= 2;
  }
  for (step = 1; low > 0 && low <= high && times[low - 1] > time; step *= 2) {
    high = low - 1;
    low = low > step ? low - step : 0;
  }
  const auto begin = times.begin();
  return static_cast<std::size_t>(
      std::upper_bound(begin + static_cast<std::ptrdiff_t>(low), begin + static_cast<std::ptrdiff_t>(high), time) -
      begin);
}

}  // namespace

Counter::Summary Counter::summary(Ns a, Ns b) const {
  Summary result;
  if (values_.empty() || b <= a) return result;
  a -= shift_;
  b -= shift_;
  const std::vector<Ns>& times = *times_;
  std::size_t first = first_after(times, a, guess(times, a));
  const std::size_t last = first_after(times, b - 1, first);
  if (first > 0) --first;  // the sample in effect at a
  if (first >= last) return result;

  Node sum{kUnknown, kUnknown, 0, 0};
  const auto clipped = [&](std::size_t i) {
    Node node{values_[i], values_[i], 0, 0};
    if (std::isnan(values_[i])) return node;
    const Ns until = i + 1 < times.size() ? std::min(times[i + 1], b) : b;
    node.known = static_cast<double>(until - std::max(times[i], a));
    node.area = static_cast<double>(values_[i]) * node.known;
    return node;
  };
  for (std::size_t i = first, width = 1; i < last; i += width) {
    // The first and last samples may be clipped, so use whole nodes only between them.
    std::size_t level = 0;
    width = 1;
    while (i > first && level < levels_.size() && i % (kFan * width) == 0 && i + kFan * width < last) {
      width *= kFan;
      ++level;
    }
    add(sum, level > 0 ? levels_[level - 1][i / width] : clipped(i));
  }
  if (std::isnan(sum.min)) return result;
  result.any = true;
  result.min = sum.min;
  result.max = sum.max;
  result.known = sum.known;
  result.mean = sum.known > 0 ? sum.area / sum.known : sum.min;
  return result;
}

std::size_t Counter::whole_bytes() const {
  std::size_t bytes = values_.size() * (sizeof(float) + sizeof(Ns));
  for (const auto& level : levels_) bytes += level.size() * sizeof(Node);
  return bytes;
}

std::size_t Counter::resident_bytes() const {
  std::size_t bytes = values_.capacity() * sizeof(float);
  if (times_ != nullptr && times_.use_count() == 1) bytes += times_->capacity() * sizeof(Ns);
  for (const auto& level : levels_) bytes += level.capacity() * sizeof(Node);
  return bytes;
}

}  // namespace warpscope::trace
