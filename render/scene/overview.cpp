#include "render/scene/overview.hpp"

#include <algorithm>
#include <cmath>

#include "core/trace/partial_ranks.hpp"
#include "core/trace/resident_only.hpp"
#include "render/scene/bucket_walk.hpp"
#include "render/scene/utilisation_scene.hpp"

namespace warpscope::scene {

namespace {

constexpr int kLeastStripPx = 4;
constexpr int kStripGapPx = 1;
constexpr double kLeastStepPx = 4;

struct HitSink {
  std::vector<std::uint8_t>& hits;

  void pixel(int px, const PixelBusy&) { mark(px, px + 1); }
  void own(std::uint32_t, double x0, double x1) { mark(x0, x1); }
  void mark(double x0, double x1) {
    const auto width = static_cast<double>(hits.size());
    const auto first = static_cast<std::size_t>(std::clamp(std::floor(x0), 0.0, width));
    const auto last = static_cast<std::size_t>(std::clamp(std::ceil(x1), 0.0, width));
    for (std::size_t i = first; i < last; ++i) hits[i] = 1;
  }
};

// Returns the outermost lanes of host threads, which are shown if there is no GPU activity.
std::vector<DeviceBusy> outermost_thread_lanes(const trace::Profile& profile, std::uint32_t first_node,
                                               std::uint32_t last_node) {
  std::vector<DeviceBusy> lanes;
  for (std::uint32_t node = first_node; node < last_node; ++node)
    for (const std::uint32_t rank : profile.nodes[node].ranks)
      for (const trace::Track& track : profile.ranks[rank]->tracks) {
        if (track.lane_count == 0 || track.process < 0) continue;  // the profiler's own spans belong to no process
        lanes.push_back({&profile.ranks[rank]->lanes[track.first_lane].tree()});
      }
  return lanes;
}

DeviceBusy busy_until(const trace::Rank& rank, const trace::Device& device, const TimeView& view, Ns until) {
  DeviceBusy busy = device_busy(rank, device, view, true);
  busy.until = until;
  return busy;
}

}  // namespace

Overview make_overview(const trace::Profile& profile, double width, int height, float scale) {
  Overview overview;
  overview.view = TimeView(profile.span, width);
  const auto least = std::max(1, static_cast<int>(std::lround(kLeastStripPx * scale)));
  const int gap = std::max(1, static_cast<int>(std::lround(kStripGapPx * scale)));
  const trace::CoveredTime covered(profile);
  const auto nodes = static_cast<int>(profile.nodes.size());
  const int count = std::clamp(height / (least + gap), 1, std::max(1, nodes));
  for (int s = 0; s < count && nodes > 0; ++s) {
    const auto first = static_cast<std::uint32_t>(static_cast<std::int64_t>(nodes) * s / count);
    const auto last = static_cast<std::uint32_t>(static_cast<std::int64_t>(nodes) * (s + 1) / count);
    std::vector<DeviceBusy> devices;
    for (std::uint32_t node = first; node < last; ++node)
      for (const std::uint32_t rank : profile.nodes[node].ranks)
        for (const trace::Device& device : profile.ranks[rank]->devices)
          devices.push_back(
              busy_until(*profile.ranks[rank], device, overview.view, covered.of(rank, profile.span).end));
    if (devices.empty()) devices = outermost_thread_lanes(profile, first, last);
    OverviewStrip strip;
    strip.node = first;
    strip.y = height * s / count;
    strip.height = std::clamp(height * (s + 1) / count - strip.y - gap, 1, 255);
    strip.shares = mean_busy_shares(devices, overview.view);
    overview.strips.push_back(std::move(strip));
  }
  for (const trace::StepGroup& step : profile.steps)
    overview.steps.push_back(static_cast<float>(overview.view.to_px(step.time.begin)));
  if (static_cast<double>(overview.steps.size()) * kLeastStepPx * scale > width) overview.steps.clear();
  return overview;
}

void mark_hits(Overview& overview, const Highlight* highlight) {
  overview.hits.clear();
  if (highlight == nullptr) return;
  overview.hits.assign(static_cast<std::size_t>(std::ceil(overview.view.width())), 0);
  HitSink sink{overview.hits};
  for (const Highlight::LaneHits& lane : highlight->lanes()) walk_buckets(lane.tree, overview.view, 2, sink);
}

void draw_overview(const Overview& overview, Theme theme, int y, int height, float scale, DrawList& out) {
  const ThemeColors& colors = theme_colors(theme);
  const float thickness = std::max(1.0f, std::floor(scale));
  const auto box_height = static_cast<std::uint8_t>(std::clamp(height, 1, 255));
  for (const float x : overview.steps)
    out.rects.push_back({x, x + thickness, static_cast<std::int16_t>(y), box_height, 255, colors.line});
  for (const OverviewStrip& strip : overview.strips)
    draw_shares(strip.shares, {y + strip.y, strip.height, family_color(Family::computation, theme), scale}, out);
  const auto mark_height = static_cast<std::uint8_t>(std::clamp(height / 4, 2, 255));
  for (std::size_t px = 0; px < overview.hits.size();) {
    std::size_t end = px + 1;
    if (overview.hits[px] != 0) {
      while (end < overview.hits.size() && overview.hits[end] != 0) ++end;
      const auto x0 = static_cast<float>(px);
      const float x1 = std::max(static_cast<float>(end), x0 + 2 * thickness);
      out.rects.push_back({x0, x1, static_cast<std::int16_t>(y), mark_height, 255, colors.search_hit});
    }
    px = end;
  }
}

const Overview& OverviewScene::update(std::shared_ptr<const trace::Profile> profile, double width, int height,
                                      float scale, std::shared_ptr<const Highlight> highlight) {
  const bool changed = incomplete_ || profile != profile_ || width != width_ || height != height_ || scale != scale_;
  const trace::MissWatch watch;
  if (changed) overview_ = profile ? make_overview(*profile, width, height, scale) : Overview{};
  if (changed || highlight != highlight_) {
    mark_hits(overview_, highlight.get());
    ++revision_;
  }
  incomplete_ = watch.any();
  profile_ = std::move(profile);
  highlight_ = std::move(highlight);
  width_ = width;
  height_ = height;
  scale_ = scale;
  return overview_;
}

}  // namespace warpscope::scene
