#include "app/ui/timeline/label_column.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/canvas.hpp"
#include "app/ui/timeline/hover_card.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/trace/resident_only.hpp"
#include "render/scene/timeline_scene.hpp"

namespace warpscope::ui {
namespace {

constexpr float kIndent = 12;
constexpr float kMark = 12;  // width of the fold mark
constexpr float kButton = 16;
constexpr double kShareEvery = 0.1;  // s, while the view moves

void fold_mark(ImDrawList& list, const AppContext& app, ImVec2 middle, bool open, scene::Color color) {
  const float r = app.px(4);
  if (open)
    list.AddTriangleFilled({middle.x - r, middle.y - r / 2}, {middle.x + r, middle.y - r / 2},
                           {middle.x, middle.y + r * 0.75f}, color);
  else
    list.AddTriangleFilled({middle.x - r / 2, middle.y - r}, {middle.x + r * 0.75f, middle.y},
                           {middle.x - r / 2, middle.y + r}, color);
}

/// Left edges of the two buttons in a row, screen px.
struct RowButtons {
  float pin;
  float hide;
  float side;

  RowButtons(const AppContext& app, float right) : side(app.px(kButton)) {
    hide = right - app.px(4) - side;
    pin = hide - app.px(4) - side;
  }
  [[nodiscard]] bool on_pin(float x) const { return x >= pin && x < pin + side; }
  [[nodiscard]] bool on_hide(float x) const { return x >= hide && x < hide + side; }
};

/// Draws as much of `words` as fits; returns the width used.
float draw_fitted(ImDrawList& list, ImFont& font, ImVec2 at, float room, scene::Color color, std::string_view words) {
  if (room <= 0 || words.empty()) return 0;
  ImGui::PushFont(&font);
  const std::string shown = fit_text(words, room);
  ImGui::PopFont();
  if (shown != words && shown.size() <= 5) return 0;
  draw_text(list, font, at, color, shown);
  return text_width(font, shown);
}

constexpr std::string_view kGrowing = "growing";
constexpr std::string_view kUnfinished = "unfinished";
constexpr std::string_view kLate = "late";

/// Draws a dot and a word at the right end of a label; returns the width used.
float draw_mark(ImDrawList& list, const AppContext& app, std::string_view mark, float right, float y, float height) {
  ImFont& font = *app.fonts.small;
  const float width = text_width(font, mark);
  const float dot = app.px(6);
  list.AddCircleFilled({right - width - app.px(4) - dot / 2, y + std::floor(height / 2)}, dot / 2,
                       mark == kGrowing ? app.theme.accent : app.theme.warning);
  draw_text(list, font, {right - width, y + std::floor((height - font.FontSize) / 2)}, app.theme.muted, mark);
  return width + app.px(4) + dot + app.px(8);
}

}  // namespace

std::string_view file_mark(const AppContext& app, const trace::Profile& profile, const scene::Row& row) {
  const trace::TreeEntry& entry = profile.tree.entries[row.entry];
  if (!row.first || entry.kind != trace::TreeKind::process) return {};
  const std::string file(file_of(profile.ranks[entry.rank]->source.path));
  if (app.session.growing(file)) return kGrowing;
  return app.session.unfinished(file) ? kUnfinished : std::string_view();
}

void LabelColumn::draw_filter(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size) {
  const float height = std::min(app.px(28), size.y - app.px(4));
  ImGui::SetCursorScreenPos({at.x + app.px(8), at.y + std::floor((size.y - height) / 2)});
  const bool hidden = state.layout() && state.layout()->any_hidden();
  const float button = hidden ? app.px(24) + app.px(4) : 0;
  const float clear = state.tracks().filter.empty() ? 0 : app.px(24);
  ImGui::SetNextItemWidth(size.x - app.px(16) - button - clear);
  if (focus_) focus_next_item();
  focus_ = false;
  if (state.tracks().filter != filter_ && !ImGui::IsAnyItemActive()) filter_ = state.tracks().filter;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(app.px(8), std::floor((height - ImGui::GetFontSize()) / 2)));
  const bool changed = ImGui::InputTextWithHint("##track-filter", "Filter tracks", &filter_);
  ImGui::PopStyleVar();
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
    tooltip(app, "Shows only tracks whose names contain this text", {}, app.commands.keys_text("tracks.filter", 1));
  if (changed) state.edit_tracks([&](scene::TrackState& tracks) { tracks.filter = filter_; });
  if (clear > 0) {
    ImGui::SetCursorScreenPos(
        {at.x + size.x - app.px(8) - button - clear, at.y + std::floor((size.y - app.px(24)) / 2)});
    if (icon_button(app, "##clear-filter", Icon::close, "Show all tracks")) {
      filter_.clear();
      state.edit_tracks([](scene::TrackState& tracks) { tracks.filter.clear(); });
    }
  }
  if (!hidden) return;
  ImGui::SetCursorScreenPos({at.x + size.x - app.px(8) - app.px(24), at.y + std::floor((size.y - app.px(24)) / 2)});
  if (icon_button(app, "##show-hidden", Icon::eye, "Show hidden tracks", "tracks.show-hidden", true))
    app.commands.run("tracks.show-hidden");
}

