#include "app/ui/timeline/path_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/analysis/critical_path/job_path.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

PickedSlices picked_of(const trace::Profile& profile, const PathRequest& request, Ns length,
                       std::vector<trace::SliceRef> slices) {
  std::ranges::sort(slices);
  slices.erase(std::unique(slices.begin(), slices.end()), slices.end());
  std::ranges::stable_sort(slices, std::greater(), [&](trace::SliceRef slice) { return profile.duration(slice); });
  std::string label = fmt::format("critical path of {}, {}", request.of, format_duration(length));
  return {std::move(label), std::move(slices)};
}

}  // namespace

std::optional<PathRequest> path_request(const trace::Profile& profile, const std::optional<trace::SliceRef>& selection,
                                        const std::optional<Interval>& range, const std::optional<std::uint32_t>& step,
                                        bool all_ranks) {
  if (profile.ranks.empty()) return std::nullopt;
  PathRequest request;
  request.all_ranks = all_ranks;
  if (!all_ranks && selection && selection->rank < profile.ranks.size()) request.rank = selection->rank;
  const trace::Rank& rank = *profile.ranks[request.rank];
  std::string_view what = "everything";
  request.window = all_ranks ? profile.span : rank.span;
  if (range) {
    what = "the marked range";
    request.window = *range;
  } else if (step && *step < profile.steps.size()) {
    const trace::StepGroup& group = profile.steps[*step];
    what = profile.names().view(group.name);
    request.window = group.time;
    for (const trace::Step& own : rank.steps)
      if (!all_ranks && own.name == group.name && own.time.begin >= group.time.begin && own.time.end <= group.time.end)
        request.window = own.time;
  }
  request.of = all_ranks ? fmt::format("{} on all ranks", what) : fmt::format("{} of rank {}", what, rank.number);
  return request;
}

PickedSlices path_slices(const trace::Profile& profile, const PathRequest& request, const analysis::JobPath& path) {
  std::vector<trace::SliceRef> slices;
  for (const analysis::JobPathSegment& segment : path.segments) {
    for (const auto& slice : {segment.slice, segment.from, segment.to})
      if (slice) slices.push_back({segment.rank, *slice});
    if (segment.met) slices.push_back(*segment.met);
  }
  return picked_of(profile, request, path.span.length(), std::move(slices));
}

}  // namespace warpscope::ui
