// Popups of the scope bar with lists of steps and ranks. Each accepts typing, clicks and arrow keys.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <numeric>

#include "app/ui/widgets/scope_bar.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kRowsWidth = 300;
constexpr float kRowsHeight = 240;
constexpr float kAllWidth = 72;  // width of the button next to a field, with its gap

std::string_view step_name(const trace::Profile& profile, std::uint32_t step) {
  return profile.names().view(profile.steps[step].name);
}

bool holds_rank(const std::vector<std::uint32_t>& ranks, std::uint32_t rank) {
  return std::ranges::find(ranks, rank) != ranks.end();
}

}  // namespace

bool ScopeBar::begin_list(const char* popup, std::size_t lines) {
  if (!ImGui::BeginPopup(popup)) return false;
  if (ImGui::IsWindowAppearing()) line_.reset();
  line_.update(static_cast<int>(lines));
  return true;
}

/// Calls draw(line) for the visible lines of a list.
template <class Draw>
void ScopeBar::draw_list(const AppContext& app, std::size_t lines, Draw draw) {
  ImGui::BeginChild("##list", {app.px(kRowsWidth), app.px(kRowsHeight)});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines));
  if (line_.at() >= 0) clipper.IncludeItemByIndex(line_.at());
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw(i);
  ImGui::EndChild();
}

/// Draws a list's text field. Returns the text when the user enters it.
std::optional<std::string> ScopeBar::type(const AppContext& app, std::string& typed, const std::string& now,
                                          std::string_view hint) {
  if (ImGui::IsWindowAppearing()) {
    typed = now;
    problem_.clear();
    focus_next_item();
  }
  const std::string before = typed;
  auto entered = small_text(app, "##typed", typed, hint, app.px(kRowsWidth - kAllWidth));
  if (typed != before) line_.reset();
  return line_.entered() ? std::nullopt : entered;
}

bool ScopeBar::type_steps(const AppContext& app, const trace::Profile& profile) {
  const std::string now = steps_ ? analysis::step_range_text(profile, *steps_) : std::string();
  const std::string hint =
      analysis::step_range_text(profile, {0, static_cast<std::uint32_t>(profile.steps.size() - 1)});
  const auto entered = type(app, steps_typed_, now, hint.empty() ? "3-5" : hint);
  if (!entered) return false;
  if (entered->empty()) {
    if (!steps_) return false;
    set_evaluated();
    return true;
  }
  const auto steps = analysis::parse_step_range(profile, *entered);
  if (!steps) {
    problem_ = sentence(steps.error().message());
    return false;
  }
  set_steps(profile, steps->first, steps->second);
  return true;
}

bool ScopeBar::draw_steps(AppContext& app, const trace::Profile& profile) {
  if (profile.steps.empty()) return false;
  const std::string count = format_count(static_cast<std::int64_t>(profile.steps.size()));
  std::string now = scope_.evaluated_only && !scope_.range ? "evaluated" : "all " + count;
  if (steps_) {
    now = fit_text(step_name(profile, steps_->first), app.px(140));
    if (steps_->second != steps_->first) now += " to " + fit_text(step_name(profile, steps_->second), app.px(140));
  }
  opener(app, "##steps", Part::steps, "Steps", now, steps_.has_value());
  if (!begin_list("##steps", profile.steps.size())) return false;
  bool changed = type_steps(app, profile);
  ImGui::SameLine(0, app.px(8));
  if (small_button(app, "##all-steps", "All", scope_.range || scope_.evaluated_only)) {
    set_whole();
    changed = true;
  }
  if (small_button(app, "##evaluated-steps", "Evaluated", scope_.range || !scope_.evaluated_only,
                   "The steps that Findings evaluates: all complete ones; of four or more, not the first and last")) {
    set_evaluated();
    changed = true;
  }
  draw_problem(app);
  text_muted("Click or Enter to select a step; Shift to extend the selection");
  draw_list(app, profile.steps.size(), [&](int i) {
    const auto step = static_cast<std::uint32_t>(i);
    const bool within = steps_ && steps_->first <= step && step <= steps_->second;
    const std::string words = fmt::format("{}##{}", fit_text(step_name(profile, step), app.px(180)), i);
    if (ImGui::Selectable(words.c_str(), within, ImGuiSelectableFlags_DontClosePopups) || line_.entered(i)) {
      const bool extend = steps_ && ImGui::GetIO().KeyShift;
      set_steps(profile, extend ? std::min(steps_->first, step) : step, extend ? std::max(steps_->first, step) : step);
      changed = true;
    }
    line_.mark(app, i);
  });
  ImGui::EndPopup();
  return changed;
}

bool ScopeBar::type_ranks(const AppContext& app, const trace::Profile& profile) {
  const auto entered = type(app, ranks_, ranks_text(profile, scope_.ranks), "0,3-5");
  if (!entered) return false;
  if (entered->empty()) {
    set_ranks(profile, {});
    return true;
  }
  auto ranks = analysis::parse_ranks(profile, *entered);
  if (!ranks) {
    problem_ = sentence(ranks.error().message());
    return false;
  }
  set_ranks(profile, std::move(*ranks));
  return true;
}

void ScopeBar::turn_rank(const trace::Profile& profile, std::uint32_t rank, bool on) {
  std::vector<std::uint32_t> ranks = scope_.ranks;
  if (ranks.empty() && !on) {
    ranks.resize(profile.ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0u);
  }
  if (on)
    ranks.push_back(rank);
  else
    std::erase(ranks, rank);
  if (!ranks.empty()) set_ranks(profile, std::move(ranks));
}

bool ScopeBar::draw_ranks(AppContext& app, const trace::Profile& profile) {
  if (profile.ranks.size() < 2) return false;
  opener(app, "##ranks", Part::ranks, "Ranks",
         scope_.ranks.empty() ? "all " + std::to_string(profile.ranks.size())
                              : fit_text(ranks_text(profile, scope_.ranks), app.px(160)),
         !scope_.ranks.empty());
  if (!begin_list("##ranks", profile.ranks.size())) return false;
  bool changed = type_ranks(app, profile);
  ImGui::SameLine(0, app.px(8));
  if (small_button(app, "##all-ranks", "All", !scope_.ranks.empty())) {
    set_ranks(profile, {});
    changed = true;
  }
  draw_problem(app);
  draw_list(app, profile.ranks.size(), [&](int i) {
    const auto rank = static_cast<std::uint32_t>(i);
    const bool was = scope_.ranks.empty() || holds_rank(scope_.ranks, rank);
    bool on = was;
    const trace::Node& node = profile.nodes[profile.node_of_rank[rank]];
    const std::string words = fmt::format("rank {} · {}##{}", profile.ranks[rank]->number, node.label, i);
    {
      const FieldEdge edge(app);
      ImGui::Checkbox(words.c_str(), &on);
    }
    line_.mark(app, i);
    if (line_.entered(i)) on = !was;
    if (on == was) return;
    turn_rank(profile, rank, on);
    changed = true;
  });
  ImGui::EndPopup();
  return changed;
}

}  // namespace warpscope::ui
