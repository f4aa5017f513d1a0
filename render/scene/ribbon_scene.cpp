#include "render/scene/ribbon_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

namespace warpscope::scene {
namespace {

constexpr double kLeastWaitPx = 2;  // minimum width of a marked wait, at 1×
constexpr double kLeastSkewPx = 4;  // minimum skew of a ribbon whose last rank is marked, at 1×
constexpr double kBeyond = 64;      // px that waits may extend beyond the canvas
constexpr double kFar = 100'000;    // px: same for quads, whose edges must keep their slope

/// Row on which the kernels of a place are drawn.
struct PlaceRow {
  bool shown = false;
  bool exact = false;  ///< its own row, not that of a folded ancestor
  double y0 = 0;
  double y1 = 0;

  [[nodiscard]] double middle() const { return (y0 + y1) / 2; }
};

PlaceRow row_of_place(const TimelineInput& input, RibbonPlace place) {
  PlaceRow row;
  const std::uint32_t index = input.layout->row_of_lane(*input.profile, place.rank, place.lane);
  if (index == Layout::kNone) return row;
  const Row& of = input.layout->rows()[index];
  row.shown = true;
  row.exact = of.kind == RowKind::lane && of.item == place.lane;
  row.y0 = canvas_y(input, of);
  row.y1 = row.y0 + content_height(of.height, input.scale);
  return row;
}

bool in_canvas(const TimelineInput& input, double y0, double y1) {
  return y1 > input.layout->pinned_height() && y0 < input.height;
}

class RibbonPainter {
 public:
  RibbonPainter(const TimelineInput& input, const RibbonSet& set, const std::optional<RibbonChoice>& choice)
      : input_(input), set_(set), choice_(choice), rows_(set.places().size()), known_(set.places().size()) {}

  RibbonsInView paint() {
    std::vector<std::uint32_t> shown = set_.largest_in(input_.view.visible(), kRibbonLimit);
    // Draw the selected ribbon last, on top of the others.
    if (choice_) {
      const std::uint32_t chosen = set_.find(choice_->id);
      std::erase(shown, chosen);
      if (chosen != Ribbon::kNone) shown.push_back(chosen);
    }
    for (const std::uint32_t index : shown) paint(set_.ribbons()[index]);
    return std::move(out_);
  }

 private:
  struct Drawn {
    const RibbonRun* run = nullptr;
    PlaceRow row;
    bool last = false;
  };

  const PlaceRow& row_of(std::uint32_t place) {
    PlaceRow& row = rows_[place];
    if (known_[place]) return row;
    known_[place] = true;
    row = row_of_place(input_, set_.places()[place]);
    return row;
  }

  [[nodiscard]] double px(Ns time, double beyond = kFar) const {
    return std::clamp(input_.view.to_px(time), -beyond, input_.view.width() + beyond);
  }

  /// Returns the runs to draw, from top to bottom, one per row.
  std::vector<Drawn> drawn_runs(const Ribbon& ribbon) {
    const auto runs = set_.runs_of(ribbon);
    std::vector<Drawn> drawn;
    const auto add = [&](std::uint32_t r) {
      const PlaceRow& row = row_of(runs[r].place);
      if (row.shown) drawn.push_back({&runs[r], row, ribbon.late && r == ribbon.last && ribbon.skew >= kEvenArrival});
    };
    if (ribbon.count <= kRibbonRanks) {
      for (std::uint32_t r = 0; r < ribbon.count; ++r) add(r);
    } else {
      std::array<std::uint32_t, 4> few{ribbon.early, ribbon.median, ribbon.last, Ribbon::kNone};
      if (choice_ && choice_->id == ribbon.id) {
        const auto own =
            std::ranges::lower_bound(runs, choice_->rank, {}, [](const auto& run) { return run.slice.rank; });
        few[3] = static_cast<std::uint32_t>(own - runs.begin());
      }
      std::ranges::sort(few);
      std::uint32_t before = Ribbon::kNone;
      for (const std::uint32_t r : few) {
        if (r < ribbon.count && r != before) add(r);
        before = r;
      }
    }
    // If several runs are on the row of a folded node, keep the last to arrive.
    std::ranges::stable_sort(drawn, {},
                             [](const Drawn& each) { return std::tuple(each.row.y0, !each.last, each.run->wait); });
    drawn.erase(std::ranges::unique(drawn, {}, [](const Drawn& each) { return each.row.y0; }).begin(), drawn.end());
    return drawn;
  }

  void paint(const Ribbon& ribbon) {
    const bool chosen = choice_ && choice_->id == ribbon.id;
    const double scale = static_cast<double>(input_.scale);
    const double length =
        static_cast<double>(saturating_difference(ribbon.time.end, ribbon.time.begin)) / input_.view.ns_per_px();
    const bool envelope = length < kEnvelopePx * scale;
    if (envelope && !chosen && static_cast<double>(ribbon.skew) / input_.view.ns_per_px() < scale) return;
    const std::vector<Drawn> drawn = drawn_runs(ribbon);
    if (drawn.empty()) return;
    if (envelope) {
      paint_envelope(ribbon, drawn, chosen);
      return;
    }
    ++out_.ribbons;
    for (std::size_t i = 0; i + 1 < drawn.size(); ++i) paint_quad(drawn[i], drawn[i + 1], chosen);
    const bool marked = chosen || static_cast<double>(ribbon.skew) / input_.view.ns_per_px() >= kLeastSkewPx * scale;
    for (const Drawn& each : drawn) paint_run(each, chosen, marked && (drawn.size() > 1 || each.row.exact));
  }

