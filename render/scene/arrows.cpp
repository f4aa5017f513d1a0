#include "render/scene/arrows.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::scene {

namespace {

constexpr double kLeastBendPx = 24;  // distance the curve continues straight before it bends, at 1×
constexpr double kMostBendPx = 120;

/// An end of an arrow before and after clamping to the canvas.
struct End {
  Point at;
  ArrowEnd kind = ArrowEnd::exact;
  int beyond_x = 0;  ///< -1: left of the canvas, 1: right of it
  int beyond_y = 0;  ///< -1: above the rows, 1: below the canvas
};

const Row* pinned_row(const Layout& layout, std::uint32_t rank, std::uint32_t lane) {
  for (const Row& row : layout.pinned())
    if (row.kind == RowKind::lane && row.rank == rank && row.item == lane) return &row;
  return nullptr;
}

std::optional<End> place(const TimelineInput& input, std::uint32_t rank, std::uint32_t lane, double x) {
  const Layout& layout = *input.layout;
  const std::uint32_t index = layout.row_of_lane(*input.profile, rank, lane);
  const double top = layout.pinned_height();
  const double bottom = input.height;
  const auto middle_of = [&](const Row& row) {
    return canvas_y(input, row) + content_height(row.height, input.scale) / 2.0;
  };
  const Row* row = index == Layout::kNone ? nullptr : &layout.rows()[index];
  if (row == nullptr || middle_of(*row) < top || middle_of(*row) > bottom)
    if (const Row* pin = pinned_row(layout, rank, lane)) row = pin;
  if (row == nullptr) return std::nullopt;

  End end;
  end.at = {x, middle_of(*row)};
  if (row->kind != RowKind::lane || row->item != lane) end.kind = ArrowEnd::ancestor;
  end.beyond_x = x < 0 ? -1 : x > input.view.width() ? 1 : 0;
  if (!row->pinned) end.beyond_y = end.at.y < top ? -1 : end.at.y > bottom ? 1 : 0;
  if (end.beyond_x == 0 && end.beyond_y == 0) return end;
  end.kind = ArrowEnd::edge;
  end.at.x = std::clamp(x, 0.0, input.view.width());
  if (!row->pinned) end.at.y = std::clamp(end.at.y, top, std::max(top, bottom));
  return end;
}

/// Direction of the curve at an end: along the row, or perpendicular to the edge it was clamped to.
Point heading(const End& end, double sign) {
  if (end.beyond_y != 0) return {0, sign * end.beyond_y};
  if (end.beyond_x != 0) return {sign * end.beyond_x, 0};
  return {1, 0};
}

}  // namespace

std::optional<Arrow> make_arrow(const TimelineInput& input, std::uint32_t from_rank, const ArrowPlace& left,
                                std::uint32_t to_rank, const ArrowPlace& reached) {
  const std::optional<End> from = place(input, from_rank, left.lane, input.view.to_px(left.time));
  const std::optional<End> to = place(input, to_rank, reached.lane, input.view.to_px(reached.time));
  if (!from || !to) return std::nullopt;
  if (from->beyond_x != 0 && from->beyond_x == to->beyond_x) return std::nullopt;
  if (from->beyond_y != 0 && from->beyond_y == to->beyond_y) return std::nullopt;

  const double distance = std::hypot(to->at.x - from->at.x, to->at.y - from->at.y);
  const double bend =
      std::clamp(distance / 2, std::min(kLeastBendPx * input.scale, distance), kMostBendPx * input.scale);
  // At an end outside the canvas, the curve is perpendicular to the canvas edge.
  const Point out = heading(*from, -1);
  const Point in = heading(*to, 1);
  Arrow arrow;
  arrow.launch = {from_rank, left.slice};
  arrow.run = {to_rank, reached.slice};
  arrow.from = from->at;
  arrow.to = to->at;
  arrow.control1 = {from->at.x + out.x * bend, from->at.y + out.y * bend};
  arrow.control2 = {to->at.x - in.x * bend, to->at.y - in.y * bend};
  arrow.from_end = from->kind;
  arrow.to_end = to->kind;
  arrow.direction = in;
  return arrow;
}

