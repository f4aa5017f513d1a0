#include "app/ui/timeline/path_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/analysis/ranks/job_path.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

/// Sorts slices and removes duplicates.
void sort_longest_first(const trace::Profile& profile, std::vector<trace::SliceRef>& slices) {
  std::ranges::sort(slices);
  slices.erase(std::unique(slices.begin(), slices.end()), slices.end());
  std::ranges::stable_sort(slices, std::greater(), [&](trace::SliceRef slice) { return profile.duration(slice); });
}

}  // namespace

std::optional<PathRequest> path_request(const trace::Profile& profile, const std::optional<trace::SliceRef>& selection,
                                        const std::optional<Interval>& range,
                                        const std::optional<std::uint32_t>& step) {
  if (profile.ranks.empty()) return std::nullopt;
  PathRequest request;
  if (selection && selection->rank < profile.ranks.size()) request.rank = selection->rank;
  const trace::Rank& rank = *profile.ranks[request.rank];
  std::string_view what = "everything";
  request.window = rank.span;
  if (range) {
    what = "the marked range";
    request.window = *range;
  } else if (step && *step < profile.steps.size()) {
    const trace::StepGroup& group = profile.steps[*step];
    what = profile.names().view(group.name);
    request.window = group.time;
    for (const trace::Step& own : rank.steps)
      if (own.name == group.name && own.time.begin >= group.time.begin && own.time.end <= group.time.end)
        request.window = own.time;
  }
  request.of = fmt::format("{} of rank {}", what, rank.number);
  return request;
}

std::optional<PathRequest> job_path_request(const trace::Profile& profile, const std::optional<Interval>& range,
                                            const std::optional<std::uint32_t>& step) {
  if (profile.ranks.empty()) return std::nullopt;
  PathRequest request;
  request.all_ranks = true;
  request.window = profile.span;
  std::string_view what = "everything";
  if (range) {
    what = "the marked range";
    request.window = *range;
  } else if (step && *step < profile.steps.size()) {
    what = profile.names().view(profile.steps[*step].name);
    request.window = profile.steps[*step].time;
  }
  request.of = fmt::format("{} on all ranks", what);
  return request;
}

PickedSlices path_slices(const trace::Profile& profile, const PathRequest& request,
                         const analysis::CriticalPath& path) {
  PickedSlices picked;
  picked.label = fmt::format("critical path of {}, {}", request.of, format_duration(path.length));
  if (!request.what_if.empty()) picked.label += ", if " + request.what_if;
  for (const analysis::CriticalLink& link : path.links)
    for (const trace::SliceOrdinal slice : {link.from, link.to}) picked.slices.push_back({request.rank, slice});
  sort_longest_first(profile, picked.slices);
  return picked;
}

PickedSlices path_slices(const trace::Profile& profile, const PathRequest& request, const analysis::JobPath& path) {
  PickedSlices picked;
  picked.label = fmt::format("critical path of {}, {}", request.of, format_duration(path.span.length()));
  for (const analysis::JobPathSegment& segment : path.segments) {
    for (const auto& slice : {segment.slice, segment.from, segment.to})
      if (slice) picked.slices.push_back({segment.rank, *slice});
    if (segment.met) picked.slices.push_back(*segment.met);
  }
  sort_longest_first(profile, picked.slices);
  return picked;
}

LinkPlace place_of(const trace::Rank& rank, const analysis::CriticalLink& link) {
  const auto end_of = [&](trace::SliceOrdinal slice, bool begin) {
    return saturating_add(rank.begin(slice), begin ? 0 : std::max<Ns>(0, rank.duration(slice)));
  };
  const Ns left = end_of(link.from, link.from_begin);
  const Ns reached = end_of(link.to, link.to_begin);
  return {{std::min(left, reached), std::max(left, reached)}, link.slice.value_or(link.to), link.from, link.to};
}

}  // namespace warpscope::ui
