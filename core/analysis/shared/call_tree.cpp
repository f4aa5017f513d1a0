#include "core/analysis/shared/call_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/request/runs.hpp"
#include "core/trace/lane_assignment.hpp"

namespace warpscope::analysis {

namespace {

using trace::SliceOrdinal;

/// A lane above the current one, walked from left to right.
struct Above {
  const trace::TimeColumn* time = nullptr;
  SliceOrdinal first = 0;
  std::uint32_t next = 0;  // the first slice that starts after the call

  /// Returns the last slice started before or at the start of `call`, if it encloses `call`.
  [[nodiscard]] std::optional<SliceOrdinal> enclosing(Interval call) {
    while (next < time->size() && time->begin(next) <= call.begin) ++next;
    if (next == 0) return std::nullopt;
    const Ns end = time->end(next - 1);
    if (end <= call.begin || saturating_add(end, trace::kNestTolerance) < call.end) return std::nullopt;
    return first + next - 1;
  }
};

/// Open calls in the folded lane, which also nest. Finds the most recently started call that encloses the next one. A
/// call that ends no later than one started after it can be dropped, since the latter encloses everything it could. The
/// remaining ends are in descending order, and each call is pushed and popped once.
class OpenCalls {
 public:
  /// Adds a call and returns its parent. Calls must be sorted by start; of those with equal starts, the longest first.
  std::optional<SliceOrdinal> put(Interval call, SliceOrdinal slice) {
    while (!open_.empty() && open_.back().end <= call.begin) open_.pop_back();
    std::optional<SliceOrdinal> parent;
    for (; !open_.empty(); open_.pop_back()) {
      if (!parent && saturating_add(open_.back().end, trace::kNestTolerance) >= call.end) parent = open_.back().slice;
      if (open_.back().end > call.end) break;
    }
    if (call.length() > 0) open_.push_back({call.end, slice});
    return parent;
  }

 private:
  struct Open {
    Ns end = 0;
    SliceOrdinal slice = 0;
  };
  std::vector<Open> open_;
};

struct Annotation {
  Interval time;
  SliceOrdinal slice = 0;
};

/// Prefix of the calls in a backward pass, and the annotation on the thread that waits for it.
constexpr std::string_view kBackwardCall = "autograd::";
constexpr std::string_view kBackwardAnnotation = "## backward ##";

/// Roles of slices that can be the parent of a call of length 0 at their end. Runtime calls have no children.
constexpr RoleSet kHolders = role_set(trace::Role::op, trace::Role::annotation, trace::Role::python);

/// Facts about the backward pass, found in a thread's slices.
struct ThreadFacts {
  bool steps = false;
  bool backward = false;
};

}  // namespace

CallTree::CallTree(const trace::Profile& profile, std::uint32_t rank_index, const Choice& choice,
                   const CancelToken* cancel) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  parents_.assign(rank.lane_start.empty() ? 0 : rank.lane_start.back(), kNoCall);
  moved_.assign(parents_.size(), false);
  for (const trace::Track& track : rank.tracks) {
    if (cancelled(cancel)) return;
    if (track.kind == trace::TrackKind::thread) add_thread(profile, rank, track, choice);
  }
  link_backward(profile, rank, choice.hta);
}

void CallTree::add_thread(const trace::Profile& profile, const trace::Rank& rank, const trace::Track& track,
                          const Choice& choice) {
  const RoleOfCategory roles = roles_of_categories(profile);
  std::vector<Above> above;
  std::vector<std::uint32_t> lanes;
  const std::uint32_t last = track.first_lane + track.lane_count;
  const SliceOrdinal start = rank.lane_start[track.first_lane];
  std::vector<bool> displaced(rank.lane_start[last] - start);  // its or an ancestor's lane is below its depth
  for (std::uint32_t l = track.first_lane; l < last; ++l) {
    if (!holds_recorded(rank, l)) continue;
    for (Above& lane : above) lane.next = 0;
    const trace::Lane& lane = rank.lanes[l];
    const SliceOrdinal first = rank.lane_start[l];
    OpenCalls folded;
    for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval call) {
      if ((choice.before && call.begin >= *choice.before) || roles[lane.category(i)] == trace::Role::span) return;
      SliceOrdinal& parent = parents_[first + i] = kNone;
      if (lane.folded())
        if (const auto found = folded.put(call, first + i)) {
          parent = *found;
          return;
        }
      // A call is in the lane below its parent's, unless calls overlap without nesting. A call inside one of those may
      // also be inside one that started later, in a higher lane.
      bool apart = !above.empty();
      Ns begin = 0;  // of the parent
      for (auto upper = above.rbegin(); upper != above.rend() && (apart || parent == kNone); ++upper) {
        const auto found = upper->enclosing(call);
        if (!found || !is_call(*found)) continue;
        const Ns its = upper->time->begin(upper->next - 1);
        if (parent == kNone) apart = upper != above.rbegin() || displaced[*found - start];
        if (parent != kNone && its <= begin) continue;
        parent = *found;
        begin = its;
      }
      displaced[first + i - start] = apart;
    });
    above.push_back({&lane.time(), first});
    lanes.push_back(l);
  }
  place_empty(rank, lanes,
              [&](SliceOrdinal call) { return choice.hta || (role_set(roles[rank.category(call)]) & kHolders) != 0; });
  stretches_.push_back({rank.lane_start[track.first_lane], rank.lane_start[last]});
}

