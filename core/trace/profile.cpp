#include "core/trace/profile.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/natural_order.hpp"
#include "core/base/parse_number.hpp"
#include "core/trace/clock_check.hpp"
#include "core/trace/gpus.hpp"
#include "core/trace/missing_ranks.hpp"
#include "core/trace/node_grouping.hpp"
#include "core/trace/recordings.hpp"
#include "core/trace/same_content.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::trace {

std::string_view Profile::name(SliceRef slice) const { return names().view(ranks[slice.rank]->name(slice.slice)); }

Role Profile::role(SliceRef slice) const { return categories().role(ranks[slice.rank]->category(slice.slice)); }

SliceIdentity Profile::identity(SliceRef slice) const {
  const Rank& rank = *ranks[slice.rank];
  const SlicePlace place = rank.locate(slice.slice);
  return {rank.source.path, rank.lanes[place.lane].event(place.index)};
}

std::optional<SliceRef> Profile::find(const SliceIdentity& identity) const {
  for (std::uint32_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i]->source.path != identity.source) continue;
    if (const auto slice = ranks[i]->find_event(identity.event)) return SliceRef{i, *slice};
  }
  return std::nullopt;
}

std::size_t Profile::resident_bytes() const {
  std::size_t bytes = 0;
  for (const auto& rank : ranks) bytes += rank->resident_bytes();
  for (const auto& node : metrics) bytes += node->resident_bytes();
  for (const auto& timeline : memory) bytes += timeline->resident_bytes();
  for (const auto& stats : python) bytes += stats->resident_bytes();
  return bytes;
}

Failure damage_of(const Profile& profile, std::span<const std::uint32_t> ranks) {
  const auto of = [](const Rank& rank) { return rank.storage ? rank.storage->damage() : Failure(); };
  for (const std::uint32_t rank : ranks)
    if (Failure found = of(*profile.ranks[rank])) return found;
  if (!ranks.empty()) return {};
  for (const auto& rank : profile.ranks)
    if (Failure found = of(*rank)) return found;
  return {};
}

namespace {

void add_nodes(Profile& profile) {
  std::string root = profile.path;
  profile.node_of_rank.assign(profile.ranks.size(), 0);
  for (NodeGroup& group : group_ranks_by_node(profile.ranks, root)) {
    Node node;
    const auto index = static_cast<std::uint32_t>(profile.nodes.size());
    node.label = group.label.empty() ? "algo-" + std::to_string(index + 1) : group.label;
    node.host = std::move(group.host);
    node.key = std::move(group.key);
    for (const std::uint32_t rank : group.ranks) profile.node_of_rank[rank] = index;
    node.gpus = static_cast<std::uint32_t>(gpus_of(profile, group.ranks).size());
    profile.gpus += node.gpus;
    node.ranks = std::move(group.ranks);
    profile.nodes.push_back(std::move(node));
  }
}

// Debugger's agents identify their node only as "algo-N", which is also how folders of ranks may be named. If ranks
// have no such folders, nodes were numbered in the order of their hosts; in that case, the match is only likely and is
// marked as such. Each node takes the first metrics with its label. Any remaining metrics, for example from a second
// job in the directory, get their own nodes.
void add_metrics(Profile& profile) {
  std::sort(profile.metrics.begin(), profile.metrics.end(), [](const auto& a, const auto& b) {
    if (a->node() != b->node()) return natural_less(a->node(), b->node());
    return a->origin().source < b->origin().source;
  });
  for (std::uint32_t i = 0; i < profile.metrics.size(); ++i) {
    const NodeMetrics& metrics = *profile.metrics[i];
    auto node = std::find_if(profile.nodes.begin(), profile.nodes.end(), [&](const Node& one) {
      return one.label == metrics.node() && one.metrics == Node::kNone;
    });
    if (node == profile.nodes.end()) {
      Node fresh;
      fresh.label = metrics.node();
      fresh.key = "metrics:" + metrics.origin().source;
      node = profile.nodes.insert(profile.nodes.end(), std::move(fresh));
    } else if (node->key != node->label) {
      node->metrics_by_order = true;
      profile.diagnostics.add("metrics-joined-by-order", Severity::info, profile.path, Diagnostic::kNoOffset,
                              metrics.node() + " is assumed to be " + (node->host.empty() ? "that node" : node->host));
    }
    node->metrics = i;
  }
}

// The kth step with a given name on one rank is the same step as the kth with that name on the others. Names may repeat
// because a job can restart its numbering. Each recording has its own steps.
void add_steps(Profile& profile, const Recordings& recordings) {
  std::map<std::tuple<std::uint32_t, NameId, std::uint32_t>, Interval> groups;
  for (std::size_t r = 0; r < profile.ranks.size(); ++r) {
    std::map<NameId, std::uint32_t> seen;
    for (const Step& step : profile.ranks[r]->steps) {
      const auto [entry, fresh] = groups.try_emplace({recordings.of_rank[r], step.name, seen[step.name]++}, step.time);
      if (!fresh) entry->second = cover(entry->second, step.time);
    }
  }
  for (const auto& [key, time] : groups) profile.steps.push_back({std::get<1>(key), time});
  std::sort(profile.steps.begin(), profile.steps.end(), [](const StepGroup& a, const StepGroup& b) {
    return std::pair(a.time.begin, a.name) < std::pair(b.time.begin, b.name);
  });
}

/// Times of a truncated file lack the base at its end. All ranks of a job have the same base, so it takes that of the
/// others, if they agree.
void take_base_of_others(Profile& profile) {
  constexpr const char* kBase = "baseTimeNanoseconds";
  // Kineto's bases are times since the epoch, its other times are within months of them.
  constexpr Ns kLargestRelative = Ns{180} * 86'400 * 1'000'000'000;
  std::optional<Ns> base;
  for (const auto& rank : profile.ranks) {
    const auto own = rank->properties.find(kBase);
    if (own == rank->properties.end()) continue;
    const auto value = parse_number<Ns>(own->second);
    if (!value || *value <= kLargestRelative || (base && *base != *value)) return;
    base = value;
  }
  if (!base) return;
  for (auto& rank : profile.ranks) {
    const bool cut = rank->diagnostics.count("truncated") > 0;
    if (!cut || rank->properties.contains(kBase) || rank->span.empty() || rank->span.begin > kLargestRelative) continue;
    auto shifted = std::make_shared<Rank>(*rank);
    shifted->shift(*base);
    shifted->properties[kBase] = std::to_string(*base);
    shifted->diagnostics.add("time-base-of-others", Severity::info, rank->source.path, Diagnostic::kNoOffset,
                             std::to_string(*base));
    rank = std::move(shifted);
  }
}

void set_span(Profile& profile) {
  Interval span = kEmptySpan;
  Interval measured = kEmptySpan;
  const std::vector<char> captures = graph_captures(profile);
  for (std::size_t r = 0; r < captures.size(); ++r)
    if (captures[r] == 0) span = cover(span, profile.ranks[r]->span);
  for (const auto& node : profile.metrics) measured = cover(measured, node->span());
  const auto or_nothing = [](Interval time) { return time.begin > time.end ? Interval{} : measurable(time); };
  profile.span = or_nothing(span.begin <= span.end ? span : measured);
  profile.extent = or_nothing(cover(span, measured));
}

}  // namespace

