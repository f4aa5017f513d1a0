#include "core/analysis/ranks/run_forest.hpp"

#include <algorithm>
#include <utility>

#include "core/analysis/request/runs.hpp"

namespace warpscope::analysis {

RunForest::RunForest(JobRuns runs, const CancelToken* cancel) : runs_(std::move(runs)) {
  std::uint32_t total = 0;
  for (std::uint32_t r = 0; r < runs_.ranks(); ++r) {
    first_.push_back(total);
    total += static_cast<std::uint32_t>(runs_.of(r).runs().size());
  }
  first_.push_back(total);
  nodes_.resize(total);
  for (std::uint32_t r = 0; r < runs_.ranks(); ++r)
    for (std::uint32_t i = 0; i < runs_.of(r).runs().size(); ++i)
      nodes_[first_[r] + i].time = runs_.common(r, runs_.of(r).runs()[i].time.begin);
  find_last_arrivals();
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    if (node % 65536 == 0 && cancelled(cancel)) return;
    connect(node);
  }
}

void RunForest::find_last_arrivals() {
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

template <class Visit>
std::uint32_t RunForest::through(std::uint32_t r, std::uint32_t i, Ns before, Ns at, Visit visit) const {
  const RankRun& run = runs_.of(r).runs()[i];
  const std::uint32_t own = first_[r] + i;
  PathPart part{.rank = r, .from = std::min(at, nodes_[own].time), .to = at, .run = i};
  std::uint32_t node = own;
  if (run.collective != kNone) {
    part.what = Stretch::transfer;
    part.collective = run.collective;
    const std::uint32_t last = last_arrival_[run.collective];
    if (last == own || nodes_[last].time < before) {
      node = last;
      part.rank = rank_of(last);
      part.from = nodes_[last].time;
      part.run = last - first_[part.rank];
      part.other = i;
      part.left = r;
    }
  } else {
    static constexpr std::array kWhat{Stretch::kernel, Stretch::memory, Stretch::transfer, Stretch::callback};
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
  Ns at = nodes_[node].time;
  // Parts go back in time, so this visits the part from `recorded` to the start of the previous part.
  const auto part = [&](Stretch what, Ns recorded, PathPart more) {
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
      part(Stretch::gap, rank.runs()[before].time.end, {.run = started, .other = before});
      break;
    case WaitedFor::launch: {
      part(Stretch::launch, run.launch, {.run = started});
      Ns until = run.launch;
      for (before = kNone; before == kNone;) {
        const BlockingCall* const call = rank.blocked_before(run.thread, until);
        if (call == nullptr) {
          part(Stretch::host, std::min(rank.first(), until), host);
          return node;
        }
        part(Stretch::host, call->time.end, host);
        before = rank.waited_for(*call);
        until = call->time.begin;
        part(Stretch::host, before == kNone ? until : rank.runs()[before].time.end, host);
      }
      break;
    }
  }
  return through(r, before, nodes_[node].time, at, visit);
}

void RunForest::connect(std::uint32_t start) {
  std::vector<std::uint32_t> path;
  std::uint32_t node = start;
  while (nodes_[node].parent == kNone) {
    StretchSums sums{};
    const std::uint32_t parent =
        edge(node, [&](const PathPart& part) { sums[static_cast<std::size_t>(part.what)] += part.to - part.from; });
    nodes_[node].parent = parent;
    nodes_[node].sums = sums;
    path.push_back(node);
    // Along a path, time never increases; at equal times the path stays on a rank and goes back in order.
    const bool back = nodes_[parent].time < nodes_[node].time || parent < node;
    if (parent == node || !back) {
      nodes_[node].parent = node;
      break;
    }
    node = parent;
  }
  while (!path.empty()) {
    Node& own = nodes_[path.back()];
    const std::uint32_t self = path.back();
    path.pop_back();
    if (own.parent == self) {
      own.jump = self;
      own.depth = 0;
      continue;
    }
    const Node& parent = nodes_[own.parent];
    const Node& jump = nodes_[parent.jump];
    own.depth = parent.depth + 1;
    own.jump = parent.depth - jump.depth == jump.depth - nodes_[jump.jump].depth ? jump.jump : own.parent;
    for (std::size_t s = 0; s < kStretches; ++s) own.sums[s] += parent.sums[s];
  }
}

std::uint32_t RunForest::root_of(std::uint32_t node) const {
  while (!is_root(node)) node = nodes_[node].jump;
  return node;
}

std::uint32_t RunForest::meeting(std::uint32_t a, std::uint32_t b) const {
  if (nodes_[a].depth < nodes_[b].depth) std::swap(a, b);
  while (nodes_[a].depth > nodes_[b].depth)
    a = nodes_[nodes_[a].jump].depth >= nodes_[b].depth ? nodes_[a].jump : nodes_[a].parent;
  while (a != b) {
    if (is_root(a)) return kNone;
    if (nodes_[a].jump != nodes_[b].jump) {
      a = nodes_[a].jump;
      b = nodes_[b].jump;
    } else {
      a = nodes_[a].parent;
      b = nodes_[b].parent;
    }
  }
  return a;
}

StretchSums RunForest::between(std::uint32_t node, std::uint32_t ancestor) const {
  StretchSums sums = nodes_[node].sums;
  for (std::size_t s = 0; s < kStretches; ++s) sums[s] -= nodes_[ancestor].sums[s];
  return sums;
}

StretchSums RunForest::since(std::uint32_t node, Ns cut) const {
  // The last node of the path that starts after the cut: its edge crosses it.
  std::uint32_t at = node;
  while (!is_root(at) && nodes_[nodes_[at].parent].time > cut)
    at = nodes_[nodes_[at].jump].time > cut ? nodes_[at].jump : nodes_[at].parent;
  StretchSums sums = between(node, at);
  if (nodes_[at].time <= cut) return sums;
  edge(at, [&](const PathPart& part) {
    const Ns length = part.to - std::max(part.from, cut);
    if (length > 0) sums[static_cast<std::size_t>(part.what)] += length;
  });
  return sums;
}

std::size_t RunForest::walk(std::uint32_t node, std::uint32_t ancestor, std::optional<Ns> cut, std::size_t budget,
                            const std::function<void(const PathPart&)>& visit) const {
  std::size_t edges = 0;
  while (node != ancestor && edges < budget) {
    ++edges;
    const std::uint32_t parent = edge(node, [&](PathPart part) {
      if (cut) part.from = std::max(part.from, *cut);
      if (!cut || part.to > part.from) visit(part);
    });
    if (is_root(node) || parent == node || (cut && nodes_[nodes_[node].parent].time <= *cut)) break;
    node = parent;
  }
  return edges;
}

void RunForest::walk_back(std::uint32_t rank, std::uint32_t run,
                          const std::function<void(const PathPart&)>& visit) const {
  const Ns end = runs_.common(rank, runs_.of(rank).runs()[run].time.end);
  std::uint32_t node = through(rank, run, end, end, visit);
  while (true) {
    const std::uint32_t parent = edge(node, visit);
    if (is_root(node)) break;
    node = parent;
  }
}

}  // namespace warpscope::analysis
