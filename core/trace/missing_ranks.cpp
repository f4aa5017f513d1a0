#include "core/trace/missing_ranks.hpp"

#include <algorithm>
#include <map>

#include "core/base/format.hpp"
#include "core/trace/node_grouping.hpp"
#include "core/trace/profile.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::trace {

namespace {

constexpr std::size_t kMostRanges = 6;
constexpr std::int64_t kMostNodes = 10'000;  // larger numbers are not node numbers
constexpr std::size_t kMostNamed = 6;

}  // namespace

MissingRanks missing_ranks(const std::set<std::int64_t>& present, std::int64_t world) {
  MissingRanks missing;
  if (world <= 0 || (!present.empty() && (*present.begin() < 0 || *present.rbegin() >= world))) return missing;
  std::size_t ranges = 0;
  std::int64_t next = 0;
  // Adds the gap before `end`, which is the next rank present or the world size.
  const auto gap = [&](std::int64_t end) {
    if (next < end) {
      missing.count += static_cast<std::uint64_t>(end - next);
      if (++ranges <= kMostRanges) {
        missing.text += (ranges == 1 ? "" : ", ") + std::to_string(next);
        if (end - next > 1) missing.text += "–" + std::to_string(end - 1);
      }
    }
  };
  for (const std::int64_t rank : present) {
    gap(rank);
    next = rank + 1;
  }
  gap(world);
  if (ranges > kMostRanges) missing.text += ", …";
  if (ranges > 0) missing.text += " of 0–" + format_count(world - 1);
  return missing;
}

MissingRanks missing_ranks(const Profile& profile) {
  std::set<std::int64_t> present;
  std::int64_t world = 0;
  for (const auto& rank : profile.ranks) {
    present.insert(rank->number);
    if (!rank->number_assigned) world = std::max(world, rank->world_size);
  }
  MissingRanks missing = missing_ranks(present, world);
  missing.world = world;
  return missing;
}

void note_missing_ranks(Profile& profile) {
  std::map<std::int64_t, std::set<std::int64_t>> present;  // by world size
  std::set<std::int64_t> of_unknown;
  for (const auto& rank : profile.ranks) {
    if (rank->number_assigned) return;
    (rank->world_size > 0 ? present[rank->world_size] : of_unknown).insert(rank->number);
  }
  const bool single_file = profile.ranks.size() == 1 && profile.ranks.front()->source.path == profile.path;
  for (auto& [world, ranks] : present) {
    if (present.size() == 1) ranks.merge(of_unknown);
    const MissingRanks missing = missing_ranks(ranks, world);
    if (missing.count > 0)
      profile.diagnostics.add("ranks-missing", single_file ? Severity::info : Severity::warning, profile.path,
                              Diagnostic::kNoOffset, missing.text, missing.count);
  }
}

void note_missing_nodes(Profile& profile) {
  std::set<std::int64_t> present;
  for (const auto& metrics : profile.metrics) {
    const auto number = sagemaker_number(metrics->node());
    if (!number || *number <= 0 || *number > kMostNodes) return;
    present.insert(*number);
  }
  if (present.empty()) return;
  std::int64_t nodes = *present.rbegin();
  for (const JobDocument& document : *profile.job)
    if (document.instance_count <= kMostNodes) nodes = std::max(nodes, document.instance_count);
  const auto count = nodes - static_cast<std::int64_t>(present.size());
  if (count <= 0) return;
  std::string names;
  std::size_t named = 0;
  for (std::int64_t number = 1; number <= nodes && named < kMostNamed; ++number) {
    if (present.contains(number)) continue;
    names += (named++ == 0 ? "algo-" : ", algo-") + std::to_string(number);
  }
  if (static_cast<std::int64_t>(named) < count) names += ", …";
  profile.diagnostics.add("nodes-missing", Severity::warning, profile.path, Diagnostic::kNoOffset,
                          names + " of " + std::to_string(nodes), static_cast<std::uint64_t>(count));
}

}  // namespace warpscope::trace
