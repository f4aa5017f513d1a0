#include "app/ui/timeline/path_finder.hpp"

#include <span>
#include <string>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/path_choice.hpp"
#include "app/ui/timeline/path_view.hpp"
#include "app/ui/widgets/messages.hpp"
#include "core/analysis/critical_path/path_choice.hpp"
#include "core/analysis/ranks/job_path.hpp"
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
  if (request) start(std::move(*request), false);
}

PathFinder::Found PathFinder::find_on_rank(const trace::Profile& profile, const PathRequest& request,
                                           const CancelToken& cancel) {
  Found found;
  const auto& classes = request.choice.events.classes;
  std::optional<analysis::HtaSteps> steps;
  if (classes.hta) steps.emplace(profile);
  const Interval window =
      analysis::looked_at(*profile.ranks[request.rank], request.window, steps ? &*steps : nullptr, classes.rounding);
  const analysis::CriticalPath path =
      analysis::find_critical_path(profile, request.rank, window, request.choice, &cancel);
  if (const Failure damage = trace::damage_of(profile, std::span(&request.rank, 1))) {
    found.reason = damage->message();
    return found;
  }
  found.reason = path.reason;
  if (path.links.empty()) return found;
  found.slices = std::make_shared<const PickedSlices>(path_slices(profile, request, path));
  found.path = {request, std::make_shared<const scene::PathChain>(profile, request.rank, path)};
  if (request.edge && *request.edge < path.links.size())
    found.link = place_of(*profile.ranks[request.rank], path.links[*request.edge]);
  return found;
}

PathFinder::Found PathFinder::find_across_ranks(const trace::Profile& profile, const PathRequest& request,
                                                const ingest::EventLookup* events, const CancelToken& cancel) {
  Found found;
  auto values = analysis::ParameterValues::parse(analysis::find_analysis("job_critical_path")->parameters, {});
  if (!values) {
    found.reason = values.error().message();
    return found;
  }
  analysis::Scope scope;
  if (request.window != profile.span) scope.range = request.window;
  const analysis::JobPath path = analysis::find_job_path({.profile = profile,
                                                          .scope = std::move(scope),
                                                          .values = std::move(*values),
                                                          .cancel = &cancel,
                                                          .events = events});
  if (const Failure damage = trace::damage_of(profile)) {
    found.reason = damage->message();
    return found;
  }
  found.reason = path.reason;
  if (path.segments.empty()) return found;
  found.slices = std::make_shared<const PickedSlices>(path_slices(profile, request, path));
  found.path = {request, std::make_shared<const scene::PathChain>(profile, path), std::nullopt, path.clocks};
  return found;
}

void PathFinder::start(PathRequest request, bool goes_there) {
  const std::shared_ptr<const trace::Profile> profile = state_.profile();
  if (!profile || request.rank >= profile->ranks.size()) return;
  work_.start(
      [profile, goes_there, request = std::move(request), events = app_.session.events()](const CancelToken& cancel) {
        Found found = request.all_ranks ? find_across_ranks(*profile, request, events.get(), cancel)
                                        : find_on_rank(*profile, request, cancel);
        found.goes_there = goes_there;
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
  if (found->link) {
    shown_->segment = chain.segment_of(*shown_->request.edge);
    app_.session.select({shown_->request.rank, found->link->slice});
    show_link(state_, shown_->request.rank, *found->link);
  } else if (found->goes_there || far_from(state_, chain)) {
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
