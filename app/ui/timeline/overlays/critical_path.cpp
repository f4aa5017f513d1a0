#include "app/ui/timeline/overlays/critical_path.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kFew = 150;       // maximum number of arrows with a casing; more would hide everything else
constexpr std::size_t kMostWords = 40;  // maximum number of arrow labels
constexpr double kReach = 4;            // px at 1×: hover distance of an arrow
constexpr float kRoom = 12;             // px at 1×: minimum arrow length beyond its label

bool overlap(const WordBox& a, const WordBox& b) {
  return a.from.x < b.to.x && b.from.x < a.to.x && a.from.y < b.to.y && b.from.y < a.to.y;
}

}  // namespace

std::string words_of(const trace::Profile& profile, const scene::PathLink& link) {
  if (link.changes_rank())
    return "rank " + std::to_string(profile.ranks[link.from_rank]->number) + " → " +
           std::to_string(profile.ranks[link.to_rank]->number);
  std::string words(scene::words_of(link.kind));
  if (link.weight > 0) words += " " + format_duration(link.weight);
  return words;
}

std::optional<WordBox> place_in(ImVec2 centre, ImVec2 size, const WordBox& room) {
  if (centre.x < room.from.x || centre.x > room.to.x || centre.y < room.from.y || centre.y > room.to.y ||
      size.x > room.to.x - room.from.x || size.y > room.to.y - room.from.y)
    return std::nullopt;
  const ImVec2 from(std::floor(std::clamp(centre.x - size.x / 2, room.from.x, room.to.x - size.x)),
                    std::floor(std::clamp(centre.y - size.y / 2, room.from.y, room.to.y - size.y)));
  return WordBox{from, {from.x + size.x, from.y + size.y}};
}

std::optional<std::uint32_t> CriticalPathOverlay::link_at(scene::Point at, float scale) const {
  const auto found = scene::arrow_near(in_view_.arrows, at, kReach * static_cast<double>(scale));
  return found ? std::optional(in_view_.arrows[*found].link) : std::nullopt;
}

void CriticalPathOverlay::draw(const OverlayFrame& frame) {
  const auto& [app, input, list, at, over] = frame;
  const ShownPath* const shown = over.path;
  if (shown == nullptr) {
    in_view_ = {};
    made_of_ = {};
    chain_.reset();
    return;
  }
  if (chain_ != shown->chain || !(input == made_of_)) {
    in_view_ = scene::path_in_view(input, *shown->chain);
    made_of_ = input;
    chain_ = shown->chain;
  }
  const auto& links = chain_->links();
  const scene::PathSegment* segment = shown->segment ? &chain_->segments()[*shown->segment] : nullptr;
  const bool few = in_view_.arrows.size() <= kFew;
  const auto draw_edge = [&](const scene::PathArrow& each) {
    const scene::PathLink& link = links[each.link];
    const bool marked = over.path_link == each.link || (segment != nullptr && link.index == segment->index);
    ArrowLook look;
    look.color = few || marked ? app.theme.path : faded(app.theme.path, 0.8f);
    look.casing = few || marked ? app.theme.connection_casing : 0;
    look.thickness = marked ? 3.0f : few ? 2.0f : 1.0f;
    look.head = marked ? 10.0f : few ? 8.0f : 6.0f;
    look.dot = few;
    look.dashed = few && link.weight == 0 && !link.changes_rank();
    draw_arrow(frame, each.arrow, look);
  };
  const float pinned = to_float(input.layout->pinned_height());
  for (const scene::PathBar& bar : in_view_.bars) {
    if (to_float(bar.y) < pinned) continue;
    const float left = at.x + to_float(bar.x0);
    const float right = std::max(left + app.px(1), at.x + to_float(bar.x1));
    const float top = at.y + to_float(bar.y);
    list.AddRectFilled({left, top}, {right, top + app.px(4)}, app.theme.connection_casing);
    list.AddRectFilled({left, top}, {right, top + app.px(3)}, app.theme.path);
  }
  for (const scene::PathArrow& each : in_view_.arrows)
    if (over.path_link != each.link) draw_edge(each);
  for (const scene::PathArrow& each : in_view_.arrows)
    if (over.path_link == each.link) draw_edge(each);
  draw_words(frame, *chain_);
}

void CriticalPathOverlay::draw_words(const OverlayFrame& frame, const scene::PathChain& chain) const {
  const auto& [app, input, list, at, over] = frame;
  ImFont& font = *app.fonts.caption;
  std::vector<WordBox> taken;
  for (const scene::PathArrow& each : in_view_.arrows) {
    if (taken.size() >= kMostWords) return;
    const std::string words = words_of(*input.profile, chain.links()[each.link]);
    const ImVec2 size = font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, words.c_str());
    const scene::Arrow& arrow = each.arrow;
    const float length = to_float(std::hypot(arrow.to.x - arrow.from.x, arrow.to.y - arrow.from.y));
    if (length < size.x + app.px(kRoom)) continue;
    const scene::Point middle = scene::middle_of(arrow);
    const float pad = app.px(3);
    const auto place = place_in(
        {to_float(middle.x), to_float(middle.y)}, {size.x + 2 * pad, size.y + 1},
        {{0, to_float(input.layout->pinned_height())}, {to_float(input.view.width()), to_float(input.height)}});
    if (!place) continue;
    const WordBox box{{at.x + place->from.x, at.y + place->from.y}, {at.x + place->to.x, at.y + place->to.y}};
    if (std::ranges::any_of(taken, [&](const WordBox& other) { return overlap(box, other); })) continue;
    taken.push_back(box);
    list.AddRectFilled(box.from, box.to, app.theme.connection_casing, app.px(3));
    list.AddText(&font, font.FontSize, {box.from.x + pad, box.from.y}, app.theme.path, words.c_str());
  }
}

namespace registered::critical_path {

const OverlaySpec kOverlay{.id = "critical-path",
                           .make = make_overlay<CriticalPathOverlay>,
                           .name = "critical path",
                           .command = "path.hide",
                           .color = &scene::ThemeColors::path,
                           .active = [](const OverlayInput& over) { return over.path != nullptr; }};

}  // namespace registered::critical_path

}  // namespace warpscope::ui