template <class MayHold>
void CallTree::place_empty(const trace::Rank& rank, const std::vector<std::uint32_t>& lanes, MayHold may_hold) {
  struct Empty {
    Ns begin;
    SliceOrdinal call;
    std::uint32_t lane;  // index in lanes
  };
  std::vector<Empty> empty;
  for (std::uint32_t k = 0; k < lanes.size(); ++k) {
    const trace::TimeColumn& time = rank.lanes[lanes[k]].time();
    const SliceOrdinal first = rank.lane_start[lanes[k]];
    for (std::uint32_t i = 0; i < time.size(); ++i)
      if (time.duration(i) <= 0 && is_call(first + i)) empty.push_back({time.begin(i), first + i, k});
  }
  std::ranges::sort(empty, {}, [](const Empty& each) { return std::pair(each.begin, each.call); });
  std::vector<std::uint32_t> next(lanes.size());  // by lane: the first slice that does not start earlier
  for (std::size_t e = 0; e < empty.size(); ++e) {
    const auto [begin, call, lane] = empty[e];
    SliceOrdinal holder = kNone;
    if (e > 0 && empty[e - 1].begin == begin && may_hold(empty[e - 1].call)) holder = empty[e - 1].call;
    const SliceOrdinal around = parents_[call];
    const bool at_begin = around != kNone && rank.begin(around) == begin;
    // A slice that ends here precedes the call in its own lane; slices that end with it are in the lanes below.
    const bool seek = holder == kNone && !at_begin;
    for (std::size_t k = lane; seek && k < lanes.size(); ++k) {
      const trace::TimeColumn& time = rank.lanes[lanes[k]].time();
      next[k] = time.lower_bound_from(next[k], begin);
      if (next[k] == 0 || time.end(next[k] - 1) != begin) break;
      const SliceOrdinal before = rank.lane_start[lanes[k]] + next[k] - 1;
      if (is_call(before) && may_hold(before)) holder = before;
    }
    if (holder == kNone) continue;
    parents_[call] = holder;
    moved_[call] = true;
    moves_.push_back(call);
  }
}