std::optional<Arrow> make_arrow(const TimelineInput& input, std::uint32_t rank_index,
                                const trace::Connection& connection) {
  if (!input.profile || !input.layout || rank_index >= input.profile->ranks.size()) return std::nullopt;
  const trace::Rank& rank = *input.profile->ranks[rank_index];
  const trace::SlicePlace launch = rank.locate(connection.from);
  const trace::SlicePlace run = rank.locate(connection.to);
  const auto launch_time = recorded_time(rank, launch);
  const auto run_time = recorded_time(rank, run);
  if (!launch_time || !run_time) return std::nullopt;
  // Starts at the end of the launch, or inside it if the GPU activity had already started.
  const Ns left = std::clamp(run_time->begin, launch_time->begin, launch_time->end);
  return make_arrow(input, rank_index, {connection.from, launch.lane, left}, rank_index,
                    {connection.to, run.lane, run_time->begin});
}

std::vector<Arrow> arrows_of(const TimelineInput& input, trace::SliceRef slice) {
  std::vector<Arrow> arrows;
  if (!input.profile || slice.rank >= input.profile->ranks.size()) return arrows;
  const trace::Connections& launches = input.profile->ranks[slice.rank]->launches;
  const trace::Connections& graph = input.profile->ranks[slice.rank]->graph_edges;
  const auto add = [&](const trace::Connection& connection) {
    if (arrows.size() >= kArrowLimit) return;
    if (std::optional<Arrow> arrow = make_arrow(input, slice.rank, connection)) arrows.push_back(*arrow);
  };
  if (const trace::Connection* cause = launches.cause_of(slice.slice)) add(*cause);
  for (const trace::Connection& edge : graph.causes_of(slice.slice)) add(edge);
  for (const trace::Connection& edge : graph.caused_by(slice.slice)) add(edge);
  for (const trace::Connection& connection : launches.caused_by(slice.slice)) add(connection);
  return arrows;
}

ArrowsInView arrows_in_view(const TimelineInput& input) {
  ArrowsInView result;
  if (!input.profile || !input.layout) return result;
  const Interval visible = input.view.visible();
  const int top = input.layout->pinned_height();
  const auto add_row = [&](const Row& row) {
    if (row.kind != RowKind::lane || result.too_many) return;
    const trace::Rank& rank = *input.profile->ranks[row.rank];
    const trace::Lane& lane = rank.lanes[row.item];
    const trace::SliceOrdinal base = rank.lane_start[row.item];
    const auto add = [&](const trace::Connection& connection) {
      if (std::optional<Arrow> arrow = make_arrow(input, row.rank, connection)) result.arrows.push_back(*arrow);
    };
    if (lane.folded()) {
      if (rank.launches.size() == 0) return;
      lane.for_each_overlapping(visible.begin, visible.end, [&](std::uint32_t i) {
        if (result.too_many) return;
        for (const trace::Connection& connection : rank.launches.caused_by(base + i)) add(connection);
        result.too_many = result.arrows.size() > kArrowLimit;
      });
      return;
    }
    const trace::IndexRange range = lane.tree().overlapping(visible.begin, visible.end);
    const auto all = rank.launches.all();
    const auto first = std::ranges::lower_bound(all, base + range.first, {}, &trace::Connection::from);
    const auto last = std::ranges::lower_bound(first, all.end(), base + range.last, {}, &trace::Connection::from);
    if (static_cast<std::size_t>(last - first) + result.arrows.size() > kArrowLimit) {
      result.too_many = true;
      return;
    }
    for (auto connection = first; connection != last; ++connection) add(*connection);
  };
  const auto& rows = input.layout->rows();
  auto row = std::partition_point(rows.begin(), rows.end(),
                                  [&](const Row& r) { return canvas_y(input, r) + r.height <= top; });
  for (; row != rows.end() && canvas_y(input, *row) < input.height; ++row) add_row(*row);
  // Add the launches of pinned rows whose unpinned copy is out of view.
  for (const Row& pin : input.layout->pinned()) {
    if (pin.kind != RowKind::lane) continue;
    const std::uint32_t index = input.layout->row_of_lane(*input.profile, pin.rank, pin.item);
    const bool shown = index != Layout::kNone && rows[index].kind == RowKind::lane &&
                       canvas_y(input, rows[index]) + rows[index].height > top &&
                       canvas_y(input, rows[index]) < input.height;
    if (!shown) add_row(pin);
  }
  if (result.too_many) result.arrows.clear();
  return result;
}

}  // namespace warpscope::scene
