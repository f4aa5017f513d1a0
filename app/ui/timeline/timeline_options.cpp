#include "app/ui/timeline/timeline_options.hpp"

#include <algorithm>

#include "app/ui/timeline/connection_rows.hpp"
#include "app/ui/timeline/focus.hpp"
#include "core/analysis/slices/search.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/text_pattern.hpp"

namespace warpscope::ui {
namespace {

using trace::TreeEntry;

constexpr double kMargin = 0.25;
constexpr Ns kFarthest = 60;  // multiple of the slice's duration

}  // namespace

Result<trace::SliceRef> first_match(std::shared_ptr<const trace::Profile> profile, std::string_view expression) {
  auto filter = parse_filter(expression);
  if (!filter.ok()) return filter.error();
  const analysis::SearchResult found =
      analysis::search(analysis::SliceMatcher(std::move(profile), std::move(*filter)), {.limit = 1});
  if (found.slices.empty())
    return Error{std::string(expression), "no slice matches this filter",
                 "relax the filter or look up names in the find field"};
  return found.slices.front();
}

Failure show_window(TimelineState& state, const TimelineOptions& options) {
  if (!options.from && !options.to) return std::nullopt;
  const Interval span = state.profile()->span;
  const Interval window{options.from ? saturating_add(span.begin, *options.from) : span.begin,
                        options.to ? saturating_add(span.begin, *options.to) : span.end};
  if (window.empty()) {
    const bool both = options.from && options.to;
    std::string asked;
    if (options.from) asked = "--from " + format_duration(*options.from);
    if (options.to) asked += (both ? " --to " : "--to ") + format_duration(*options.to);
    return Error{asked, "this time range is empty",
                 both ? "use a --to later than --from"
                      : "use a time between 0 and " + format_duration(span.length()) + ", the profile's duration"};
  }
  state.move(state.target().fitted(window, 0), Pace::at_once);
  return std::nullopt;
}

Interval connected_time(const trace::Profile& profile, trace::SliceRef slice) {
  const Interval own = interval_of(profile, slice);
  Interval all = own;
  for (const ConnectionRow& row : connection_rows(profile, slice)) {
    const Interval other = cover(all, interval_of(profile, row.slice));
    if (row.end <= ConnectionEnd::run && other.length() / kFarthest <= own.length()) all = other;
  }
  return all;
}

void show_connected(TimelineState& state, trace::SliceRef slice) {
  state.move(state.target().fitted(connected_time(*state.profile(), slice), kMargin), Pace::at_once);
  reveal(state, slice);
  state.scroll_to(state.target_scroll(), Pace::at_once);
}

}  // namespace warpscope::ui
