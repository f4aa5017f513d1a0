#include "app/ui/timeline/path_finder.hpp"

#include <string>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/path_choice.hpp"
#include "app/ui/timeline/path_view.hpp"
#include "app/ui/widgets/messages.hpp"
#include "core/analysis/critical_path/job_path.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::ui {

PathFinder::PathFinder(AppContext& app, TimelineState& state) : app_(app), state_(state) { add_commands(); }

void PathFinder::add_commands() {
  const CommandGroup add(app_.commands, "Steps and connections", "timeline", [this] { return shown() != nullptr; });
  const char* const words = "longest chain bottleneck dependency";
  add("path.critical", "Toggle this rank's critical path in the range or step", {"C"}, [this] {
    toggle(false);
  }).when([this] {
      return state_.profile() != nullptr;
    }).keywords(words);
  add("path.job", "Toggle the critical path across all ranks in the range or step", {"Alt+C"}, [this] {
    toggle(true);
  }).when([this] {
      return state_.profile() != nullptr;
    }).keywords("longest chain bottleneck dependency job collective straggler");
  add("path.hide", "Hide the critical path", {}, [this] { hide(); }).keywords(words);
  add("path.fit", "Zoom to the critical path", {"Shift+C"}, [this] {
    fit_path(state_, *shown_->chain);
  }).keywords(words);
  add("path.next", "Next critical path segment", {"Shift+N"}, [this] { step(1); }).keywords(words).repeats();
  add("path.previous", "Previous critical path segment", {"Shift+P"}, [this] { step(-1); }).keywords(words).repeats();
}

const ShownPath* PathFinder::shown() const {
  return shown_ && picked_ && app_.session.picked() == picked_ ? &*shown_ : nullptr;
}

void PathFinder::profile_changed() {
  work_.stop();
  picked_.reset();
  shown_.reset();
}

void PathFinder::hide() {
  picked_.reset();
  shown_.reset();
  app_.session.pick(nullptr);
}

void PathFinder::toggle(bool all_ranks) {
  if (shown() != nullptr) {
    const bool same = shown_->request.all_ranks == all_ranks;
    hide();
    if (same) return;
  }
  const SelectedRange* const marked = state_.selected_range();
  const auto range = marked != nullptr ? std::optional(marked->time) : std::nullopt;
  auto request = path_request(*state_.profile(), app_.session.selection(), range, current_step(state_), all_ranks);
  if (request) start(std::move(*request));
}

PathFinder::Found PathFinder::find(const trace::Profile& profile, const PathRequest& request,
                                   const ingest::EventLookup* events, const CancelToken& cancel) {
  Found found;
  auto values = analysis::ParameterValues::parse(analysis::find_analysis("critical_path")->parameters, {});
  if (!values) {
    found.reason = values.error().message();
    return found;
  }
  analysis::Scope scope;
  if (!request.all_ranks) scope.ranks = {request.rank};
  if (request.window != profile.span) scope.range = request.window;
  const Failure damage = trace::damage_of(profile, scope.ranks);
  const analysis::JobPath path = analysis::find_job_path({.profile = profile,
                                                          .scope = std::move(scope),
                                                          .values = std::move(*values),
                                                          .cancel = &cancel,
                                                          .events = events});
  if (damage) {
    found.reason = damage->message();
    return found;
  }
  found.reason = path.reason;
  if (path.segments.empty()) return found;
  found.slices = std::make_shared<const PickedSlices>(path_slices(profile, request, path));
  found.path = {request, std::make_shared<const scene::PathChain>(profile, path), std::nullopt, path.clocks};
  return found;
}

void PathFinder::start(PathRequest request) {
  const std::shared_ptr<const trace::Profile> profile = state_.profile();
  if (!profile || request.rank >= profile->ranks.size()) return;
  work_.start(
      [profile, request = std::move(request), events = app_.session.events()](const CancelToken& cancel) {
        Found found = find(*profile, request, events.get(), cancel);
        if (!found.slices) found.reason = "No critical path of " + request.of + ": " + found.reason;
        return found;
      },
      app_.wake);
}

void PathFinder::update() {
  if (picked_ && shown() == nullptr) {  // other slices were picked, or the chip was removed
    picked_.reset();
    shown_.reset();
  }
  auto found = work_.take();
  if (!found) return;
  if (!found->slices) {
    app_.messages.info(found->reason, app_.now);
    return;
  }
  picked_ = std::move(found->slices);
  shown_ = std::move(found->path);
  app_.session.pick(picked_);
  const scene::PathChain& chain = *shown_->chain;
  if (far_from(state_, chain)) {
    fit_path(state_, chain);
  } else {
    reveal_path(state_, chain);
  }
}

void PathFinder::step(int direction) {
  const scene::PathChain& chain = *shown_->chain;
  if (chain.segments().empty()) return;
  if (!shown_->segment) return show(segment_in_view(state_, chain));
  if (direction < 0 ? *shown_->segment == 0 : *shown_->segment + 1 >= chain.segments().size()) return;
  show(*shown_->segment + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(direction)));
}

void PathFinder::show(std::size_t segment) {
  const scene::PathChain& chain = *shown_->chain;
  shown_->segment = segment;
  app_.session.select({chain.segments()[segment].rank, chain.segments()[segment].slice});
  show_segment(state_, chain, segment);
}

}  // namespace warpscope::ui