void CallTree::link_backward(const trace::Profile& profile, const trace::Rank& rank, bool hta) {
  enum Word : std::uint8_t { kPlain = 0, kStep = 1, kBackward = 2, kMark = 4 };
  std::vector<std::uint8_t> words(profile.names().size());
  for (NameId id = 0; id < words.size(); ++id) {
    const std::string_view name = profile.names().view(id);
    words[id] = static_cast<std::uint8_t>((name.starts_with("ProfilerStep#") ? kStep : kPlain) |
                                          (name.find(kBackwardCall) != name.npos ? kBackward : kPlain) |
                                          (name.starts_with(kBackwardAnnotation) ? kMark : kPlain));
  }
  const RoleOfCategory roles = roles_of_categories(profile);
  const auto for_each_call = [&](const Stretch& stretch, auto visit) {
    if (stretch.first == stretch.last) return;
    for (std::uint32_t l = rank.locate(stretch.first).lane; rank.lane_start[l] < stretch.last; ++l)
      for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i)
        if (is_call(rank.lane_start[l] + i)) visit(rank.lane_start[l] + i, rank.lanes[l], i);
  };
  std::vector<ThreadFacts> facts;
  for (const Stretch& stretch : stretches_) {
    ThreadFacts& thread = facts.emplace_back();
    for_each_call(stretch, [&](SliceOrdinal, const trace::Lane& lane, std::uint32_t i) {
      thread.steps |= (words[lane.name(i)] & kStep) != 0;
      thread.backward |= (words[lane.name(i)] & kBackward) != 0;
    });
    thread.backward &= !thread.steps;
  }
  if (hta && (std::ranges::count(facts, true, &ThreadFacts::steps) != 1 ||
              std::ranges::count(facts, true, &ThreadFacts::backward) != 1))
    return;

  std::vector<Annotation> annotations;
  std::vector<Stretch> order;
  bool marked = false;
  for (std::size_t t = 0; t < stretches_.size(); ++t) {
    if (facts[t].backward) continue;
    order.push_back(stretches_[t]);
    if (!facts[t].steps) continue;
    for_each_call(stretches_[t], [&](SliceOrdinal call, const trace::Lane& lane, std::uint32_t i) {
      const std::uint8_t word = words[lane.name(i)];
      if (hta ? (word & (kStep | kMark)) == 0
              : (word & kStep) == 0 && roles[lane.category(i)] != trace::Role::annotation)
        return;
      if (hta && (word & kMark) != 0 && !std::exchange(marked, true)) annotations.clear();
      if (!marked || (word & kMark) != 0) annotations.push_back({{lane.time().begin(i), lane.time().end(i)}, call});
    });
  }
  std::ranges::sort(annotations, {}, [](const Annotation& each) { return std::pair(each.time.begin, -each.time.end); });
  for (std::size_t t = 0; t < stretches_.size(); ++t) {
    if (!facts[t].backward) continue;
    order.push_back(stretches_[t]);
    std::vector<Annotation> open;
    auto next = annotations.begin();
    // Calls at the top of a thread are all in its first lane, ordered by time, except overlapping ones.
    for_each_call(stretches_[t], [&](SliceOrdinal call, const trace::Lane& lane, std::uint32_t i) {
      if (parents_[call] != kNone) return;
      const Interval time{lane.time().begin(i), lane.time().end(i)};
      if (lane.depth() == 0) {
        while (next != annotations.end() && next->time.begin <= time.begin) open.push_back(*next++);
        while (!open.empty() && open.back().time.end < time.begin) open.pop_back();
      }
      const auto found =
          std::find_if(open.rbegin(), open.rend(), [&](const Annotation& each) { return time.end <= each.time.end; });
      if (found != open.rend() && found->time.begin <= time.begin) parents_[call] = found->slice;
    });
  }
  stretches_ = std::move(order);
}

std::vector<std::uint32_t> CallTree::depths() const {
  std::vector<std::uint32_t> depths(slices());
  for_each_downward([&](SliceOrdinal call, SliceOrdinal parent) {
    if (parent != kNone) depths[call] = depths[parent] + 1;
  });
  return depths;
}

std::vector<std::uint32_t> CallTree::heights() const {
  std::vector<std::uint32_t> heights(slices());
  for_each_upward([&](SliceOrdinal call, SliceOrdinal parent) {
    heights[call] = std::max<std::uint32_t>(heights[call], 1);
    if (parent != kNone) heights[parent] = std::max(heights[parent], heights[call] + 1);
  });
  return heights;
}

std::size_t CallTree::bytes() const {
  return (parents_.capacity() + moves_.capacity()) * sizeof(trace::SliceOrdinal) + moved_.capacity() / 8;
}

std::shared_ptr<const CallTree> shared_call_tree(const trace::Profile& profile, std::uint32_t rank,
                                                 const CallTree::Choice& choice, const CancelToken* cancel,
                                                 SharedResults* shared) {
  const std::string before = choice.before ? std::to_string(*choice.before) : "all";
  const std::string key = fmt::format("{} {} {}", rank, before, choice.hta);
  return get_shared(
      shared, key, cancel, [&] { return CallTree(profile, rank, choice, cancel); },
      [](const CallTree& tree) { return tree.bytes(); });
}

void KernelsBelow::add(const KernelsBelow& other) {
  count += other.count;
  time = saturating_add(time, other.time);
  extent = cover(extent, other.extent);
}

std::vector<KernelsBelow> kernels_below(const CallTree& tree, const std::vector<GpuRow>& rows) {
  std::vector<KernelsBelow> below(tree.slices());
  for (const GpuRow& row : rows)
    if (row.launch && tree.is_call(*row.launch)) below[*row.launch].add({1, row.time.length(), row.time});
  tree.for_each_upward([&](SliceOrdinal call, SliceOrdinal parent) {
    if (parent != CallTree::kNone) below[parent].add(below[call]);
  });
  return below;
}

}  // namespace warpscope::analysis
