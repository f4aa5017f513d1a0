#pragma once
// A state of the timeline that is asked for from outside, by `warpscope snapshot` and by tests: applied at once,
// without motion, when the profile is complete.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/timeline/timeline_state.hpp"
#include "core/base/result.hpp"

namespace warpscope::ui {

struct TimelineOptions {
  std::optional<Ns> from;  ///< since the profile's begin
  std::optional<Ns> to;
  std::string select;  ///< filter expression: its first match is selected, and shown unless from or to is given
  std::vector<std::string> expand;  ///< "all", "none", a number of levels, or part of a track's label ('*': any text)
  std::string bottom;               ///< id of a tab
  std::function<void(const Error&)> failed{};  ///< told what could not be done; empty: the window's messages

  [[nodiscard]] bool empty() const { return !from && !to && select.empty() && expand.empty() && bottom.empty(); }
};

/// Folds and unfolds. Errors: no track has such a label.
[[nodiscard]] Failure expand_tracks(TimelineState& state, const std::vector<std::string>& expand);

/// The earliest slice that passes the filter. Errors: the expression cannot be read, nothing passes.
[[nodiscard]] Result<trace::SliceRef> first_match(std::shared_ptr<const trace::Profile> profile,
                                                  std::string_view expression);

/// The window of time of `options`. Errors: it is empty.
[[nodiscard]] Failure show_window(TimelineState& state, const TimelineOptions& options);

/// Shows a slice together with what it is connected with, if that is near enough for the slice to be seen.
void show_connected(TimelineState& state, trace::SliceRef slice);

}  // namespace warpscope::ui