std::shared_ptr<const Profile> with_clock_shifts(const Profile& profile, std::span<const Ns> shifts) {
  auto shifted = std::make_shared<Profile>(profile);
  shifted->curves.clear();
  for (std::size_t r = 0; r < shifted->ranks.size(); ++r) {
    if (shifts[r] == 0) continue;
    auto rank = std::make_shared<Rank>(*shifted->ranks[r]);
    rank->shift(shifts[r]);
    rank->clock_shift += shifts[r];
    shifted->ranks[r] = std::move(rank);
  }
  set_span(*shifted);
  shifted->steps.clear();
  add_steps(*shifted, recordings_of(shifted->ranks));
  return shifted;
}

std::shared_ptr<const Profile> assemble_profile(std::string path, std::shared_ptr<const Dictionary> dictionary,
                                                std::vector<std::shared_ptr<const Rank>> ranks,
                                                const Diagnostics& directory_diagnostics, bool complete,
                                                std::vector<std::shared_ptr<const NodeMetrics>> metrics,
                                                std::shared_ptr<const JobDocuments> job, MemoryTimelines memory,
                                                PythonProfiles python, std::shared_ptr<ProfileHost> host) {
  auto profile = std::make_shared<Profile>();
  profile->path = std::move(path);
  profile->dictionary = std::move(dictionary);
  profile->ranks = std::move(ranks);
  profile->host = std::move(host);
  profile->metrics = std::move(metrics);
  profile->complete = complete;
  if (job) profile->job = std::move(job);
  profile->memory = std::move(memory);
  profile->python = std::move(python);
  std::sort(profile->ranks.begin(), profile->ranks.end(), [](const auto& a, const auto& b) {
    return std::pair(a->number, a->source.path) < std::pair(b->number, b->source.path);
  });

  take_base_of_others(*profile);
  profile->diagnostics = directory_diagnostics;
  remove_copies(profile->ranks, profile->diagnostics);
  if (complete) {
    note_missing_ranks(*profile);
    note_missing_nodes(*profile);
  }
  for (const auto& rank : profile->ranks) profile->diagnostics.merge(rank->diagnostics);
  const Recordings recordings = recordings_of(profile->ranks);
  note_recordings(*profile, recordings);
  set_span(*profile);
  add_nodes(*profile);
  add_metrics(*profile);
  add_steps(*profile, recordings);
  note_clocks_apart(*profile, recordings);
  profile->tree = build_track_tree(*profile);
  return profile;
}

}  // namespace warpscope::trace
