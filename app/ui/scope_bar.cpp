#include "app/ui/scope_bar.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/ui/commands.hpp"
#include "app/ui/session.hpp"
#include "app/ui/small_controls.hpp"
#include "app/ui/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kListHeight = 240;
constexpr float kPopupWidth = 300;

Ns resolution(const trace::Profile& profile) { return std::max<Ns>(1, profile.span.length() / 10'000); }

std::string time_text(const trace::Profile& profile, Ns t) {
  return format_time_at(t - profile.span.begin, resolution(profile));
}

std::string_view name_of(const trace::Profile& profile, std::uint32_t step) {
  return profile.names().view(profile.steps[step].name);
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

// A button "Steps: all 8"; opens the popup.
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
  if (steps_ && steps_->first == steps_->second)
    words = std::string(name_of(profile, steps_->first));
  else if (steps_)
    words = fmt::format("{} to {}", name_of(profile, steps_->first), name_of(profile, steps_->second));
  else if (scope_.range)
    words = fmt::format("{} to {}", time_text(profile, scope_.range->begin), time_text(profile, scope_.range->end));
  if (!scope_.ranks.empty()) words += (words.empty() ? "ranks " : " · ranks ") + ranks_text(profile, scope_.ranks);
  return words;
}

void ScopeBar::clear() {
  scope_ = {};
  steps_.reset();
  from_.clear();
  to_.clear();
  ranks_.clear();
  problem_.clear();
}

void ScopeBar::set_range(const trace::Profile& profile, Interval range) {
  steps_.reset();
  range.begin = std::max(range.begin, profile.span.begin);
  range.end = std::min(range.end, profile.span.end);
  if (range.begin >= range.end || (range.begin == profile.span.begin && range.end == profile.span.end))
    scope_.range.reset();
  else
    scope_.range = range;
  problem_.clear();
}

void ScopeBar::set_steps(const trace::Profile& profile, std::uint32_t first, std::uint32_t last) {
  if (first > last) std::swap(first, last);
  if (last >= profile.steps.size()) return;
  steps_ = {first, last};
  scope_.range = analysis::range_of_steps(profile, scope_, first, last);
  if (!scope_.range) steps_.reset();
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
      problem_ = "The end must lie after the begin";
    } else {
      set_range(profile, {profile.span.begin + *from, profile.span.begin + *to});
      changed = true;
    }
  }
  if (!problem_.empty()) {
    ImGui::PushTextWrapPos(app.px(kPopupWidth));
    ImGui::PushStyleColor(ImGuiCol_Text, app.theme.error);
    ui::text(problem_);
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
  }
  const auto& marked = app.session.marked();
  if (small_button(app, "##marked", "Range marked in the Timeline", marked.has_value(),
                   marked ? "" : "Drag over the tracks of the Timeline to mark one")) {
    set_range(profile, *marked);
    changed = true;
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine(0, app.px(8));
  if (small_button(app, "##all", "All", scope_.range.has_value())) {
    scope_.range.reset();
    steps_.reset();
    changed = true;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return changed;
}

bool ScopeBar::draw_steps(AppContext& app, const trace::Profile& profile) {
  if (profile.steps.empty()) return false;
  std::string now = "all " + format_count(static_cast<std::int64_t>(profile.steps.size()));
  if (steps_) {
    now = fit_text(name_of(profile, steps_->first), app.px(140));
    if (steps_->second != steps_->first) now += " to " + fit_text(name_of(profile, steps_->second), app.px(140));
  }
  opener(app, "##steps", Part::steps, "Steps", now, steps_.has_value());
  if (!ImGui::BeginPopup("##steps")) return false;
  bool changed = false;
  text_muted("Click takes one step, Shift+click up to it");
  ImGui::BeginChild("##list", {app.px(kPopupWidth), app.px(kListHeight)});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(profile.steps.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto step = static_cast<std::uint32_t>(i);
      const bool within = steps_ && steps_->first <= step && step <= steps_->second;
      const std::string words = fmt::format("{}##{}", fit_text(name_of(profile, step), app.px(180)), i);
      if (ImGui::Selectable(words.c_str(), within, ImGuiSelectableFlags_DontClosePopups)) {
        const bool extend = steps_ && ImGui::GetIO().KeyShift;
        set_steps(profile, extend ? std::min(steps_->first, step) : step,
                  extend ? std::max(steps_->first, step) : step);
        changed = true;
      }
      const std::string length = format_duration(profile.steps[step].time.length());
      ImGui::SameLine(ImGui::GetWindowWidth() - ImGui::CalcTextSize(length.c_str()).x - app.px(16));
      text_muted(length);
    }
  ImGui::EndChild();
  if (small_button(app, "##all-steps", "All steps", steps_.has_value())) {
    steps_.reset();
    scope_.range.reset();
    changed = true;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return changed;
}

bool ScopeBar::draw_ranks(AppContext& app, const trace::Profile& profile) {
  if (profile.ranks.size() < 2) return false;
  opener(app, "##ranks", Part::ranks, "Ranks",
         scope_.ranks.empty() ? "all " + std::to_string(profile.ranks.size())
                              : fit_text(ranks_text(profile, scope_.ranks), app.px(160)),
         !scope_.ranks.empty());
  if (!ImGui::BeginPopup("##ranks")) return false;
  bool changed = false;
  if (ImGui::IsWindowAppearing()) {
    ranks_ = ranks_text(profile, scope_.ranks);
    problem_.clear();
  }
  if (ImGui::IsWindowAppearing()) focus_next_item();
  if (const auto entered = small_text(app, "##typed", ranks_, "0,3-5", app.px(kPopupWidth - 72))) {
    if (entered->empty()) {
      set_ranks(profile, {});
      changed = true;
    } else if (auto ranks = analysis::parse_ranks(profile, *entered)) {
      set_ranks(profile, std::move(*ranks));
      changed = true;
    } else {
      problem_ = sentence(ranks.error().message());
    }
  }
  ImGui::SameLine(0, app.px(8));
  if (small_button(app, "##all-ranks", "All", !scope_.ranks.empty())) {
    set_ranks(profile, {});
    changed = true;
  }
  if (!problem_.empty()) text_fitted(app, problem_, app.px(kPopupWidth), app.theme.error);
  ImGui::BeginChild("##list", {app.px(kPopupWidth), app.px(kListHeight)});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(profile.ranks.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto rank = static_cast<std::uint32_t>(i);
      const auto place = std::ranges::find(scope_.ranks, rank);
      bool on = scope_.ranks.empty() || place != scope_.ranks.end();
      const trace::Node& node = profile.nodes[profile.node_of_rank[rank]];
      const std::string words = fmt::format("rank {} · {}##{}", profile.ranks[rank]->number, node.label, i);
      const FieldEdge edge(app);
      if (!ImGui::Checkbox(words.c_str(), &on)) continue;
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
      changed = true;
    }
  ImGui::EndChild();
  ImGui::EndPopup();
  return changed;
}

bool ScopeBar::draw_nodes(AppContext& app, const trace::Profile& profile) {
  if (profile.nodes.size() < 2) return false;
  const auto all_of = [&](std::uint32_t node) {
    return std::ranges::all_of(profile.nodes[node].ranks, [&](std::uint32_t rank) {
      return scope_.ranks.empty() || std::ranges::find(scope_.ranks, rank) != scope_.ranks.end();
    });
  };
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t node = 0; node < profile.nodes.size(); ++node)
    if (!profile.nodes[node].ranks.empty() && all_of(node)) chosen.push_back(node);
  const bool every = scope_.ranks.empty();
  opener(app, "##nodes", Part::nodes, "Nodes",
         every                ? "all " + std::to_string(profile.nodes.size())
         : chosen.size() == 1 ? profile.nodes[chosen[0]].label
         : chosen.empty()     ? "parts of " + std::to_string(profile.nodes.size())
                              : fmt::format("{} of {}", chosen.size(), profile.nodes.size()),
         !every && !chosen.empty());
  if (!ImGui::BeginPopup("##nodes")) return false;
  bool changed = false;
  text_muted("Click takes one node, Ctrl+click adds it");
  ImGui::BeginChild("##list", {app.px(kPopupWidth), app.px(kListHeight)});
  for (std::uint32_t node = 0; node < profile.nodes.size(); ++node) {
    const trace::Node& each = profile.nodes[node];
    const bool on = !every && std::ranges::find(chosen, node) != chosen.end();
    const std::string words =
        fmt::format("{}{}##{}", each.label, each.host.empty() ? "" : " (" + each.host + ")", node);
    if (!ImGui::Selectable(words.c_str(), on, ImGuiSelectableFlags_DontClosePopups)) continue;
    std::vector<std::uint32_t> nodes{node};
    if (ImGui::GetIO().KeyCtrl && !every) {
      nodes = chosen;
      if (on)
        std::erase(nodes, node);
      else
        nodes.push_back(node);
    }
    set_ranks(profile, analysis::ranks_of_nodes(profile, nodes));
    changed = true;
  }
  ImGui::EndChild();
  if (small_button(app, "##all-nodes", "All nodes", !every)) {
    set_ranks(profile, {});
    changed = true;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return changed;
}

bool ScopeBar::draw(AppContext& app, const trace::Profile& profile) {
  ImGui::BeginGroup();
  bool changed = draw_time(app, profile);
  if (!profile.steps.empty()) ImGui::SameLine(0, app.px(8));
  changed = draw_steps(app, profile) || changed;
  if (profile.ranks.size() > 1) ImGui::SameLine(0, app.px(8));
  changed = draw_ranks(app, profile) || changed;
  if (profile.nodes.size() > 1) ImGui::SameLine(0, app.px(8));
  changed = draw_nodes(app, profile) || changed;
  if (restricted()) {
    ImGui::SameLine(0, app.px(8));
    if (small_button(app, "##clear", "Whole profile", true, app.commands.keys_text("dashboard.whole-profile", 1))) {
      clear();
      changed = true;
    }
  }
  ImGui::EndGroup();
  wanted_ = Part::none;
  return changed;
}

}  // namespace warpscope::ui
