// Draws the Findings page.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/findings/account_bar.hpp"
#include "app/ui/findings/findings_page.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "render/plots/evidence_chart.hpp"

namespace warpscope::ui {
namespace {

constexpr float kPageMargin = 16;
constexpr float kWidestText = 900;  // longer lines are hard to read
constexpr float kCardPad = 12;
constexpr float kBarWidth = 160;
constexpr float kLeastBeside = 840;  // narrower cards have the chart below the text
constexpr float kTextShare = 0.6F;
constexpr float kWidestChart = 480;
constexpr float kChartGap = 24;
constexpr float kScrollOverlap = 24;

/// Returns where the text may wrap next: at a space that does not follow a digit, so that "18.5 %" stays whole.
std::size_t next_break(std::string_view words, std::size_t from) {
  std::size_t space = words.find(' ', from);
  while (space != std::string_view::npos && space > 0 && is_digit(words[space - 1])) space = words.find(' ', space + 1);
  return std::min(space, words.size());
}

/// Draws text that wraps at `width` px; ImGui's own wrapping breaks "1.16 ms" after the point.
void wrapped_text(std::string_view words, float width, bool muted = false) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, 0});
  while (!words.empty()) {
    std::size_t end = 0;  // of the line
    for (std::size_t space = 0; end < words.size(); end = space) {
      space = next_break(words, end + 1);
      if (end > 0 && text_width(words.substr(0, space)) > width) break;
    }
    if (muted)
      text_muted(words.substr(0, end));
    else
      text(words.substr(0, end));
    words.remove_prefix(std::min(words.size(), end + 1));
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({0, 0});
}

}  // namespace

void FindingsPage::draw(AppContext& context) {
  update();
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const auto& profile = context.session.profile();
  if (!profile) {
    nothing_here(context, "Lists what wastes GPU time, its cost, and how to fix it.", "Open a directory.");
    return;
  }
  if (!result_) {
    panel_words(context, room, profile->complete ? "Evaluating rules…" : "Loading…",
                profile->complete ? "" : "Findings are shown once everything is loaded.");
    return;
  }
  if (!result_->evaluation) {
    panel_words(context, room, sentence(result_->evaluation.error().message()), "");
    return;
  }
  const float margin = px(kPageMargin);
  ImGui::SetCursorPos({margin, 0});
  ImGui::BeginChild("##findings", {room.x - margin, room.y}, 0, ImGuiWindowFlags_NoBackground);
  const float width = ImGui::GetContentRegionAvail().x - margin;
  ImGui::Dummy({0, margin - ImGui::GetStyle().ItemSpacing.y});
  draw_header(width);
  for (std::size_t i = 0; i < shown_findings(); ++i) draw_finding(i, width);
  draw_rules(width);
  if (scroll_to_details_ > 0) {
    ImGui::SetScrollHereY(0);
    --scroll_to_details_;
  }
  details_.draw(context, width);
  const float by = std::exchange(scroll_by_, 0.0F) * (room.y - px(kScrollOverlap));
  if (by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
  ImGui::EndChild();
}

void FindingsPage::draw_header(float width) {
  const rules::Evaluation& now = *evaluation();
  const std::string summary = rules::summary(now);
  const char* copy_words = "Copy";
  const float button = ImGui::CalcTextSize(copy_words).x + app_.px(16);
  const float y = ImGui::GetCursorPosY();
  heading(app_, rules::issues_in(now) > 0
                    ? "What to fix first"
                    : summary.substr(0, std::min({summary.find(". "), summary.find(": "), summary.find("; ")})));
  const float after = ImGui::GetCursorPosY();
  if (shown_findings() > 0) {
    ImGui::SetCursorPos({width - button, y});
    if (ImGui::Button(copy_words, {button, app_.px(28)})) copy();
    if (ImGui::IsItemHovered())
      tooltip(app_, "Copies all findings as text", {}, app_.commands.keys_text("findings.copy", 1));
  }
  ImGui::SetCursorPosY(after);
  wrapped_text(summary + " " + now.window, std::min(width - button, app_.px(kWidestText)), true);
  ImGui::Dummy({0, app_.px(2)});
  if (const auto clicked = draw_account_bar(app_, now, width)) choose(*clicked);
  ImGui::Dummy({0, app_.px(4)});
}

/// Lines to paste, with a button to copy them.
void FindingsPage::draw_code(std::size_t index, float width) {
  const rules::Finding& finding = evaluation()->findings[index].finding;
  ImGui::Dummy({0, app_.px(2)});
  const bool open = opened_ == index;
  if (small_switch(app_, "##code", "Code", open, "Shows profiler code that records the missing data"))
    opened_ = open ? std::nullopt : std::optional(index);
  ImGui::SameLine();
  if (small_button(app_, "##copy_code", "Copy the code")) copy_text(app_, finding.code);
  if (!open) return;
  std::string_view code = finding.code;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, 0});
  for (int line = 0; !code.empty(); ++line) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    ImGui::PushID(line);
    selectable_text(app_, "##line", code.substr(0, end), width, true);
    ImGui::PopID();
    code.remove_prefix(std::min(code.size(), end + 1));
  }
  ImGui::PopStyleVar();
}

