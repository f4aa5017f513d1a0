#include "render/scene/timeline_scene.hpp"

#include <algorithm>
#include <cmath>

#include "core/trace/partial_ranks.hpp"
#include "core/trace/resident_only.hpp"
#include "render/scene/utilisation_scene.hpp"

namespace warpscope::scene {

namespace {

constexpr float kLabelCharacters = 3;       // a rectangle needs room for this many characters to get a name
constexpr std::size_t kSummaryTracks = 32;  // maximum number of tracks that a folded group draws on top of each other

/// Draws the rows of one block within [top, bottom) of the canvas.
class BlockPainter {
 public:
  BlockPainter(const TimelineInput& input, const Palette& palette, SliceLabels& slice_labels, HeatMaps& heat_maps,
               DrawList& out)
      : input_(input),
        profile_(*input.profile),
        colors_(theme_colors(input.theme)),
        palette_(palette),
        slice_labels_(slice_labels),
        heat_maps_(heat_maps),
        out_(out) {}

  void paint(const std::vector<Row>& rows, int offset, int top, int bottom) {
    auto row =
        std::partition_point(rows.begin(), rows.end(), [&](const Row& r) { return r.y + r.height + offset <= top; });
    for (; row != rows.end() && row->y + offset < bottom; ++row) {
      const std::size_t first_label = out_.labels.size();
      paint_row(*row, row->y + offset);
      // Drop names that would be partly under the pinned rows, because text is drawn on top of everything.
      if (row->y + offset < top) out_.labels.resize(first_label);
    }
  }

  /// Covers rows scrolled under the pinned rows and draws a line below them.
  void paint_ground(int height) {
    for (int y = 0; y < height; y += 255) push_band(y, std::min(255, height - y), colors_.ground);
    push_band(height, line_height(), colors_.muted);
  }

 private:
  [[nodiscard]] int line_height() const { return std::max(1, static_cast<int>(std::floor(input_.scale))); }

  void push_band(int y, int height, Color color) {
    out_.rects.push_back({0, static_cast<float>(input_.view.width()), static_cast<std::int16_t>(y),
                          static_cast<std::uint8_t>(height), 255, color});
  }

  void paint_row(const Row& row, int y) {
    const int height = content_height(row.height, input_.scale);
    if (row.level == 0 && row.first && row.kind == RowKind::header) push_band(y, row.height, colors_.panel);
    switch (row.kind) {
      case RowKind::header:
        return;
      case RowKind::utilisation:
        return paint_utilisation(row, y, height);
      case RowKind::counter:
        return draw_counter(counter_of_row(profile_, row), input_.view, {y, height, color_of(row), input_.scale}, out_);
      case RowKind::heat:
        return heat_maps_.draw(series_of_row(profile_, row), input_.view, {y, height, color_of(row), input_.scale},
                               out_);
      case RowKind::lane:
        return paint_lane(row.rank, row.item, y, height, true);
      case RowKind::summary:
        return paint_summary(row, y, height);
    }
  }

  /// All rows of a metric have the same color, for every core and GPU.
  [[nodiscard]] Color color_of(const Row& row) const {
    const trace::TreeEntry& entry = profile_.tree.entries[row.entry];
    if (entry.kind != trace::TreeKind::metric) return counter_color(row.item, input_.theme);
    const trace::Node& node = profile_.nodes[entry.node];
    const trace::MetricSeries& series = profile_.metrics[node.metrics]->series()[entry.item];
    return counter_color(static_cast<std::uint32_t>(series.metric), input_.theme);
  }

  void paint_utilisation(const Row& row, int y, int height) {
    if (row.by_class && row.rank == kNone)
      return draw_class_shares(mean_class_shares(profile_, row.entry, input_.view), {y, height, 0, input_.scale},
                               palette_, input_.hidden, out_);
    const std::vector<double> busy = mean_busy_shares(busy_of_entry(profile_, row.entry, input_.view), input_.view);
    if (row.by_class)
      return draw_class_shares(class_shares(*profile_.ranks[row.rank], busy, input_.view), {y, height, 0, input_.scale},
                               palette_, input_.hidden, out_);
    draw_shares(busy, {y, height, palette_.family(Family::computation), input_.scale}, out_);
  }

