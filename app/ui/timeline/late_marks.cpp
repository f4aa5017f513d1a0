#include "app/ui/timeline/late_marks.hpp"

#include "app/ui/model/session.hpp"
#include "core/analysis/ranks/late_explanation.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::ui {

void LateMarks::update() {
  const std::shared_ptr<const trace::Profile>& profile = app_.session.profile();
  if (auto made = work_.take()) late_ = std::move(*made);
  if (!profile || !profile->complete || profile->ranks.size() < trace::kManyRanks || of_ == profile) return;
  of_ = profile;
  work_.start(
      [profile, events = app_.session.events()](const CancelToken& cancel) {
        Ranks late;
        const analysis::Analysis* const causes = analysis::find_analysis("late_causes");
        auto values = analysis::ParameterValues::parse(causes->parameters, {});
        if (!values) return late;
        const auto explanation = analysis::explain_late_ranks({.profile = *profile,
                                                               .scope = {},
                                                               .values = std::move(*values),
                                                               .cancel = &cancel,
                                                               .events = events.get()});
        // The most expensive cause of a rank comes first.
        for (const analysis::Blame& blame : explanation->sum.causes)
          if (blame.stands_out) late.try_emplace(blame.rank, Late{late.size(), blame.sentence});
        return late;
      },
      app_.wake);
}

void LateMarks::profile_changed() {
  if (of_ == app_.session.profile()) return;
  work_.stop();
  late_.clear();
  of_.reset();
}

std::string_view LateMarks::of_entry(const trace::Profile& profile, const trace::TreeEntry& entry, bool open) const {
  if (late_.empty()) return {};
  const Late* worst = nullptr;
  const auto look_at = [&](std::uint32_t rank) {
    const auto found = late_.find(rank);
    if (found != late_.end() && (worst == nullptr || found->second.place < worst->place)) worst = &found->second;
  };
  if (entry.kind == trace::TreeKind::process) look_at(entry.rank);
  if (entry.kind == trace::TreeKind::node && !open)
    for (const std::uint32_t rank : profile.nodes[entry.node].ranks) look_at(rank);
  return worst == nullptr ? std::string_view() : worst->sentence;
}

}  // namespace warpscope::ui
