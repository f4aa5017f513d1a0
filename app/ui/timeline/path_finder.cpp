#include "app/ui/timeline/path_finder.hpp"

#include <string>
#include <utility>

#include "app/ui/commands.hpp"
#include "app/ui/messages.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/path_wish.hpp"

namespace warpscope::ui {

PathFinder::PathFinder(AppContext& app, TimelineState& state) : app_(app), state_(state) {
  Command show{"path.critical",         "Show the critical path of the range or step, or no longer",
               "Steps and connections", {},
               [this] { toggle(); },    [this] { return state_.profile() != nullptr; }};
  show.page = "timeline";
  show.keywords = "longest chain bottleneck dependency";
  app.commands.add(std::move(show), {"C"});
}

void PathFinder::toggle() {
  if (shown_ && app_.session.picked() == shown_) {
    shown_.reset();
    app_.session.pick(nullptr);
    return;
  }
  const std::shared_ptr<const trace::Profile> profile = state_.profile();
  const SelectedRange* range = state_.selected_range();
  auto wish = path_wish(*profile, app_.session.selection(), range ? std::optional(range->time) : std::nullopt,
                        current_step(state_));
  if (!wish) return;
  work_.start(
      [profile, wish = std::move(*wish)](const CancelToken& cancel) {
        const analysis::CriticalPath path = analysis::find_critical_path(*profile, wish.rank, wish.window, {}, &cancel);
        if (path.links.empty()) return Found{nullptr, "No critical path of " + wish.of + ": " + path.reason};
        return Found{std::make_shared<const PickedSlices>(path_slices(*profile, wish, path)), ""};
      },
      app_.wake);
}

void PathFinder::update() {
  auto found = work_.take();
  if (!found) return;
  if (!found->slices) {
    app_.messages.info(found->reason, app_.now);
    return;
  }
  shown_ = std::move(found->slices);
  app_.session.pick(shown_);
}

}  // namespace warpscope::ui
