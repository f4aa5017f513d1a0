#include "core/analysis/critical_path/path_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/what_is_there.hpp"

namespace warpscope::analysis {

PathWindow path_window(const trace::Profile& profile, std::uint32_t rank_index, std::string_view annotation,
                       std::uint64_t instance, const std::optional<Interval>& range) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const auto missing = [&](std::string_view what, std::size_t count) {
    return count == 0 ? fmt::format("No annotation or call on this rank matches {}. Available annotations: {}.", what,
                                    annotations_there(profile, {&rank_index, 1}))
                      : fmt::format("{} instance {} does not exist; the last one is {}.", what, instance, count - 1);
  };
  if (annotation.empty()) {
    if (range) return {std::string(kRangeWindow), *range, ""};
    if (rank.steps.empty() && rank.span.begin > rank.span.end)
      return {std::string(kWholeWindow), {}, "Nothing was recorded on this rank."};
    if (rank.steps.empty()) return {std::string(kWholeWindow), rank.span, ""};
    if (instance >= rank.steps.size()) return {"", {}, missing("Step", rank.steps.size())};
    const trace::Step& step = rank.steps[instance];
    return {std::string(profile.names().view(step.name)), step.time, ""};
  }
  std::vector<char> matches(profile.names().size());
  for (NameId id = 0; id < matches.size(); ++id)
    matches[id] = profile.names().view(id).find(annotation) != std::string_view::npos ? 1 : 0;
  struct Found {
    Interval time;
    trace::SliceOrdinal slice;
    NameId name;
  };
  std::vector<Found> all;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread) continue;
    for (const std::uint32_t l : recorded_lanes(rank, track)) {
      const trace::Lane& lane = rank.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        if (matches[lane.name(i)] != 0)
          all.push_back({{lane.time().begin(i), lane.time().end(i)}, rank.lane_start[l] + i, lane.name(i)});
    }
  }
  if (instance >= all.size()) return {"", {}, missing(fmt::format("\"{}\"", annotation), all.size())};
  const auto wanted = all.begin() + static_cast<std::ptrdiff_t>(instance);
  std::ranges::nth_element(all, wanted, {}, [](const Found& each) { return std::pair(each.time.begin, each.slice); });
  return {std::string(profile.names().view(wanted->name)), wanted->time, ""};
}

}  // namespace warpscope::analysis