void LabelColumn::draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, app.theme.panel);
  if (!state.layout()) return;
  update_shares(state, app.now);

  const float grip = app.px(4);  // half of the splitter
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("##labels", {std::max(1.0f, size.x - grip), size.y},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  hovered_ = ImGui::IsItemHovered();
  const bool pressed = ImGui::IsItemClicked(ImGuiMouseButton_Left);
  const bool menu = ImGui::IsItemClicked(ImGuiMouseButton_Right);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  Place under;
  if (hovered_) {
    const scene::TimelineInput input = state.input();
    const int y = static_cast<int>(mouse.y - at.y);
    const int pinned = state.layout()->pinned_height();
    const bool in_pinned = y < pinned;
    const std::uint32_t row =
        in_pinned ? state.layout()->pinned_at(y) : state.layout()->row_at(y - pinned + state.scroll());
    if (row != scene::Row::kNone) {
      under.row = in_pinned ? &state.layout()->pinned()[row] : &state.layout()->rows()[row];
      under.y = at.y + static_cast<float>(scene::canvas_y(input, *under.row));
    }
  }
  draw_rows(app, state, at, size, under.row);
  if (state.layout()->rows().empty() && state.layout()->pinned().empty())
    list.AddText({at.x + app.px(12), at.y + app.px(8)}, app.theme.muted,
                 state.tracks().filter.empty() ? "All tracks are hidden" : "No track matches");
  // A click may change the layout; pointers into the old one are not used afterwards.
  if (under.row != nullptr) {
    if (!TrackMenu::is_open()) row_tooltip(app, state, *under.row);
    if (menu) menu_.open(state, *under.row);
    if (pressed) click(app, state, under, at, size.x);
  }
  menu_.draw(app, state);
}

void LabelColumn::draw_rows(AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size,
                            const scene::Row* hovered) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const scene::TimelineInput input = state.input();
  const scene::Layout& layout = *state.layout();
  const auto pinned = static_cast<float>(layout.pinned_height());
  const auto draw_block = [&](const std::vector<scene::Row>& rows, float top, float bottom) {
    list.PushClipRect({at.x, top}, {at.x + size.x, bottom}, true);
    for (const scene::Row& row : rows) {
      const float y = at.y + static_cast<float>(scene::canvas_y(input, row));
      if (y + static_cast<float>(row.height) <= top) continue;
      if (y >= bottom) break;
      draw_row(app, state, {&row, y}, at, size.x, &row == hovered);
    }
    list.PopClipRect();
  };
  draw_block(layout.rows(), at.y + pinned, at.y + size.y);
  if (pinned > 0) {
    draw_block(layout.pinned(), at.y, at.y + std::min(pinned, size.y));
    list.AddRectFilled({at.x, at.y + pinned - app.px(1)}, {at.x + size.x, at.y + pinned}, app.theme.muted);
  }
}

void LabelColumn::draw_row(AppContext& app, const TimelineState& state, const Place& place, ImVec2 at, float width,
                           bool hovered) {
  const scene::Row& row = *place.row;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto height = static_cast<float>(row.height);
  if (hovered) list.AddRectFilled({at.x, place.y}, {at.x + width, place.y + height}, app.theme.raised);
  ImFont& font = row_font(app, state.tracks().density);
  const float size = font.FontSize;
  const float text_y = place.y + std::floor((height - size) / 2);
  const float right = at.x + width - app.px(8);
  float x = at.x + app.px(8) + app.px(kIndent) * static_cast<float>(row.level);
  if (row.foldable) {
    fold_mark(list, app, {x + app.px(kMark) / 2, place.y + std::floor(height / 2)}, row.open,
              hovered ? app.theme.text : app.theme.muted);
  }
  x += app.px(kMark) + app.px(4);

  float room = right - x;
  if (hovered) {
    const RowButtons buttons(app, at.x + width - app.px(4));
    const float y = place.y + std::floor((height - buttons.side) / 2);
    const float mouse = ImGui::GetIO().MousePos.x;
    const bool pinned = state.tracks().is_pinned(state.profile()->tree.entries[row.entry].key);
    draw_icon(list, Icon::pin, {buttons.pin, y}, buttons.side,
              buttons.on_pin(mouse) ? app.theme.text
              : pinned              ? app.theme.accent
                                    : app.theme.muted);
    draw_icon(list, Icon::eye, {buttons.hide, y}, buttons.side,
              buttons.on_hide(mouse) ? app.theme.text : app.theme.muted);
    room = buttons.pin - app.px(4) - x;
  } else if (const std::string figure = figure_of(state, row); !figure.empty()) {
    ImFont& mono = &font == app.fonts.small ? font : *app.fonts.mono;
    const float figure_width = text_width(mono, figure);
    draw_text(list, mono, {right - figure_width, place.y + std::floor((height - mono.FontSize) / 2)}, app.theme.muted,
              figure);
    room = right - figure_width - app.px(8) - x;
  }
  if (const std::string_view mark = file_mark(app, *state.profile(), row); !mark.empty())
    room -= draw_mark(list, app, mark, x + room, place.y, height);
  if (row.first &&
      !late_reason(matcher_.ranks(), *state.profile(), state.profile()->tree.entries[row.entry], row.open).empty())
    room -= draw_mark(list, app, kLate, x + room, place.y, height);
  const bool group = row.kind == scene::RowKind::header && row.level == 0;
  const float taken = draw_fitted(list, font, {x, text_y}, room, app.theme.text, row.label);
  const float gap = taken > 0 ? app.px(8) : 0;
  draw_fitted(list, font, {x + taken + gap, text_y}, room - taken - gap, app.theme.muted, row.note);
  if (group && place.y > at.y) list.AddRectFilled({at.x, place.y}, {at.x + width, place.y + app.px(1)}, app.theme.line);
}

