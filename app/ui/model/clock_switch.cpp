#include "app/ui/model/clock_switch.hpp"

#include <fmt/format.h>

#include "core/analysis/ranks/clock_error.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {

ClockSwitch::Signature ClockSwitch::signature_of(const trace::Profile& profile) {
  Signature signature;
  signature.reserve(profile.ranks.size());
  for (const auto& rank : profile.ranks)
    signature.push_back({{rank->source.path, rank->number}, rank->lane_start.empty() ? 0 : rank->lane_start.back()});
  return signature;
}

bool ClockSwitch::update(std::shared_ptr<const trace::Profile> recorded,
                         const std::shared_ptr<const ingest::EventLookup>& events, const std::function<void()>& wake) {
  bool news = shows_recorded_ != wants_recorded_ && alignable();
  if (auto made = work_.take()) {
    alignment_ = std::move(*made);
    shifts_.clear();
    for (std::size_t r = 0; r < alignment_.shifts.size(); ++r) shifts_[fitted_[r].first] = alignment_.shifts[r];
    news = news || alignable();
  }
  if (recorded != recorded_) {
    recorded_ = std::move(recorded);
    news = true;
    if (fit_ && recorded_ && recorded_->complete && recorded_->ranks.size() > 1) {
      if (Signature now = signature_of(*recorded_); now != fitted_) {
        fitted_ = std::move(now);
        work_.start([profile = recorded_, events,
                     fit = fit_](const CancelToken& cancel) { return fit(*profile, events.get(), cancel); },
                    wake);
      }
    }
  }
  if (!news) return false;
  show();
  return true;
}

void ClockSwitch::show() {
  shows_recorded_ = wants_recorded_;
  shown_ = recorded_;
  if (!recorded_ || !aligned()) return;
  std::vector<Ns> shifts;
  shifts.reserve(recorded_->ranks.size());
  for (const auto& rank : recorded_->ranks) {
    const auto known = shifts_.find({rank->source.path, rank->number});
    shifts.push_back(known == shifts_.end() ? 0 : known->second);
  }
  shown_ = trace::with_clock_shifts(*recorded_, shifts);
}

std::optional<StatusNote> ClockSwitch::note() const {
  if (alignable()) {
    const std::string apart =
        fmt::format("Rank clocks were off by up to {}. Offsets were estimated from collective end times to within {}",
                    format_duration(alignment_.most), analysis::clock_error_text(alignment_.error));
    return aligned() ? StatusNote{fmt::format("clocks aligned {}", analysis::clock_error_text(alignment_.error)),
                                  apart,
                                  "Click to show recorded times",
                                  "view.clocks",
                                  {}}
                     : StatusNote{"clocks as recorded", apart, "Click to align them", "view.clocks", {}};
  }
  if (alignment_.refused.empty()) return std::nullopt;
  return StatusNote{"clocks not aligned",
                    "Rank clocks cannot be compared: " + alignment_.refused,
                    "Click for details",
                    "analysis.show.rank_clocks",
                    {}};
}

}  // namespace warpscope::ui
