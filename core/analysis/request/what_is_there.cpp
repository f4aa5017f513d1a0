#include "core/analysis/request/what_is_there.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/analysis/request/runs.hpp"

namespace warpscope::analysis {
namespace {

constexpr std::size_t kMostTold = 12;

/// Calls visit(rank, lane) for each lane recorded on a host thread, until it returns true.
template <class Visit>
void for_each_call_lane(const trace::Profile& profile, std::span<const std::uint32_t> ranks, Visit visit) {
  for (const std::uint32_t r : ranks) {
    const trace::Rank& rank = *profile.ranks[r];
    for (const trace::Track& track : rank.tracks) {
      if (track.kind != trace::TrackKind::thread) continue;
      for (const std::uint32_t l : recorded_lanes(rank, track))
        if (visit(rank.lanes[l])) return;
    }
  }
}

std::string told(std::vector<std::pair<std::string_view, std::uint64_t>> counts) {
  if (counts.empty()) return "none";
  std::ranges::stable_sort(counts, std::greater(), [](const auto& each) { return each.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(counts.size(), kMostTold); ++i)
    text.append(i == 0 ? "" : ", ").append(counts[i].first);
  if (counts.size() > kMostTold) text += fmt::format(" and {} more", counts.size() - kMostTold);
  return text;
}

}  // namespace

bool has_call(const trace::Profile& profile, std::span<const std::uint32_t> ranks,
              const std::function<bool(std::string_view)>& wanted) {
  std::vector<char> matches(profile.names().size());
  for (NameId id = 0; id < matches.size(); ++id) matches[id] = wanted(profile.names().view(id)) ? 1 : 0;
  bool found = false;
  for_each_call_lane(profile, ranks, [&](const trace::Lane& lane) {
    for (std::uint32_t i = 0; i < lane.size() && !found; ++i) found = matches[lane.name(i)] != 0;
    return found;
  });
  return found;
}

std::string annotations_there(const trace::Profile& profile, std::span<const std::uint32_t> ranks) {
  std::map<std::string_view, std::uint64_t> families;
  for (const std::uint32_t r : ranks)
    for (const auto& [family, count] : profile.ranks[r]->annotations) families[family] += count;
  return told({families.begin(), families.end()});
}

std::string operators_there(const trace::Profile& profile, std::span<const std::uint32_t> ranks) {
  const RoleOfCategory roles = roles_of_categories(profile);
  std::vector<std::uint64_t> by_name(profile.names().size());
  for_each_call_lane(profile, ranks, [&](const trace::Lane& lane) {
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (roles[lane.category(i)] == trace::Role::op) ++by_name[lane.name(i)];
    return false;
  });
  std::vector<std::pair<std::string_view, std::uint64_t>> counts;
  for (NameId id = 0; id < by_name.size(); ++id)
    if (by_name[id] > 0) counts.emplace_back(profile.names().view(id), by_name[id]);
  return told(std::move(counts));
}

}  // namespace warpscope::analysis
