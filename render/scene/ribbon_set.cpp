#include "render/scene/ribbon_set.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>
#include <utility>

namespace warpscope::scene {

void RibbonSet::add(std::uint32_t id, std::span<const RibbonRun> runs, Waits waits) {
  if (runs.size() < 2) return;
  Ribbon ribbon;
  ribbon.time = runs.front().time;
  ribbon.first = static_cast<std::uint32_t>(runs_.size());
  ribbon.count = static_cast<std::uint32_t>(runs.size());
  ribbon.id = id;
  for (const RibbonRun& run : runs) {
    ribbon.time = cover(ribbon.time, run.time);
    ribbon.skew = std::max(ribbon.skew, run.wait);
    runs_.push_back(run);
    const trace::SlicePlace place = profile_->ranks[run.slice.rank]->locate(run.slice.slice);
    places_.push_back({run.slice.rank, place.lane});
  }
  const bool known = waits != Waits::unknown;
  if (known) {
    std::vector<std::uint32_t> order(runs.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t r) { return runs[r].wait; });
    ribbon.early = order.front();
    ribbon.median = order[(order.size() - 1) / 2];
    ribbon.last = order.back();
  }
  const auto full = static_cast<double>(std::max(ribbon.skew, kEvenArrival));
  for (std::uint32_t r = 0; r < ribbon.count; ++r) {
    RibbonRun& run = runs_[ribbon.first + r];
    if (!known) run.wait = 0;
    run.lateness = waits == Waits::late ? static_cast<float>(static_cast<double>(ribbon.skew - run.wait) / full) : 0.5f;
  }
  if (!known) ribbon.skew = 0;
  ribbon.late = waits == Waits::late;
  ribbons_.push_back(ribbon);
}

void RibbonSet::finish() {
  // At this point, places_ has one entry per run.
  std::vector<RibbonPlace> of_run = std::move(places_);
  places_ = of_run;
  std::ranges::sort(places_);
  places_.erase(std::ranges::unique(places_).begin(), places_.end());
  for (std::size_t r = 0; r < runs_.size(); ++r)
    runs_[r].place = static_cast<std::uint32_t>(std::ranges::lower_bound(places_, of_run[r]) - places_.begin());

  std::ranges::stable_sort(ribbons_, {}, [](const Ribbon& ribbon) { return ribbon.time.begin; });
  for (std::uint32_t i = 0; i < ribbons_.size(); ++i) {
    const std::uint32_t id = ribbons_[i].id;
    if (id >= by_id_.size()) by_id_.resize(id + std::size_t{1}, Ribbon::kNone);
    by_id_[id] = i;
  }
  leaves_ = ribbons_.empty() ? 0 : std::bit_ceil(static_cast<std::uint32_t>(ribbons_.size()));
  tree_.assign(2 * std::size_t{leaves_}, {});
  for (std::uint32_t i = 0; i < ribbons_.size(); ++i)
    tree_[leaves_ + i] = {saturating_difference(ribbons_[i].time.end, ribbons_[i].time.begin), ribbons_[i].time.end};
  for (std::uint32_t k = leaves_; k-- > 1;) {
    const Node& left = tree_[2 * k];
    const Node& right = tree_[2 * k + 1];
    if (right.longest < 0)
      tree_[k] = left;
    else
      tree_[k] = {std::max(left.longest, right.longest), std::max(left.latest, right.latest)};
  }
  if (profile_) profile_.reset();
}

std::uint32_t RibbonSet::find(std::uint32_t id) const { return id < by_id_.size() ? by_id_[id] : Ribbon::kNone; }

std::vector<std::uint32_t> RibbonSet::largest_in(Interval range, std::size_t most) const {
  std::vector<std::uint32_t> found;
  if (ribbons_.empty()) return found;
  const auto end =
      std::ranges::lower_bound(ribbons_, range.end, {}, [](const Ribbon& each) { return each.time.begin; });
  const auto last = static_cast<std::uint32_t>(end - ribbons_.begin());
  struct Open {
    Ns longest;
    std::uint32_t node;
    std::uint32_t first;  // of its leaves
    std::uint32_t count;
    bool operator<(const Open& other) const { return std::pair(longest, other.node) < std::pair(other.longest, node); }
  };
  std::priority_queue<Open> open;
  const auto push = [&](std::uint32_t node, std::uint32_t first, std::uint32_t count) {
    if (first < last && tree_[node].longest >= 0 && tree_[node].latest > range.begin)
      open.push({tree_[node].longest, node, first, count});
  };
  push(1, 0, leaves_);
  while (!open.empty() && found.size() < most) {
    const Open at = open.top();
    open.pop();
    if (at.count == 1) {
      found.push_back(at.first);
      continue;
    }
    const std::uint32_t half = at.count / 2;
    push(2 * at.node, at.first, half);
    push(2 * at.node + 1, at.first + half, half);
  }
  return found;
}

}  // namespace warpscope::scene
