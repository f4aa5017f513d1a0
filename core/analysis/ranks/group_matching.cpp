#include "core/analysis/ranks/group_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "core/analysis/ranks/end_offsets.hpp"
#include "core/analysis/ranks/medians.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kMostMismatched = 0.1;
constexpr std::size_t kLeastAnchors = 3;
constexpr double kAgreeing = 0.8;
constexpr double kCrossNodeShare = 0.02;  // of the duration: ends of ranks on different nodes scatter more
constexpr Ns kSameClock = 1'000'000;      // clocks of one node are never further apart

/// Events of a group by rank, each rank's by end.
class GroupMatcher {
 public:
  GroupMatcher(const trace::Profile& profile, const JobEvents& job, std::uint32_t group,
               std::vector<std::uint32_t> events)
      : profile_(profile), job_(job), group_(job.groups[group]), events_(std::move(events)) {
    for (const std::uint32_t e : events_) {
      if (lists_.empty() || lists_.back().rank != at(e).rank) lists_.push_back({at(e).rank, {}, 0});
      lists_.back().events.push_back(e);
    }
  }

  GroupMatches match() {
    if (match_by_sequence()) return std::move(matches_);
    if (match_by_order()) return std::move(matches_);
    for (List& list : lists_)
      std::ranges::stable_sort(list.events, {}, [&](std::uint32_t e) { return at(e).time.end; });
    if (group_.recorded) {
      matches_.by = MatchedBy::ends;
      find_offsets();
      merge(tolerance_of_spacing());
    } else {
      matches_.by = MatchedBy::streams;
      merge(find_stream_offsets());
    }
    return std::move(matches_);
  }

 private:
  struct List {
    std::uint32_t rank = 0;
    std::vector<std::uint32_t> events;
    Ns offset = 0;  // of its ends, relative to the reference
  };

  [[nodiscard]] const CommunicationEvent& at(std::uint32_t event) const { return job_.events[event]; }
  [[nodiscard]] CollectiveKind kind(std::uint32_t event) const { return job_.signatures[at(event).signature].kind; }

  /// Returns true if all events have sequence numbers and equal numbers belong to equal operations.
  bool match_by_sequence() {
    if (std::ranges::any_of(events_, [&](std::uint32_t e) { return at(e).sequence < 0; })) return false;
    // Several kernels of a rank may have the same number if operations are coalesced.
    std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>> numbered;  // number, which of them, event
    numbered.reserve(events_.size());
    for (const List& list : lists_) {
      std::map<std::int64_t, std::uint32_t> seen;
      std::int64_t previous = -1;
      for (const std::uint32_t e : list.events) {
        const std::int64_t number = at(e).sequence;
        const bool increasing = number > previous && seen.empty();
        if (!increasing && seen.empty())
          for (const std::uint32_t before : list.events) {
            if (before == e) break;
            ++seen[at(before).sequence];
          }
        numbered.emplace_back(number, increasing ? 0 : seen[number]++, e);
        previous = number;
      }
    }
    std::ranges::sort(numbered);
    std::size_t shared = 0;
    std::size_t mismatched = 0;
    std::vector<std::vector<std::uint32_t>> clusters;
    for (std::size_t i = 0; i < numbered.size();) {
      const auto [number, which, first] = numbered[i];
      std::vector<std::uint32_t>& cluster = clusters.emplace_back();
      bool equal = true;
      for (; i < numbered.size() && std::get<0>(numbered[i]) == number && std::get<1>(numbered[i]) == which; ++i) {
        cluster.push_back(std::get<2>(numbered[i]));
        equal = equal && kind(cluster.back()) == kind(first);
      }
      shared += cluster.size() > 1;
      mismatched += !equal;
      if (!equal) cluster.clear();
    }
    // The two sides of a pair may count their sends and receives separately.
    if (group_.point_to_point && 2 * shared < numbered.size() / 2) return false;
    if (static_cast<double>(mismatched) > kMostMismatched * static_cast<double>(shared)) return false;
    matches_.by = MatchedBy::sequence;
    matches_.clusters = std::move(clusters);
    return true;
  }

  /// Returns the name of an event's step and its index among the steps of the rank with that name; nullopt outside
  /// steps.
  [[nodiscard]] std::optional<std::pair<NameId, std::uint32_t>> step_of(std::uint32_t event) {
    const CommunicationEvent& own = at(event);
    if (own.step == kNoIndex) return std::nullopt;
    auto [keys, fresh] = steps_.try_emplace(own.rank);
    if (fresh) {
      std::map<NameId, std::uint32_t> seen;
      for (const trace::Step& step : profile_.ranks[own.rank]->steps)
        keys->second.emplace_back(step.name, seen[step.name]++);
    }
    return keys->second[own.step];
  }

