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

namespace warpscope::ui {

PathFinder::PathFinder(AppContext& app, TimelineState& state) : app_(app), state_(state) { add_commands(); }

void PathFinder::add_commands() {
  const CommandGroup add(app_.commands, "Steps and connections", "timeline", [this] { return shown() != nullptr; });
  const char* const words = "longest chain bottleneck dependency";
  add("path.critical", "Toggle the critical path of the range or step", {"C"}, [this] {
    toggle();
  }).when([this] {
      return state_.profile() != nullptr;
    }).keywords(words);
  add("path.fit", "Zoom to the critical path", {"Shift+C"}, [this] {
    fit_path(state_, *shown_->chain);
  }).keywords(words);
  add("path.next", "Next segment of the critical path", {"Shift+N"}, [this] { step(1); }).keywords(words).repeats();
  add("path.previous", "Previous segment of the critical path", {"Shift+P"}, [this] { step(-1); })
      .keywords(words)
      .repeats();
}

const ShownPath* PathFinder::shown() const {
  return shown_ && picked_ && app_.session.picked() == picked_ ? &*shown_ : nullptr;
}

void PathFinder::profile_changed() {
  work_.stop();
  picked_.reset();
  shown_.reset();
}

void PathFinder::toggle() {
  if (shown() != nullptr) {
    picked_.reset();
    shown_.reset();
    app_.session.pick(nullptr);
    return;
  }
  const SelectedRange* range = state_.selected_range();
  auto request = path_request(*state_.profile(), app_.session.selection(),
                              range ? std::optional(range->time) : std::nullopt, current_step(state_));
  if (request) start(std::move(*request), false);
}

void PathFinder::start(PathRequest request, bool goes_there) {
  const std::shared_ptr<const trace::Profile> profile = state_.profile();
  if (!profile || request.rank >= profile->ranks.size()) return;
  work_.start(
      [profile, goes_there, request = std::move(request)](const CancelToken& cancel) {
        Found found;
        const auto& classes = request.choice.events.classes;
        std::optional<analysis::HtaSteps> steps;
        if (classes.hta) steps.emplace(*profile);
        const Interval window = analysis::looked_at(*profile->ranks[request.rank], request.window,
                                                    steps ? &*steps : nullptr, classes.rounding);
        const analysis::CriticalPath path =
            analysis::find_critical_path(*profile, request.rank, window, request.choice, &cancel);
        if (const Failure damage = trace::damage_of(*profile, std::span(&request.rank, 1))) {
          found.reason = "No critical path of " + request.of + ": " + damage->message();
          return found;
        }
        if (path.links.empty()) {
          found.reason = "No critical path of " + request.of + ": " + path.reason;
          return found;
        }
        found.slices = std::make_shared<const PickedSlices>(path_slices(*profile, request, path));
        found.path = {request, std::make_shared<const scene::PathChain>(*profile, request.rank, path), std::nullopt};
        if (request.edge && *request.edge < path.links.size())
          found.link = place_of(*profile->ranks[request.rank], path.links[*request.edge]);
        found.goes_there = goes_there;
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
    app_.session.select({chain.rank(), found->link->slice});
    show_link(state_, chain.rank(), *found->link);
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
  app_.session.select({chain.rank(), chain.segments()[segment].slice});
  show_segment(state_, chain, segment);
}

}  // namespace warpscope::ui
