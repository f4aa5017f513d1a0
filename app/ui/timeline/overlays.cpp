#include "app/ui/timeline/overlays.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/timeline/arrow_drawing.hpp"
#include "app/ui/timeline/range_mark.hpp"
#include "app/ui/timeline/timeline_geometry.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr double kLeastStepPx = 24;  // boundaries of narrower steps would look like a grid

void line_down(ImDrawList& list, float x, float y0, float y1, float width, scene::Color color) {
  const float left = std::floor(x - width / 2 + 0.5f);
  list.AddRectFilled({left, y0}, {left + width, y1}, color);
}

void outline(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
             const scene::Box& box, float thickness, scene::Color color) {
  const float pinned = to_float(input.layout->pinned_height());
  const float width = to_float(input.view.width());
  const bool below = box.y0 >= input.layout->pinned_height() - 0.5;
  if (box.y1 <= 0 || box.y0 >= input.height || box.x1 < 0 || box.x0 > input.view.width()) return;
  // Slices narrower than their outline still get a visible one; edges beyond the canvas are clamped.
  const float x0 = std::max(to_float(std::max(box.x0, -16.0)), -16.0f);
  const float x1 = std::max(x0 + app.px(3), to_float(std::min(box.x1, input.view.width() + 16)));
  list.PushClipRect({at.x, at.y + (below ? pinned : 0.0f)}, {at.x + width, at.y + to_float(input.height)}, true);
  const float half = thickness / 2;
  list.AddRect({std::floor(at.x + x0) - half, at.y + to_float(box.y0) - half},
               {std::ceil(at.x + x1) + half, at.y + to_float(box.y1) + half}, color, app.px(2), 0, thickness);
  list.PopClipRect();
}

/// The row of the selected slice is folded: mark the row that represents it.
void mark_on_ancestor(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
                      trace::SliceRef slice) {
  const trace::Rank& rank = *input.profile->ranks[slice.rank];
  const trace::SlicePlace place = rank.locate(slice.slice);
  const std::uint32_t index = input.layout->row_of_lane(*input.profile, slice.rank, place.lane);
  if (index == scene::Row::kNone) return;
  const scene::Row& row = input.layout->rows()[index];
  const trace::TimeColumn& time = rank.lanes[place.lane].time();
  const double y = scene::canvas_y(input, row);
  outline(app, input, list, at,
          {input.view.to_px(time.begin(place.index)), y, input.view.to_px(time.end(place.index)),
           y + scene::content_height(row.height, input.scale)},
          app.px(1), app.theme.text);
}

ArrowLook look_of(const AppContext& app, bool strong) {
  // Many arrows show the overall pattern; a single one stands out when selected.
  if (!strong) return {.color = faded(app.theme.connection, 0.6f)};
  return {.color = app.theme.connection, .casing = app.theme.connection_casing, .thickness = 2, .head = 8, .dot = true};
}

void draw_range(const AppContext& app, const TimelineState& state, const scene::TimelineInput& input, ImDrawList& list,
                ImVec2 at, bool hot) {
  const RangeMark& range = *state.range();
  const double width = input.view.width();
  const double x0 = input.view.to_px(range.time.begin);
  const double x1 = input.view.to_px(range.time.end);
  const float left = at.x + to_float(std::clamp(x0, -2.0, width + 2));
  const float right = std::max(left + app.px(1), at.x + to_float(std::clamp(x1, -2.0, width + 2)));
  const float bottom = at.y + to_float(input.height);
  const float pinned = to_float(input.layout->pinned_height());
  const float edge = app.px(hot ? 2 : 1);
  float label_y = at.y + app.px(4);
  const auto band = [&](float y0, float y1) {
    list.AddRectFilled({left, y0}, {right, y1}, app.theme.range);
    line_down(list, left, y0, y1, edge, app.theme.accent);
    line_down(list, right, y0, y1, edge, app.theme.accent);
  };
  if (range.all_rows) {
    band(at.y, bottom);
  } else {
    bool first = true;
    const auto add = [&](const std::vector<scene::Row>& rows, float clip_top, float clip_bottom) {
      for (const scene::Row& row : rows) {
        const float y0 = std::max(clip_top, at.y + to_float(scene::canvas_y(input, row)));
        const float y1 = std::min(clip_bottom, at.y + to_float(scene::canvas_y(input, row) + row.height));
        if (y1 <= y0 || !covers(range, *input.profile, row)) continue;
        band(y0, y1);
        if (first) label_y = y0 + app.px(2);
        first = false;
      }
    };
    add(input.layout->pinned(), at.y, at.y + pinned);
    add(input.layout->rows(), at.y + pinned, bottom);
    if (first) return;
  }
  if (x1 < 0 || x0 > width) return;
  const std::string length = format_duration(range.time.length());
  const ImVec2 size = ImGui::CalcTextSize(length.c_str());
  const float pad = app.px(6);
  const float centre = (std::max(left, at.x) + std::min(right, at.x + to_float(width))) / 2;
  const float label_x =
      std::clamp(centre - size.x / 2, at.x + pad, std::max(at.x + pad, at.x + to_float(width) - size.x - pad));
  list.AddRectFilled({std::floor(label_x - pad), label_y},
                     {std::floor(label_x + size.x + pad), label_y + size.y + app.px(2)}, app.theme.accent, app.px(4));
  list.AddText({std::floor(label_x), label_y + app.px(1)}, app.theme.dark() ? app.theme.ground : 0xFFFFFFFFu,
               length.c_str());
}

}  // namespace