void FindingsPage::draw_finding(std::size_t index, float width) {
  const rules::Ranked& ranked = evaluation()->findings[index];
  const rules::Finding& finding = ranked.finding;
  ImGui::PushID(static_cast<int>(index));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pad = app_.px(kCardPad);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  ImGui::BeginGroup();
  ImGui::Dummy({width, pad - ImGui::GetStyle().ItemSpacing.y});
  ImGui::Indent(pad);
  const float inner = width - 2 * pad;
  const bool chart = !finding.evidence.bars.empty();
  const bool beside = chart && inner >= app_.px(kLeastBeside);
  const float words = std::min(beside ? inner * kTextShare : inner, app_.px(kWidestText));
  if (finding.saving > 0) draw_cost(ranked, inner);
  text_muted(rules::numbered_title(*evaluation(), index));
  const ImVec2 below_title = ImGui::GetCursorPos();
  float end_of_chart = 0;
  if (beside) {
    const float chart_width = std::min(inner - words - app_.px(kChartGap), app_.px(kWidestChart));
    ImGui::SetCursorPos({below_title.x + inner - chart_width, below_title.y + app_.px(2)});
    draw_evidence(index, chart_width);
    end_of_chart = ImGui::GetCursorPosY();
    ImGui::SetCursorPos(below_title);
  }
  ImGui::PushFont(app_.fonts.heading);
  wrapped_text(finding.headline, words);
  ImGui::PopFont();
  for (const std::string& line : finding.evidence_lines) wrapped_text(line, words);
  wrapped_text(finding.advice, words, true);
  if (!finding.code.empty()) draw_code(index, words);
  if (chart && !beside) draw_evidence(index, std::min(inner, app_.px(kWidestChart)));
  if (!finding.places.empty()) {
    ImGui::Dummy({0, app_.px(2)});
    if (small_button(app_, "##show", "Show in the Timeline", true, finding.places.front().text)) show_place(index, 0);
    if (finding.places.size() > 1) {
      ImGui::SameLine();
      const bool open = opened_ == index;
      const std::string label = fmt::format(
          "{}{} occurrences", finding.places.size() < rules::kMostPlaces ? "" : "Worst ", finding.places.size());
      if (small_switch(app_, "##places", label, open, "Worst occurrences")) {
        chosen_ = index;
        opened_ = open ? std::nullopt : std::optional(index);
      }
      if (open) draw_places(index, inner);
    }
  }
  if (ImGui::GetCursorPosY() < end_of_chart) ImGui::SetCursorPosY(end_of_chart);
  ImGui::Unindent(pad);
  ImGui::Dummy({width, pad - ImGui::GetStyle().ItemSpacing.y});
  ImGui::EndGroup();
  list.ChannelsSetCurrent(0);
  const ImVec2 end{corner.x + width, ImGui::GetItemRectMax().y};
  list.AddRectFilled(corner, end, app_.theme.panel, app_.px(6));
  const float bar = app_.px(3);
  list.AddRectFilled(corner, {corner.x + bar, end.y}, finding.hint ? app_.theme.line : app_.theme.accent, app_.px(6),
                     ImDrawFlags_RoundCornersLeft);
  if (chosen_ == index) {
    list.AddRect(corner, end, app_.theme.accent, app_.px(6));
    if (scroll_to_chosen_) ImGui::SetScrollHereY(0.5f);
    scroll_to_chosen_ = false;
  }
  list.ChannelsMerge();
  ImGui::Dummy({0, app_.px(4)});
  ImGui::PopID();
}