  /// Returns true if all ranks ran the same operations in all steps. Requires steps if recordings may start at
  /// different times.
  bool match_by_order() {
    if (!group_.recorded) return false;
    const List& first = lists_.front();
    const bool few = first.events.size() < kLeastAnchors;
    for (const List& list : lists_) {
      if (list.events.size() != first.events.size()) return false;
      for (std::size_t k = 0; k < list.events.size(); ++k) {
        if (at(list.events[k]).signature != at(first.events[k]).signature) return false;
        const auto step = step_of(list.events[k]);
        if (step != step_of(first.events[k]) || (!step && !few)) return false;
      }
    }
    matches_.by = MatchedBy::order;
    for (std::size_t k = 0; k < first.events.size(); ++k) {
      std::vector<std::uint32_t>& cluster = matches_.clusters.emplace_back();
      for (const List& list : lists_) cluster.push_back(list.events[k]);
    }
    return true;
  }

  /// Returns the rank with the most events.
  [[nodiscard]] const List& reference() const {
    return *std::ranges::max_element(lists_, {}, [](const List& list) { return list.events.size(); });
  }

  [[nodiscard]] std::vector<EndMark> marks_of(const List& list) const {
    std::vector<EndMark> marks;
    marks.reserve(list.events.size());
    for (const std::uint32_t e : list.events) marks.push_back({at(e).time.end, at(e).signature});
    return marks;
  }

  [[nodiscard]] bool on_one_host(std::uint32_t a, std::uint32_t b) const {
    const std::string& host = profile_.ranks[a]->host;
    return !host.empty() && host == profile_.ranks[b]->host;
  }

  void find_offsets() {
    const List& base = reference();
    const auto by_step = [&](const List& list) {
      std::map<std::pair<NameId, std::uint32_t>, std::vector<std::uint32_t>> steps;
      for (const std::uint32_t e : list.events)
        if (const auto step = step_of(e)) steps[*step].push_back(e);
      return steps;
    };
    const auto steps = by_step(base);
    const std::vector<EndMark> marks = marks_of(base);
    for (List& list : lists_) {
      if (&list == &base) continue;
      std::vector<Ns> differences;
      for (const auto& [step, own] : by_step(list)) {
        const auto theirs = steps.find(step);
        if (theirs == steps.end() || theirs->second.size() != own.size()) continue;
        for (std::size_t k = 0; k < own.size(); ++k)
          if (at(own[k]).signature == at(theirs->second[k]).signature)
            differences.push_back(saturating_difference(at(own[k]).time.end, at(theirs->second[k]).time.end));
      }
      if (differences.size() >= kLeastAnchors) {
        list.offset = median_of(differences);
        continue;
      }
      const auto found = find_end_offset(marks_of(list), marks);
      if (found) accept(list, base, *found);
    }
  }

  void accept(List& list, const List& base, const EndOffset& found) {
    list.offset = found.best.offset;
    if (!found.ambiguous()) return;
    if (on_one_host(list.rank, base.rank) && std::abs(list.offset) < kSameClock) return;
    matches_.ambiguous.emplace_back(
        list.rank, fmt::format("its collectives match those of rank {} equally well with a clock difference of {} or "
                               "{}, and the traces have no sequence numbers or steps to tell which one is right",
                               profile_.ranks[base.rank]->number, format_duration(std::abs(found.best.offset)),
                               format_duration(std::abs(found.runner_up->offset))));
  }