std::vector<scene::Box> boxes_of(const scene::TimelineInput& input, trace::SliceRef slice) {
  std::vector<scene::Box> boxes;
  if (!input.profile || !input.layout || slice.rank >= input.profile->ranks.size()) return boxes;
  if (const auto box = scene::box_of_slice(input, slice)) boxes.push_back(*box);
  const trace::Rank& rank = *input.profile->ranks[slice.rank];
  const trace::SlicePlace place = rank.locate(slice.slice);
  for (const scene::Row& row : input.layout->pinned()) {
    if (row.kind != scene::RowKind::lane || row.rank != slice.rank || row.item != place.lane) continue;
    const trace::TimeColumn& time = rank.lanes[place.lane].time();
    boxes.push_back({input.view.to_px(time.begin(place.index)), static_cast<double>(row.y),
                     input.view.to_px(time.end(place.index)),
                     static_cast<double>(row.y + scene::content_height(row.height, input.scale))});
  }
  return boxes;
}

void Overlays::draw_below(const AppContext& app, const scene::TimelineInput& input, ImDrawList& list, ImVec2 at,
                          const OverlayInput& over) const {
  if (over.steps == nullptr || !input.layout) return;
  const float bottom = at.y + to_float(input.height);
  const float right = at.x + to_float(input.view.width());
  // Draw the boundaries of tracks, so that deep threads are distinguishable without their labels.
  for (const scene::Row& row : input.layout->rows()) {
    const int y = scene::canvas_y(input, row);
    if (y >= input.height) break;
    if (!row.first || y <= input.layout->pinned_height()) continue;
    list.AddRectFilled({at.x, at.y + to_float(y - 1)}, {right, at.y + to_float(y - 1) + app.px(1)},
                       faded(app.theme.line, 0.5f));
  }
  const scene::Color color = faded(app.theme.muted, 0.30f);
  for (const scene::StepBox& box : *over.steps) {
    if (box.last - box.first != 1 || box.x1 - box.x0 < kLeastStepPx * app.px.scale || box.x0 <= 0) continue;
    line_down(list, at.x + to_float(box.x0), at.y, bottom, app.px(1), color);
  }
}

void Overlays::draw_above(const AppContext& app, const TimelineState& state, const scene::TimelineInput& input,
                          ImDrawList& list, ImVec2 at, const OverlayInput& over) {
  if (!input.profile || !input.layout) {
    arrows_.clear();
    return;
  }
  if (state.range()) draw_range(app, state, input, list, at, over.range_edge_hot);
  if (over.pointer_x)
    line_down(list, at.x + to_float(*over.pointer_x), at.y, at.y + to_float(input.height), app.px(1),
              faded(app.theme.text, 0.25f));
  if (over.hover && over.hover != over.selection)
    for (const scene::Box& box : boxes_of(input, *over.hover))
      outline(app, input, list, at, box, app.px(1), faded(app.theme.text, 0.8f));

  update_arrows(app, input, over.selection);
  path_.draw(app, input, list, at, over.path, over.path_link);
  const auto is_selected = [&](const scene::Arrow& arrow) {
    return over.selection && (arrow.launch == *over.selection || arrow.run == *over.selection);
  };
  for (const scene::Arrow& arrow : arrows_)
    if (!is_selected(arrow)) draw_arrow(app, list, at, arrow, look_of(app, false));
  for (const scene::Arrow& arrow : arrows_)
    if (is_selected(arrow)) draw_arrow(app, list, at, arrow, look_of(app, true));

  if (over.selection) {
    const std::vector<scene::Box> boxes = boxes_of(input, *over.selection);
    for (const scene::Box& box : boxes) outline(app, input, list, at, box, app.px(2), app.theme.text);
    if (boxes.empty()) mark_on_ancestor(app, input, list, at, *over.selection);
  }
  if (too_many_) {
    const char* words = "Too many launches in view to draw arrows: zoom in";
    const ImVec2 size = ImGui::CalcTextSize(words);
    const ImVec2 place(at.x + to_float(input.view.width()) - size.x - app.px(16),
                       at.y + to_float(input.height) - size.y - app.px(12));
    list.AddRectFilled({place.x - app.px(8), place.y - app.px(4)},
                       {place.x + size.x + app.px(8), place.y + size.y + app.px(4)}, app.theme.raised, app.px(4));
    list.AddText(place, app.theme.muted, words);
  }
}

void Overlays::update_arrows(const AppContext& app, const scene::TimelineInput& input,
                             const std::optional<trace::SliceRef>& selection) {
  const bool all = app.settings.all_launch_arrows;
  if (input == arrows_of_ && selection == arrows_for_ && all == all_) return;
  arrows_of_ = input;
  arrows_for_ = selection;
  all_ = all;
  arrows_.clear();
  too_many_ = false;
  if (all) {
    scene::ArrowsInView in_view = scene::arrows_in_view(input);
    too_many_ = in_view.too_many;
    arrows_ = std::move(in_view.arrows);
  }
  if (!selection) return;
  // Arrows of the selection are drawn even if their ends are outside the view; visible ones are already included.
  for (scene::Arrow& arrow : scene::arrows_of(input, *selection)) {
    const bool known = std::ranges::any_of(
        arrows_, [&](const scene::Arrow& other) { return other.launch == arrow.launch && other.run == arrow.run; });
    if (!known) arrows_.push_back(std::move(arrow));
  }
}

}  // namespace warpscope::ui