  void paint_summary(const Row& row, int y, int height) {
    const trace::Rank& rank = *profile_.ranks[row.rank];
    const std::vector<std::uint32_t> tracks = tracks_of_entry(profile_.tree, row.entry);
    for (std::size_t t = 0; t < std::min(tracks.size(), kSummaryTracks); ++t)
      for (const std::uint32_t lane : outermost_lanes(rank, rank.tracks[tracks[t]]))
        paint_lane(row.rank, lane, y, height, tracks.size() == 1);
  }

  void paint_lane(std::uint32_t rank, std::uint32_t index, int y, int height, bool labels) {
    const trace::Lane& lane = profile_.ranks[rank]->lanes[index];
    LaneBox box;
    box.y = y;
    box.height = height;
    box.palette = &palette_;
    box.names = &profile_.names();
    box.slice_labels = &slice_labels_;
    box.scale = input_.scale;
    box.label_padding_px = 4 * input_.scale;
    box.label_min_px = kLabelCharacters * input_.char_px + 2 * box.label_padding_px;
    box.labels = labels && input_.labels;
    box.hidden = input_.hidden;
    if (input_.highlight == nullptr) {
      draw_lane(lane, input_.view, box, out_);
      return;
    }
    const Highlight::LaneHits* hits = input_.highlight->find(rank, index);
    const auto first_dimmed = static_cast<std::ptrdiff_t>(out_.labels.size());
    box.alpha = kDimmed;
    draw_lane(lane, input_.view, box, out_);
    if (hits == nullptr) return;
    const auto first_found = static_cast<std::ptrdiff_t>(out_.labels.size());
    box.alpha = 1;
    draw_lane(lane, hits->tree, hits->indices.empty() ? nullptr : hits->indices.data(), input_.view, box, out_);
    drop_doubled_labels(first_dimmed, first_found);
  }

  /// A match shows its name in full color, so its dimmed copy is removed. Both ranges are sorted by x0.
  void drop_doubled_labels(std::ptrdiff_t first_dimmed, std::ptrdiff_t first_found) {
    const auto dimmed = out_.labels.begin() + first_dimmed;
    const auto found = out_.labels.begin() + first_found;
    auto next = found;
    const auto kept = std::remove_if(dimmed, found, [&](const Label& label) {
      while (next != out_.labels.end() && next->x0 < label.x0) ++next;
      return next != out_.labels.end() && next->x0 == label.x0;
    });
    out_.labels.erase(kept, found);
  }