/// Draws "saves at most 6.74 ms per step" on the right, and a bar that represents the step and shows the cost and,
/// within it, the saving.
void FindingsPage::draw_cost(const rules::Ranked& finding, float width) {
  const ImVec2 cursor = ImGui::GetCursorPos();
  const std::string words = rules::saving_text(*evaluation(), finding);
  const float bar = app_.px(kBarWidth);
  const float title = text_width(finding.rule->title) + app_.px(24);
  if (title + text_width(words) + bar + app_.px(12) > width) {  // too narrow for one line
    text_muted(words);
    return;
  }
  ImGui::SetCursorPosX(cursor.x + width - bar);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = app_.px(8);
  const float y = at.y + std::floor((ImGui::GetTextLineHeight() - height) / 2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto part = [&](double share) { return at.x + bar * static_cast<float>(std::clamp(share, 0.0, 1.0)); };
  list.AddRectFilled({at.x, y}, {at.x + bar, y + height}, app_.theme.raised, app_.px(2));
  list.AddRectFilled({at.x, y}, {part(finding.cost_share), y + height}, faded(app_.theme.accent, 0.4f), app_.px(2));
  list.AddRectFilled({at.x, y}, {part(finding.saving_share), y + height}, app_.theme.accent, app_.px(2));
  ImGui::InvisibleButton("##bar", {bar, ImGui::GetTextLineHeight()});
  if (ImGui::IsItemHovered())
    tooltip(app_, fmt::format("Costs {} of the evaluated time", format_share(finding.cost_share)),
            fmt::format("Fixing it saves {}{}", finding.finding.cause.empty() ? "at most " : "",
                        format_share(finding.saving_share)),
            "The bar represents one step");
  ImGui::SetCursorPos({cursor.x + width - bar - text_width(words) - app_.px(12), cursor.y});
  text_muted(words);
  ImGui::SetCursorPos(cursor);
}

void FindingsPage::draw_evidence(std::size_t index, float width) {
  const rules::Evidence& evidence = evaluation()->findings[index].finding.evidence;
  const ImVec2 size{width, app_.px(plots::evidence_height(evidence))};
  const auto over = charts_[index].draw(app_, "##evidence", size, app_.theme.panel,
                                        [&](float chart_width, float, const charts::ChartStyle& style) {
                                          return plots::draw_evidence(evidence, chart_width, style);
                                        });
  if (over.item && *over.item < evidence.bars.size())
    tooltip(app_, plots::bar_words(evidence, *over.item), evidence.title);
}

void FindingsPage::draw_places(std::size_t index, float width) {
  const trace::Profile& profile = *app_.session.profile();
  const auto& places = evaluation()->findings[index].finding.places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const rules::Place& place = places[i];
    const std::string words =
        fmt::format("{}  ·  {}  ·  {}", format_duration(place.time.length()),
                    format_time_at(saturating_difference(place.time.begin, profile.span.begin), 1000),
                    rules::place_words(place, profile));
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorPos();
    if (ImGui::Selectable("##place", false, 0, {width, 0})) show_place(index, i);
    const ImVec2 next = ImGui::GetCursorPos();
    ImGui::SetCursorPos({at.x + app_.px(8), at.y});
    text_fitted(app_, words, width - app_.px(16), app_.theme.text);
    ImGui::SetCursorPos(next);
    ImGui::PopID();
  }
}

void FindingsPage::draw_rules(float width) {
  ImGui::Dummy({0, app_.px(8)});
  heading(app_, "All rules");
  const Table& table = result_->rules;
  const float line = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  const float height = line * static_cast<float>(table.rows() + 1) + app_.px(8);
  ImGui::BeginChild("##rules", {width, height}, 0, ImGuiWindowFlags_NoBackground);
  TableView::Options options;
  options.clicked = [this](std::size_t row) { show_rule(*evaluation()->rules[row].rule); };
  options.tip = [this](std::size_t row) {
    const rules::Evaluated& rule = evaluation()->rules[row];
    return fmt::format("{}: {} Click to see its parameters and results.", rule.rule->name,
                       rules::description(*rule.rule));
  };
  rules_view_.draw(app_, "##all", table, options, height);
  ImGui::EndChild();
}

}  // namespace warpscope::ui