  /// Finds the offset of each rank from the signatures that agree best. Returns the resulting tolerance for end times.
  Ns find_stream_offsets() {
    const List& base = reference();
    const auto by_signature = [&](const List& list) {
      std::map<std::uint32_t, std::vector<EndMark>> marks;
      for (const EndMark& mark : marks_of(list)) marks[mark.signature].push_back(mark);
      return marks;
    };
    const auto theirs = by_signature(base);
    std::vector<Ns> spreads;
    for (List& list : lists_) {
      if (&list == &base) continue;
      struct Found {
        std::size_t votes = 0;
        Ns spread = 0;
        Ns offset = 0;
        std::optional<EndOffset> whole{};
      };
      std::optional<Found> best;
      for (const auto& [signature, own] : by_signature(list)) {
        const auto others = theirs.find(signature);
        if (others == theirs.end()) continue;
        const auto offset = find_end_offset(own, others->second);
        if (!offset || offset->agreement < kAgreeing) continue;
        Found found{own.size(), 0, offset->best.offset, offset};
        refine(own, others->second, found.offset, found.spread);
        if (!best || found.votes > best->votes || (found.votes == best->votes && found.spread < best->spread))
          best = found;
      }
      if (!best) continue;  // as recorded
      list.offset = best->offset;
      spreads.push_back(best->spread);
      accept_stream(list, base, *best->whole);
    }
    return spreads.empty() ? Ns{50'000} : std::clamp<Ns>(8 * median_of(spreads), 20'000, 500'000);
  }

  void accept_stream(List& list, const List& base, const EndOffset& found) {
    const Ns offset = list.offset;
    accept(list, base, found);
    list.offset = offset;
  }

  /// Moves the offset to the median difference of the nearest ends, and returns their spread (1.48 MAD).
  static void refine(const std::vector<EndMark>& own, const std::vector<EndMark>& theirs, Ns& offset, Ns& spread) {
    constexpr Ns kNear = 60'000;
    std::vector<Ns> apart;
    for (const EndMark& mark : own) {
      const Ns end = saturating_difference(mark.end, offset);
      const auto after = std::ranges::lower_bound(theirs, end, {}, &EndMark::end);
      Ns nearest = std::numeric_limits<Ns>::max();
      for (const auto near : {after, after == theirs.begin() ? after : after - 1})
        if (near != theirs.end())
          if (const Ns difference = saturating_difference(end, near->end); std::abs(difference) < std::abs(nearest))
            nearest = difference;
      if (std::abs(nearest) < kNear) apart.push_back(nearest);
    }
    if (apart.empty()) return;
    const Ns middle = median_of(apart);
    offset = saturating_add(offset, middle);
    for (Ns& each : apart) each = std::abs(each - middle);
    spread = static_cast<Ns>(1.4826 * static_cast<double>(median_of(apart)));
  }

  /// Returns half of the shortest time between two ends on one rank.
  [[nodiscard]] Ns tolerance_of_spacing() const {
    Ns shortest = 4'000'000;
    for (const List& list : lists_)
      for (std::size_t k = 1; k < list.events.size(); ++k)
        shortest =
            std::min(shortest, saturating_difference(at(list.events[k]).time.end, at(list.events[k - 1]).time.end));
    return std::clamp<Ns>(shortest / 2, 50'000, 2'000'000);
  }

  /// Merges ends into clusters, in time order.
  void merge(Ns tolerance) {
    struct Aligned {
      Ns end = 0;
      std::uint32_t list = 0;
      std::uint32_t event = 0;
    };
    std::vector<Aligned> order;
    order.reserve(events_.size());
    for (std::uint32_t l = 0; l < lists_.size(); ++l)
      for (const std::uint32_t e : lists_[l].events)
        order.push_back({saturating_difference(at(e).time.end, lists_[l].offset), l, e});
    std::ranges::sort(order, {}, [](const Aligned& each) { return std::tuple(each.end, each.list, each.event); });
    struct Open {
      Ns first = 0;
      Ns most = 0;  // ends up to here join
      std::size_t cluster = 0;
    };
    std::vector<Open> open;
    std::vector<std::vector<std::size_t>> joined(lists_.size());  // open clusters by list
    for (const Aligned& each : order) {
      std::erase_if(open, [&](const Open& cluster) { return each.end > cluster.most; });
      std::erase_if(joined[each.list], [&](std::size_t cluster) {
        return std::ranges::none_of(open, [&](const Open& still) { return still.cluster == cluster; });
      });
      const auto own = static_cast<double>(at(each.event).time.length());
      const auto fits = [&](const Open& candidate) {
        const std::vector<std::uint32_t>& cluster = matches_.clusters[candidate.cluster];
        if (at(cluster.front()).signature != at(each.event).signature) return false;
        const auto shortest = std::min(own, static_cast<double>(at(cluster.front()).time.length()));
        const bool near = on_one_host(at(cluster.front()).rank, at(each.event).rank);
        const Ns apart = tolerance + (near ? 0 : static_cast<Ns>(kCrossNodeShare * shortest));
        if (saturating_difference(each.end, candidate.first) > apart) return false;
        return std::ranges::find(joined[each.list], candidate.cluster) == joined[each.list].end();
      };
      const auto found = std::ranges::find_if(open, fits);
      if (found != open.end()) {
        matches_.clusters[found->cluster].push_back(each.event);
        joined[each.list].push_back(found->cluster);
        continue;
      }
      const Ns most = saturating_add(each.end, saturating_add(tolerance, static_cast<Ns>(kCrossNodeShare * own)));
      open.push_back({each.end, most, matches_.clusters.size()});
      joined[each.list].push_back(matches_.clusters.size());
      matches_.clusters.push_back({each.event});
    }
  }

  const trace::Profile& profile_;
  const JobEvents& job_;
  const CollectiveGroup& group_;
  std::vector<std::uint32_t> events_;
  std::vector<List> lists_;
  std::map<std::uint32_t, std::vector<std::pair<NameId, std::uint32_t>>> steps_;  // by rank
  GroupMatches matches_;
};

}  // namespace

GroupMatches match_group_events(const trace::Profile& profile, const JobEvents& job, std::uint32_t group,
                                std::vector<std::uint32_t> events) {
  return GroupMatcher(profile, job, group, std::move(events)).match();
}

}  // namespace warpscope::analysis
