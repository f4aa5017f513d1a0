#pragma once
// A timeline state requested by `warpscope snapshot` or a test. Applied without animation once the profile is complete.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/timeline/timeline_state.hpp"
#include "core/base/result.hpp"

namespace warpscope::ui {

struct TimelineOptions {
  std::optional<Ns> from;  ///< since the start of the profile
  std::optional<Ns> to;
  std::string select;  ///< filter expression: selects the first match, and shows it unless from or to is set
  std::function<void(const Error&)> failed{};  ///< receives errors; if empty, errors are shown as messages

  [[nodiscard]] bool empty() const { return !from && !to && select.empty(); }
};

/// Returns the earliest slice that matches the filter. Fails if the expression is invalid or nothing matches.
[[nodiscard]] Result<trace::SliceRef> first_match(std::shared_ptr<const trace::Profile> profile,
                                                  std::string_view expression);

/// Shows the time range of `options`. Fails if the range is empty.
[[nodiscard]] Failure show_window(TimelineState& state, const TimelineOptions& options);

/// Returns the slice's time range, extended to its connected slices if they are close enough that the slice remains
/// visible.
[[nodiscard]] Interval connected_time(const trace::Profile& profile, trace::SliceRef slice);
/// Shows connected_time() of the slice.
void show_connected(TimelineState& state, trace::SliceRef slice);

}  // namespace warpscope::ui