  void paint_envelope(const Ribbon& ribbon, const std::vector<Drawn>& drawn, bool chosen) {
    const double x0 = px(ribbon.time.begin);
    const double y0 = drawn.front().row.middle();
    const double y1 = drawn.back().row.middle();
    if (drawn.size() < 2 || !in_canvas(input_, y0, y1)) return;
    // Draw only one envelope per pixel column and pair of rows.
    if (!chosen && !columns_.emplace(static_cast<int>(x0), static_cast<int>(y0), static_cast<int>(y1)).second) return;
    const double x1 = std::max(x0 + static_cast<double>(input_.scale), px(ribbon.time.end));
    out_.quads.push_back({.upper_start = {x0, y0},
                          .upper_end = {x1, y0},
                          .lower_start = {x0, y1},
                          .lower_end = {x1, y1},
                          .upper = 0.5f,
                          .lower = 0.5f,
                          .chosen = chosen,
                          .envelope = true});
    ++out_.envelopes;
  }

  void paint_quad(const Drawn& upper, const Drawn& lower, bool chosen) {
    const double y0 = upper.row.exact ? upper.row.y1 : upper.row.middle();
    const double y1 = lower.row.exact ? lower.row.y0 : lower.row.middle();
    if (!in_canvas(input_, y0, y1)) return;
    const RibbonQuad quad{.upper_start = {px(upper.run->time.begin), y0},
                          .upper_end = {px(upper.run->time.end), y0},
                          .lower_start = {px(lower.run->time.begin), y1},
                          .lower_end = {px(lower.run->time.end), y1},
                          .upper = upper.run->lateness,
                          .lower = lower.run->lateness,
                          .chosen = chosen,
                          .folded = !upper.row.exact && !lower.row.exact};
    const double left = std::min(quad.upper_start.x, quad.lower_start.x);
    const double right = std::max(quad.upper_end.x, quad.lower_end.x);
    if (right > 0 && left < input_.view.width()) out_.quads.push_back(quad);
  }

  void paint_run(const Drawn& each, bool chosen, bool marked) {
    const PlaceRow& row = each.row;
    if (!in_canvas(input_, row.y0, row.y1)) return;
    const Interval& time = each.run->time;
    const double start = px(time.begin, kBeyond);
    const Ns last_start = std::min(time.end, saturating_add(time.begin, std::max<Ns>(0, each.run->wait)));
    const double arrived = px(last_start, kBeyond);
    const double scale = static_cast<double>(input_.scale);
    if (row.exact && arrived - start >= kLeastWaitPx * scale)
      out_.waits.push_back({{start, row.y0, arrived, row.y1}, chosen});
    if (marked && each.last && start > -kBeyond && start < input_.view.width() + kBeyond)
      out_.ticks.push_back({start, row.y0, row.y1, chosen});
  }

  const TimelineInput& input_;
  const RibbonSet& set_;
  const std::optional<RibbonChoice>& choice_;
  std::vector<PlaceRow> rows_;  // by place
  std::vector<bool> known_;
  std::set<std::tuple<int, int, int>> columns_;  // of envelopes: x and rows
  RibbonsInView out_;
};

}  // namespace

RibbonsInView ribbons_in_view(const TimelineInput& input, const RibbonSet& set,
                              const std::optional<RibbonChoice>& choice) {
  if (!input.profile || !input.layout || set.empty()) return {};
  if ((input.hidden & family_bit(Family::communication)) != 0) return {};
  return RibbonPainter(input, set, choice).paint();
}

std::vector<Counterpart> counterparts_in_view(const TimelineInput& input, const RibbonSet& set,
                                              const RibbonChoice& choice) {
  std::vector<Counterpart> found;
  const std::uint32_t index = set.find(choice.id);
  if (!input.profile || !input.layout || index == Ribbon::kNone) return found;
  const Interval visible = input.view.visible();
  for (const RibbonRun& run : set.runs_of(set.ribbons()[index])) {
    if (run.slice.rank == choice.rank || run.time.end < visible.begin || run.time.begin > visible.end) continue;
    const PlaceRow row = row_of_place(input, set.places()[run.place]);
    if (!row.shown || !in_canvas(input, row.y0, row.y1)) continue;
    const Box box{input.view.to_px(run.time.begin), row.y0, input.view.to_px(run.time.end), row.y1};
    // The ranks of a folded node share its row.
    if (!row.exact && !found.empty() && !found.back().exact && found.back().box.y0 == row.y0) {
      found.back().box.x0 = std::min(found.back().box.x0, box.x0);
      found.back().box.x1 = std::max(found.back().box.x1, box.x1);
    } else {
      found.push_back({box, row.exact});
    }
  }
  return found;
}

Color lateness_color(double lateness, Theme theme) {
  // Early, between, late; the middle is gray, so the hue alone shows the direction.
  const std::array<std::uint32_t, 3> stops = is_dark(theme)
                                                 ? std::array<std::uint32_t, 3>{0x4F9DFF, 0xA79BB5, 0xFF5A52}
                                                 : std::array<std::uint32_t, 3>{0x1F6FD6, 0x8D7F99, 0xD3261F};
  const double at = std::clamp(lateness, 0.0, 1.0) * 2;
  const std::size_t low = at < 1 ? 0 : 1;
  const double part = at - static_cast<double>(low);
  std::uint32_t mixed = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    const auto channel = [&](std::size_t stop) { return static_cast<double>(stops[stop] >> shift & 0xFF); };
    mixed |= static_cast<std::uint32_t>(std::lround(std::lerp(channel(low), channel(low + 1), part))) << shift;
  }
  return rgb(mixed);
}

}  // namespace warpscope::scene
