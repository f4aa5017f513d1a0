#include "core/analysis/critical_path/run_forest.hpp"

#include <algorithm>
#include <utility>

#include "core/analysis/request/runs.hpp"

namespace warpscope::analysis {

RunForest::RunForest(JobRuns runs) : runs_(std::move(runs)) {
  std::uint32_t total = 0;
  for (std::uint32_t r = 0; r < runs_.ranks(); ++r) {
    first_.push_back(total);
    total += static_cast<std::uint32_t>(runs_.of(r).runs().size());
  }
  first_.push_back(total);
  const JobCollectives& matches = runs_.comparison().matches();
  for (const JobCollective& collective : matches.collectives) {
    const CollectiveTiming timing = runs_.comparison().timing(collective, runs_.choice());
    last_arrival_.push_back(node_of(matches.members_of(collective)[timing.last()]));
  }
}

std::uint32_t RunForest::node_of(std::uint32_t event) const {
  const CommunicationEvent& of = runs_.comparison().matches().event(event);
  return first_[of.rank] + runs_.of(of.rank).run_of(of.run);
}

std::uint32_t RunForest::rank_of(std::uint32_t node) const {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(first_, node) - first_.begin()) - 1;
}

Ns RunForest::time_of(std::uint32_t node) const {
  const std::uint32_t r = rank_of(node);
  return runs_.common(r, runs_.of(r).runs()[node - first_[r]].time.begin);
}

template <class Visit>
std::uint32_t RunForest::through(std::uint32_t r, std::uint32_t i, Ns before, Ns at, Visit visit) const {
  const RankRun& run = runs_.of(r).runs()[i];
  const std::uint32_t own = first_[r] + i;
  PathPart part{.rank = r, .from = std::min(at, time_of(own)), .to = at, .run = i};
  std::uint32_t node = own;
  if (run.collective != kNone) {
    part.what = TimeLabel::transfer;
    part.collective = run.collective;
    const std::uint32_t last = last_arrival_[run.collective];
    if (last == own || time_of(last) < before) {
      node = last;
      part.rank = rank_of(last);
      part.from = time_of(last);
      part.run = last - first_[part.rank];
      part.other = i;
      part.left = r;
    }
  } else {
    static constexpr std::array kWhat{TimeLabel::computation, TimeLabel::memory, TimeLabel::transfer,
                                      TimeLabel::host_callback};
    part.what = kWhat[static_cast<std::size_t>(run.kind)];
    part.name = run.name;
  }
  if (part.from != part.to) visit(part);
  return node;
}

template <class Visit>
std::uint32_t RunForest::edge(std::uint32_t node, Visit visit) const {
  const std::uint32_t r = rank_of(node);
  const RankRuns& rank = runs_.of(r);
  const std::uint32_t started = node - first_[r];
  const RankRun& run = rank.runs()[started];
  Ns at = time_of(node);
  // Parts go back in time, so this visits the part from `recorded` to the start of the previous part.
  const auto part = [&](TimeLabel what, Ns recorded, PathPart more) {
    more.what = what;
    more.rank = r;
    more.from = std::min(at, runs_.common(r, recorded));
    more.to = at;
    at = more.from;
    if (more.from != more.to) visit(more);
  };
  const PathPart host{.thread = run.thread};
  std::uint32_t before = run.before;
  switch (run.waited_for) {
    case WaitedFor::nothing:
      return node;
    case WaitedFor::run:
      part(run.time.begin - rank.runs()[before].time.end < kOwnDelay ? TimeLabel::latency : TimeLabel::unknown,
           rank.runs()[before].time.end, {.run = started, .other = before});
      break;
    case WaitedFor::launch: {
      part(TimeLabel::latency, run.launch, {.run = started});
      Ns until = run.launch;
      for (before = kNone; before == kNone;) {
        const BlockingCall* const call = rank.blocked_before(run.thread, until);
        if (call == nullptr) {
          part(TimeLabel::host, std::min(rank.first(), until), host);
          return node;
        }
        part(TimeLabel::host, call->time.end, host);
        before = rank.waited_for(*call);
        until = call->time.begin;
        part(TimeLabel::host, before == kNone ? until : rank.runs()[before].time.end, host);
      }
      break;
    }
  }
  return through(r, before, time_of(node), at, visit);
}

void RunForest::walk_back(std::uint32_t rank, std::uint32_t run,
                          const std::function<void(const PathPart&)>& visit) const {
  const Ns end = runs_.common(rank, runs_.of(rank).runs()[run].time.end);
  std::uint32_t node = through(rank, run, end, end, visit);
  while (true) {
    const std::uint32_t parent = edge(node, visit);
    // Along a path, time never increases; at equal times the path stays on a rank and goes back in order.
    const bool back = time_of(parent) < time_of(node) || parent < node;
    if (parent == node || !back) break;
    node = parent;
  }
}

}  // namespace warpscope::analysis