void LabelColumn::click(AppContext& app, TimelineState& state, const Place& place, ImVec2 at, float width) {
  const RowButtons buttons(app, at.x + width - app.px(4));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double anchor = place.y - at.y;
  const std::uint32_t entry = place.row->entry;
  const std::uint64_t key = state.profile()->tree.entries[entry].key;
  if (buttons.on_pin(mouse.x)) {
    toggle_pinned(state, key);
  } else if (buttons.on_hide(mouse.x)) {
    hide_track(state, key);
  } else if (place.row->foldable) {
    const bool open = !place.row->open;
    const bool all = ImGui::GetIO().KeyShift;
    state.edit_tracks([&](scene::TrackState& tracks) { tracks.set_open(state.profile()->tree, entry, open, all); },
                      anchor);
  }
}

void LabelColumn::row_tooltip(const AppContext& app, const TimelineState& state, const scene::Row& row) const {
  const RowButtons buttons(app, ImGui::GetItemRectMax().x);
  const float x = ImGui::GetIO().MousePos.x - app.px(4);
  const trace::TreeEntry& entry = state.profile()->tree.entries[row.entry];
  if (buttons.on_pin(x)) {
    tooltip(app, state.tracks().is_pinned(entry.key) ? "Unpin" : "Pin to the top");
    return;
  }
  if (buttons.on_hide(x)) {
    tooltip(app, "Hide", {}, "Use the context menu to show hidden tracks");
    return;
  }
  std::string title = entry.label;
  if (!entry.note.empty()) title += "  " + entry.note;
  if (!row.first && !row.note.empty()) title += "  " + std::string(row.note);
  std::string facts;
  if (const auto share = shares_.find(row.entry); row.first && share != shares_.end() && share->second)
    facts = "Busy for " + format_share(*share->second) + " of the visible time";
  if (const std::string_view mark = file_mark(app, *state.profile(), row); !mark.empty())
    facts += std::string(facts.empty() ? "" : "\n") +
             (mark == kGrowing ? "The file is still being written and is read as it grows"
                               : "The file is truncated; showing the events up to that point");
  if (const std::string_view late = late_reason(matcher_.ranks(), *state.profile(), entry, row.open);
      row.first && !late.empty())
    facts.append(facts.empty() ? "" : "\n").append("Others wait for ").append(late);
  tooltip(app, title, facts,
          row.foldable ? (row.open ? "Click to collapse, Shift+click for all children"
                                   : "Click to expand, Shift+click for all children")
                       : "Right-click for more");
}

void LabelColumn::update_shares(const TimelineState& state, double now) {
  const Interval range = state.view().visible();
  const scene::Layout* layout = state.layout().get();
  if (layout == shares_of_ && range == shares_range_) return;
  if (layout == shares_of_ && !state.settled() && now - shares_at_ < kShareEvery) return;
  shares_.clear();
  shares_of_ = layout;
  shares_range_ = range;
  shares_at_ = now;
}

/// Returns the busy percentage of the visible time, or the scale of a curve.
std::string LabelColumn::figure_of(const TimelineState& state, const scene::Row& row) {
  if (const std::optional<double> share = row.first ? share_of(state, row) : std::nullopt) return format_share(*share);
  if (row.kind != scene::RowKind::counter) return {};
  const trace::Counter& counter = scene::counter_of_row(*state.profile(), row);
  return counter.unit() == "%" ? std::string() : "max " + counter_text(counter.max(), counter.unit());
}

std::optional<double> LabelColumn::share_of(const TimelineState& state, const scene::Row& row) {
  const auto known = shares_.find(row.entry);
  if (known != shares_.end()) return known->second;
  const trace::MissWatch watch;
  const std::optional<double> share = scene::visible_share(*state.profile(), row, shares_range_);
  if (!watch.any()) shares_.emplace(row.entry, share);
  return share;
}

}  // namespace warpscope::ui