  const TimelineInput& input_;
  const trace::Profile& profile_;
  const ThemeColors& colors_;
  const Palette& palette_;
  SliceLabels& slice_labels_;
  HeatMaps& heat_maps_;
  DrawList& out_;
};

// Returns the share of `seen` covered by a track's slices: its outermost lane and overlapping lanes. Returns nullopt if
// too many overlap to compute this every frame.
std::optional<double> track_share(const trace::Rank& rank, const trace::Track& track, Interval seen) {
  constexpr std::size_t kMostOverlaps = 4096;
  if (track.lane_count == 0) return std::nullopt;
  const std::vector<std::uint32_t> lanes = outermost_lanes(rank, track);
  const trace::IntervalTree& first = rank.lanes[lanes.front()].tree();
  std::vector<Interval> others;
  for (std::size_t l = 1; l < lanes.size(); ++l) {
    const trace::IntervalTree& tree = rank.lanes[lanes[l]].tree();
    const trace::IndexRange range = tree.overlapping(seen.begin, seen.end);
    if (others.size() + range.count() > kMostOverlaps) return std::nullopt;
    for (std::uint32_t i = range.first; i < range.last; ++i)
      others.push_back({std::max(seen.begin, tree.time().begin(i)), std::min(seen.end, tree.time().end(i))});
  }
  std::sort(others.begin(), others.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
  Ns busy = first.busy(seen.begin, seen.end);
  const trace::IntervalTree merged = trace::merged_intervals(others);
  for (std::uint32_t i = 0; i < merged.size(); ++i) {
    const Interval other{merged.time().begin(i), merged.time().end(i)};
    busy += other.length() - first.busy(other.begin, other.end);
  }
  return static_cast<double>(busy) / static_cast<double>(seen.length());
}

}  // namespace

int content_height(int row_height, float scale) {
  return std::max(1, row_height - std::max(1, static_cast<int>(std::lround(scale))));
}

int canvas_y(const TimelineInput& input, const Row& row) {
  return row.pinned ? row.y : input.layout->pinned_height() + row.y - input.scroll;
}

const DrawList& TimelineScene::update(const TimelineInput& input) {
  if (revision_ != 0 && !incomplete_ && input == input_) return list_;
  ++revision_;
  input_ = input;
  if (palette_.theme() != input_.theme) palette_ = Palette(input_.theme);
  list_.clear();
  incomplete_ = false;
  if (!input_.profile || !input_.layout) return list_;
  const trace::MissWatch watch;
  slice_labels_.use(*input_.profile);
  heat_maps_.use(input_.profile);
  BlockPainter painter(input_, palette_, slice_labels_, heat_maps_, list_);
  const int pinned = input_.layout->pinned_height();
  painter.paint(input_.layout->rows(), pinned - input_.scroll, pinned, input_.height);
  if (pinned > 0) {
    painter.paint_ground(pinned);
    painter.paint(input_.layout->pinned(), 0, 0, std::min(pinned, input_.height));
  }
  incomplete_ = watch.any();
  return list_;
}

std::optional<Box> box_of_slice(const TimelineInput& input, trace::SliceRef slice) {
  if (!input.profile || !input.layout || slice.rank >= input.profile->ranks.size()) return std::nullopt;
  const trace::Rank& rank = *input.profile->ranks[slice.rank];
  const trace::SlicePlace place = rank.locate(slice.slice);
  const std::uint32_t index = input.layout->row_of_lane(*input.profile, slice.rank, place.lane);
  if (index == Layout::kNone) return std::nullopt;
  const Row& row = input.layout->rows()[index];
  if (row.kind != RowKind::lane && row.kind != RowKind::summary) return std::nullopt;
  if (row.kind == RowKind::lane && row.item != place.lane) return std::nullopt;
  const auto time = recorded_time(rank, place);
  if (!time) return std::nullopt;
  const int y = canvas_y(input, row);
  return Box{input.view.to_px(time->begin), static_cast<double>(y), input.view.to_px(time->end),
             static_cast<double>(y + content_height(row.height, input.scale))};
}

std::optional<Interval> recorded_time(const trace::Rank& rank, trace::SlicePlace place) {
  return trace::if_resident([&] {
    const trace::TimeColumn& time = rank.lanes[place.lane].time();
    return Interval{time.begin(place.index), time.end(place.index)};
  });
}

std::optional<double> visible_share(const trace::Profile& profile, const Row& row, Interval range) {
  const Interval seen{std::max(range.begin, profile.span.begin), std::min(range.end, profile.span.end)};
  if (seen.empty() || row.entry == Row::kNone || !row.first) return std::nullopt;
  const trace::TreeEntry& entry = profile.tree.entries[row.entry];
  if (entry.kind == trace::TreeKind::stream || entry.kind == trace::TreeKind::thread) {
    const auto share = trace::if_resident([&]() -> std::optional<double> {
      const Interval known = trace::CoveredTime(profile).of(entry.rank, seen);
      if (known.empty()) return std::nullopt;
      return track_share(*profile.ranks[entry.rank], profile.ranks[entry.rank]->tracks[entry.item], known);
    });
    return share.value_or(std::nullopt);
  }
  const bool open_group = row.kind == RowKind::header && entry.kind != trace::TreeKind::gpu_device;
  if (open_group || row.kind == RowKind::counter || row.kind == RowKind::heat || row.kind == RowKind::summary)
    return std::nullopt;
  const TimeView view(seen, static_cast<double>(trace::BusyCurve::kParts));
  return trace::if_resident([&] { return busy_share(busy_of_entry(profile, row.entry, view), seen); })
      .value_or(std::nullopt);
}

}  // namespace warpscope::scene
