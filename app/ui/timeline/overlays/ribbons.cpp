// Collectives across ranks: a band joins the kernels of neighboring ranks from their arrivals to their common end.
// Bands are blue where ranks are early, red where they are late, and gray where ranks of different roles wait by
// design. Bands are drawn below the slices, so they do not cover any. Within a kernel, the wait for the last rank is
// hatched; the rest is transfer. A red tick marks the last rank.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui::registered::ribbons {

namespace {

constexpr float kBand = 0.13f;  // alpha
constexpr float kChosenBand = 0.34f;
constexpr float kEnvelope = 0.2f;
constexpr float kEdge = 0.55f;
constexpr float kStripe = 0.36f;
constexpr float kStripeEvery = 7;  // px at 1×
constexpr float kTickWidth = 3;

ImVec2 operator+(ImVec2 at, scene::Point point) { return {at.x + to_float(point.x), at.y + to_float(point.y)}; }

/// Fills a quad with colors that change from top to bottom.
void fill(ImDrawList& list, ImVec2 at, const scene::RibbonQuad& quad, scene::Color upper, scene::Color lower) {
  const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
  list.PrimReserve(6, 4);
  const auto first = static_cast<ImDrawIdx>(list._VtxCurrentIdx);
  for (const int corner : {0, 1, 2, 0, 2, 3}) list.PrimWriteIdx(static_cast<ImDrawIdx>(first + corner));
  list.PrimWriteVtx(at + quad.upper_start, uv, upper);
  list.PrimWriteVtx(at + quad.upper_end, uv, upper);
  list.PrimWriteVtx(at + quad.lower_end, uv, lower);
  list.PrimWriteVtx(at + quad.lower_start, uv, lower);
}

void draw_arrivals(const AppContext& app, ImDrawList& list, ImVec2 at, const scene::RibbonQuad& quad, float alpha) {
  const ImVec2 from = at + quad.upper_start;
  const ImVec2 to = at + quad.lower_start;
  const ImVec2 middle((from.x + to.x) / 2, (from.y + to.y) / 2);
  const float width = app.px(quad.chosen ? 2.0f : 1.0f);
  const auto color = [&](float lateness) {
    return faded(scene::lateness_color(static_cast<double>(lateness), app.theme.kind), alpha);
  };
  list.AddLine(from, middle, color(quad.upper), width);
  list.AddLine(middle, to, color(quad.lower), width);
}

void hatch(const AppContext& app, ImDrawList& list, ImVec2 at, const scene::Box& box) {
  const float x0 = at.x + to_float(box.x0);
  const float x1 = at.x + to_float(box.x1);
  const float y0 = at.y + to_float(box.y0);
  const float y1 = at.y + to_float(box.y1);
  const float height = y1 - y0;
  const scene::Color color = faded(app.theme.ground, kStripe);
  const int stripes = static_cast<int>(std::ceil((x1 - x0 + height) / app.px(kStripeEvery)));
  for (int stripe = 0; stripe < stripes; ++stripe) {
    const float x = x0 - height + static_cast<float>(stripe) * app.px(kStripeEvery);
    const float left = std::max(x, x0);
    const float right = std::min(x + height, x1);
    if (right > left) list.AddLine({left, y1 - (left - x)}, {right, y1 - (right - x)}, color, app.px(2));
  }
}

class Ribbons final : public Overlay {
 public:
  void draw_below(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    update(frame);
    if (in_view_.quads.empty()) return;
    push_clip(frame);
    for (const scene::RibbonQuad& quad : in_view_.quads) {
      const float alpha = quad.chosen ? kChosenBand : quad.envelope ? kEnvelope : kBand;
      const auto color = [&](float lateness) {
        return faded(scene::lateness_color(static_cast<double>(lateness), app.theme.kind), alpha);
      };
      fill(list, at, quad, color(quad.upper), color(quad.lower));
      if (!quad.envelope && !quad.folded) draw_arrivals(app, list, at, quad, quad.chosen ? 1 : kEdge);
    }
    list.PopClipRect();
  }

  void draw_under_names(const OverlayFrame& frame) override {
    if (in_view_.waits.empty()) return;
    push_clip(frame);
    for (const scene::RibbonWait& wait : in_view_.waits) hatch(frame.app, frame.list, frame.at, wait.box);
    frame.list.PopClipRect();
  }

  void draw(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    if (in_view_.empty()) return;
    push_clip(frame);
    for (const scene::RibbonQuad& quad : in_view_.quads)
      if (quad.folded) draw_arrivals(app, list, at, quad, quad.chosen ? 1 : kEdge);
    const scene::Color late = scene::lateness_color(1, app.theme.kind);
    for (const scene::RibbonTick& tick : in_view_.ticks) {
      const float x = at.x + std::floor(to_float(tick.x));
      list.AddRectFilled({x - app.px(kTickWidth), at.y + to_float(tick.y0)}, {x, at.y + to_float(tick.y1)}, late);
    }
    list.PopClipRect();
  }

  void write_state(JsonWriter& writer) const override {
    writer.member("ribbons", in_view_.ribbons);
    writer.member("ribbon_envelopes", in_view_.envelopes);
    writer.member("ribbon_waits", in_view_.waits.size());
    writer.member("ribbon_ticks", in_view_.ticks.size());
  }

 private:
  void update(const OverlayFrame& frame) {
    const OverlayInput& over = frame.over;
    if (set_ == over.ribbons && frame.input == made_of_ && choice_ == over.collective) return;
    set_ = over.ribbons;
    made_of_ = frame.input;
    choice_ = over.collective;
    in_view_ = set_ ? scene::ribbons_in_view(made_of_, *set_, choice_) : scene::RibbonsInView();
  }

  static void push_clip(const OverlayFrame& frame) {
    const auto& [app, input, list, at, over] = frame;
    list.PushClipRect({at.x, at.y + to_float(input.layout->pinned_height())},
                      {at.x + to_float(input.view.width()), at.y + to_float(input.height)}, true);
  }

  std::shared_ptr<const scene::RibbonSet> set_;
  scene::TimelineInput made_of_;
  std::optional<scene::RibbonChoice> choice_;
  scene::RibbonsInView in_view_;
};

}  // namespace

const OverlaySpec kOverlay{
    .id = "ribbons",
    .make = make_overlay<Ribbons>,
    .shown = OverlaySpec::Default::on,
    .name = "collectives across ranks",
    .command = "view.ribbons",
    .title = "Toggle collectives across ranks",
    .key = "X",
    .color = &scene::ThemeColors::accent,
    .active = [](const OverlayInput& over) { return over.ribbons != nullptr && !over.ribbons->empty(); }};

}  // namespace warpscope::ui::registered::ribbons
