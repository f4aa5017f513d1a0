#include "app/ui/timeline/collectives/rank_matcher.hpp"

#include <algorithm>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"

namespace warpscope::ui {

RankMatcher::RankMatcher(AppContext& app, std::function<void(trace::SliceRef)> go_to)
    : app_(app), go_to_(std::move(go_to)) {
  const CommandGroup add(app.commands, "Steps and connections", "timeline",
                         [this] { return chosen_ && !chosen_->slices.empty(); });
  const char* const words = "collective counterpart rank late wait";
  add("collective.next", "Next rank to arrive at the collective", {"}"}, [this] { step(-1); })
      .keywords(words)
      .repeats();
  add("collective.previous", "Previous rank to arrive at the collective", {"{"}, [this] { step(1); })
      .keywords(words)
      .repeats();
  add("collective.last", "Last rank to arrive at the collective", {"Enter"}, [this] {
    go_to_(chosen_->slices.front());
  }).keywords(words);
}

void RankMatcher::update() {
  if (auto made = work_.take()) {
    ranks_ = std::make_shared<const JobRanks>(std::move(*made));
  }
  start();
  choose();
}

void RankMatcher::start() {
  const std::shared_ptr<const trace::Profile>& profile = app_.session.profile();
  if (!profile || !profile->complete || profile->ranks.size() < 2) return;
  // Reads the activity of all ranks, which must come from the other machine.
  if (profile->host && !app_.session.selection() && of_ != profile) return;
  const std::string& rules = app_.settings.kernel_class;
  const auto clocks = app_.session.recorded_clocks() ? analysis::ClockChoice::recorded : analysis::ClockChoice::aligned;
  if (of_ == profile && rules_ == rules && clocks_of_ == clocks) return;
  of_ = profile;
  rules_ = rules;
  clocks_of_ = clocks;
  work_.start([profile, rules, clocks, events = app_.session.events()](
                  const CancelToken& cancel) { return compare_job(profile, events.get(), rules, clocks, cancel); },
              app_.wake);
}

void RankMatcher::profile_changed() {
  if (of_ == app_.session.profile()) return;
  work_.stop();
  ranks_.reset();
  of_.reset();
  chosen_.reset();
  chosen_in_ = nullptr;
}

void RankMatcher::choose() {
  const std::optional<trace::SliceRef>& selection = app_.session.selection();
  if (chosen_in_ == ranks_.get() && chosen_of_ == selection) return;
  chosen_in_ = ranks_.get();
  chosen_of_ = selection;
  chosen_.reset();
  if (ranks_ && selection) chosen_ = collective_of(*ranks_, *selection);
}

void RankMatcher::step(int by) {
  const std::vector<trace::SliceRef>& slices = chosen_->slices;
  const auto own = std::ranges::find(slices, app_.session.selection().value_or(slices.front()));
  if (by < 0 ? own == slices.begin() : own + 1 >= slices.end()) return;
  go_to_(*(own + by));
}

std::shared_ptr<const scene::RibbonSet> RankMatcher::ribbons() const { return ranks_ ? ranks_->ribbons : nullptr; }

std::optional<scene::RibbonChoice> RankMatcher::choice() const {
  if (!chosen_ || chosen_->id == scene::Ribbon::kNone || !chosen_of_) return std::nullopt;
  return scene::RibbonChoice{chosen_->id, chosen_of_->rank};
}

}  // namespace warpscope::ui
