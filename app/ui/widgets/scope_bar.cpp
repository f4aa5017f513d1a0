#include "app/ui/widgets/scope_bar.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kPopupWidth = 300;

Ns resolution(const trace::Profile& profile) { return std::max<Ns>(1, profile.span.length() / 10'000); }

std::string time_text(const trace::Profile& profile, Ns t) {
  return format_time_at(t - profile.span.begin, resolution(profile));
}

}  // namespace

std::string ranks_text(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks) {
  std::vector<std::int64_t> numbers;
  for (const std::uint32_t rank : ranks)
    if (rank < profile.ranks.size()) numbers.push_back(profile.ranks[rank]->number);
  std::ranges::sort(numbers);
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (end - i > 1) text += (end - i > 2 ? "-" : ",") + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

// Draws a button such as "Steps: all 8" that opens the popup.
void ScopeBar::opener(const AppContext& app, const char* popup, Part part, std::string_view what, std::string_view now,
                      bool on) {
  const std::string words = fmt::format("{}: {}", what, now);
  const bool clicked = small_switch(app, fmt::format("{}-button", popup).c_str(), words, on);
  if (clicked || wanted_ == part) {
    ImGui::OpenPopup(popup);
    wanted_ = Part::none;
  }
  ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + app.px(4)}, ImGuiCond_Appearing);
}

std::string ScopeBar::text(const trace::Profile& profile) const {
  std::string words;
  const auto name = [&](std::uint32_t step) { return profile.names().view(profile.steps[step].name); };
  if (steps_ && steps_->first == steps_->second)
    words = std::string(name(steps_->first));
  else if (steps_)
    words = fmt::format("{} to {}", name(steps_->first), name(steps_->second));
  else if (scope_.range)
    words = fmt::format("{} to {}", time_text(profile, scope_.range->begin), time_text(profile, scope_.range->end));
  else if (!scope_.evaluated_only)
    words = "whole recording";
  if (!scope_.ranks.empty()) words += (words.empty() ? "ranks " : " · ranks ") + ranks_text(profile, scope_.ranks);
  return words;
}

void ScopeBar::clear() {
  scope_ = kInitial;
  steps_.reset();
  from_.clear();
  to_.clear();
  steps_typed_.clear();
  ranks_.clear();
  problem_.clear();
}

void ScopeBar::set_whole() {
  set_evaluated();
  scope_.evaluated_only = false;
}

void ScopeBar::set_evaluated() {
  steps_.reset();
  scope_.range.reset();
  scope_.evaluated_only = true;
  steps_typed_.clear();
  problem_.clear();
}

void ScopeBar::set_range(const trace::Profile& profile, Interval range) {
  steps_.reset();
  range.begin = std::max(range.begin, profile.span.begin);
  range.end = std::min(range.end, profile.span.end);
  if (range.begin >= range.end || (range.begin == profile.span.begin && range.end == profile.span.end))
    set_whole();
  else
    scope_.range = range;
  problem_.clear();
}

void ScopeBar::set_range_since_begin(const trace::Profile& profile, Interval range) {
  set_range(profile, {saturating_add(profile.span.begin, range.begin), saturating_add(profile.span.begin, range.end)});
}

void ScopeBar::set_steps(const trace::Profile& profile, std::uint32_t first, std::uint32_t last) {
  if (first > last) std::swap(first, last);
  if (last >= profile.steps.size()) return;
  steps_ = {first, last};
  scope_.range = analysis::range_of_steps(profile, scope_, first, last);
  if (!scope_.range) steps_.reset();
  steps_typed_ = steps_ ? analysis::step_range_text(profile, *steps_) : std::string();
  problem_.clear();
}

void ScopeBar::set_ranks(const trace::Profile& profile, std::vector<std::uint32_t> ranks) {
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (ranks.size() == profile.ranks.size()) ranks.clear();
  scope_.ranks = std::move(ranks);
  ranks_ = ranks_text(profile, scope_.ranks);
  if (steps_) set_steps(profile, steps_->first, steps_->second);
  problem_.clear();
}

void ScopeBar::profile_changed(const trace::Profile& profile) {
  std::erase_if(scope_.ranks, [&](std::uint32_t rank) { return rank >= profile.ranks.size(); });
  if (steps_ && steps_->second >= profile.steps.size()) steps_.reset();
}

bool ScopeBar::draw_time(AppContext& app, const trace::Profile& profile) {
  const bool on = scope_.range && !steps_;
  opener(app, "##time", Part::time, "Time",
         on ? fmt::format("{} to {}", time_text(profile, scope_.range->begin), time_text(profile, scope_.range->end))
         : scope_.evaluated_only && !profile.steps.empty() ? "evaluated"
                                                           : "all " + format_duration(profile.span.length()),
         on);
  if (!ImGui::BeginPopup("##time")) return false;
  bool changed = false;
  if (ImGui::IsWindowAppearing()) {
    const Interval shown = scope_.range.value_or(profile.span);
    from_ = time_text(profile, shown.begin);
    to_ = time_text(profile, shown.end);
    problem_.clear();
  }
  const float width = app.px(120);
  small_label(app, "From");
  ImGui::SameLine(app.px(44));
  if (ImGui::IsWindowAppearing()) focus_next_item();
  const bool first = small_text(app, "##from", from_, "0 s", width).has_value();
  small_label(app, "To");
  ImGui::SameLine(app.px(44));
  const bool second = small_text(app, "##to", to_, format_duration(profile.span.length()), width).has_value();
  if (first || second) {
    const auto from = parse_time(from_);
    const auto to = parse_time(to_);
    if (!from || !to) {
      problem_ = sentence((from ? to : from).error().message());
    } else if (*to <= *from) {
      problem_ = "The end must be after the start";
    } else {
      set_range_since_begin(profile, {*from, *to});
      changed = true;
    }
  }
  draw_problem(app);
  const auto& marked = app.session.marked();
  if (small_button(app, "##marked", "Range marked in the Timeline", marked.has_value(),
                   marked ? "" : "Drag across tracks in the Timeline to mark a range")) {
    set_range(profile, *marked);
    changed = true;
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine(0, app.px(8));
  if (small_button(app, "##all", "All", scope_.range.has_value() || scope_.evaluated_only)) {
    set_whole();
    changed = true;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return changed;
}

// Draws the error in the typed text above the list.
void ScopeBar::draw_problem(const AppContext& app) const {
  if (!problem_.empty()) text_wrapped(problem_, app.theme.error, app.px(kPopupWidth));
}

bool ScopeBar::draw(AppContext& app, const trace::Profile& profile) {
  ImGui::BeginGroup();
  bool changed = draw_time(app, profile);
  if (!profile.steps.empty()) ImGui::SameLine(0, app.px(8));
  changed = draw_steps(app, profile) || changed;
  if (profile.ranks.size() > 1) ImGui::SameLine(0, app.px(8));
  changed = draw_ranks(app, profile) || changed;
  if (restricted()) {
    ImGui::SameLine(0, app.px(8));
    if (small_button(app, "##clear", "Reset", true, app.commands.keys_text("dashboard.whole-profile", 1))) {
      clear();
      changed = true;
    }
  }
  ImGui::EndGroup();
  wanted_ = Part::none;
  return changed;
}

}  // namespace warpscope::ui
