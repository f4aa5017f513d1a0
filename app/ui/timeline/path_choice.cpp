#include "app/ui/timeline/path_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/format.hpp"

namespace warpscope::ui {

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

PickedSlices path_slices(const trace::Profile& profile, const PathRequest& request,
                         const analysis::CriticalPath& path) {
  PickedSlices picked;
  picked.label = fmt::format("critical path of {}, {}", request.of, format_duration(path.length));
  if (!request.what_if.empty()) picked.label += ", if " + request.what_if;
  for (const analysis::CriticalLink& link : path.links)
    for (const trace::SliceOrdinal slice : {link.from, link.to}) picked.slices.push_back({request.rank, slice});
  std::ranges::sort(picked.slices);
  picked.slices.erase(std::unique(picked.slices.begin(), picked.slices.end()), picked.slices.end());
  std::ranges::stable_sort(picked.slices, std::greater(),
                           [&](trace::SliceRef slice) { return profile.duration(slice); });
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
