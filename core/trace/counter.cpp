#include "core/trace/counter.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::trace {

namespace {
constexpr std::size_t kFan = 16;
}

Counter::Counter(std::string name, std::string unit, std::vector<Ns> times, std::vector<float> values)
    : name_(std::move(name)), unit_(std::move(unit)), times_(std::move(times)), values_(std::move(values)) {
  times_.shrink_to_fit();
  values_.shrink_to_fit();
  const std::size_t count = times_.size();
  if (count == 0) return;
  const auto [least, greatest] = std::minmax_element(values_.begin(), values_.end());
  min_ = *least;
  max_ = *greatest;

  // A sample holds until the next; the last one holds for no known time and adds no area.
  std::vector<Node> level((count + kFan - 1) / kFan, Node{});
  for (std::size_t i = 0; i < count; ++i) {
    Node& node = level[i / kFan];
    const bool first = i % kFan == 0;
    node.min = first ? values_[i] : std::min(node.min, values_[i]);
    node.max = first ? values_[i] : std::max(node.max, values_[i]);
    if (i + 1 < count) node.area += static_cast<double>(values_[i]) * static_cast<double>(times_[i + 1] - times_[i]);
  }
  levels_.push_back(std::move(level));
  while (levels_.back().size() > kFan) {
    const std::vector<Node>& below = levels_.back();
    std::vector<Node> above((below.size() + kFan - 1) / kFan, Node{});
    for (std::size_t i = 0; i < below.size(); ++i) {
      Node& node = above[i / kFan];
      const bool first = i % kFan == 0;
      node.min = first ? below[i].min : std::min(node.min, below[i].min);
      node.max = first ? below[i].max : std::max(node.max, below[i].max);
      node.area += below[i].area;
    }
    levels_.push_back(std::move(above));
  }
}

Counter::Summary Counter::summary(Ns a, Ns b) const {
  Summary result;
  if (times_.empty() || b <= a) return result;
  a -= shift_;
  b -= shift_;
  auto first = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), a) - times_.begin());
  const auto last = static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), b) - times_.begin());
  double area = 0;
  const auto take = [&](double low, double high) {
    result.min = result.any ? std::min(result.min, low) : low;
    result.max = result.any ? std::max(result.max, high) : high;
    result.any = true;
  };
  const auto take_sample = [&](std::size_t i) {
    take(values_[i], values_[i]);
    const Ns from = std::max(times_[i], a);
    const Ns until = i + 1 < times_.size() ? std::min(times_[i + 1], b) : b;
    area += static_cast<double>(values_[i]) * static_cast<double>(until - from);
  };
  if (first > 0) --first;  // the sample that holds at a
  if (first >= last) return result;

  const Ns covered_from = std::max(times_[first], a);
  std::size_t i = first;
  while (i < last) {
    // The first and the last sample may be clipped; whole nodes only between them.
    std::size_t level = levels_.size();
    std::size_t width = 0;
    if (i > first) {
      for (level = levels_.size(); level-- > 0;) {
        width = kFan;
        for (std::size_t k = 0; k < level; ++k) width *= kFan;
        if (i % width == 0 && i + width < last) break;
        if (level == 0) {
          level = levels_.size();
          break;
        }
      }
    }
    if (level < levels_.size()) {
      const Node& node = levels_[level][i / width];
      take(node.min, node.max);
      area += node.area;
      i += width;
    } else {
      take_sample(i++);
    }
  }
  const auto covered = static_cast<double>(b - covered_from);
  result.mean = covered > 0 ? area / covered : values_[first];
  return result;
}

std::size_t Counter::resident_bytes() const {
  std::size_t bytes = times_.capacity() * sizeof(Ns) + values_.capacity() * sizeof(float);
  for (const auto& level : levels_) bytes += level.capacity() * sizeof(Node);
  return bytes;
}

}  // namespace warpscope::trace
