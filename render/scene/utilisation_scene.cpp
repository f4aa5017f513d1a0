#include "render/scene/utilisation_scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/trace/partial_ranks.hpp"
#include "render/scene/bucket_walk.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/rows.hpp"

namespace warpscope::scene {

namespace {

constexpr double kFillAlpha = 0.55;  // area below a curve
constexpr double kBandAlpha = 0.35;  // between minimum and maximum of a counter
constexpr double kLinePx = 1.5;
constexpr double kColumnPx = 4;       // column width of means over many ranks
constexpr double kWhole = 100;        // full scale of percentages
constexpr double kFullCurve = 255;    // of trace::BusyCurve
constexpr double kWidestPart = 4;     // px, of a part of such a curve
constexpr double kLeastKnown = 1e-6;  // known share of a pixel; anything less is a rounding error

/// Adds the contents of a tree to an array of shares.
struct ShareSink {
  std::span<double> shares;
  double weight;

  void pixel(int px, const PixelBusy& busy) {
    if (static_cast<std::size_t>(px) < shares.size()) shares[static_cast<std::size_t>(px)] += weight * busy.total;
  }
  void own(std::uint32_t, double x0, double x1) {
    const double a = std::max(0.0, x0);
    const double b = std::min(static_cast<double>(shares.size()), x1);
    if (b <= a) return;
    const auto first = static_cast<std::size_t>(a);
    const auto last = static_cast<std::size_t>(std::ceil(b)) - 1;
    if (first == last) {
      shares[first] += weight * (b - a);
      return;
    }
    shares[first] += weight * (static_cast<double>(first + 1) - a);
    for (std::size_t i = first + 1; i < last; ++i) shares[i] += weight;
    shares[last] += weight * (b - static_cast<double>(last));
  }
};

/// Adds the contents of a tree to arrays of shares by family.
struct ClassSink {
  const trace::IntervalTree& tree;
  double weight;
  ShareSink computation, communication, memory;

  [[nodiscard]] ShareSink* of(Family family) {
    switch (family) {
      case Family::computation:
        return &computation;
      case Family::communication:
        return &communication;
      case Family::memory:
        return &memory;
      default:
        return nullptr;
    }
  }
  void add(Family family, int px, double share) {
    ShareSink* const sink = of(family);
    if (sink != nullptr && static_cast<std::size_t>(px) < sink->shares.size())
      sink->shares[static_cast<std::size_t>(px)] += weight * share;
  }
  void pixel(int px, const PixelBusy& busy) {
    if (tree.single_family()) return add(tree.family(0), px, busy.total);
    for (std::size_t f = 0; f < busy.by_family.size(); ++f) add(static_cast<Family>(f), px, busy.by_family[f]);
  }
  void own(std::uint32_t slice, double x0, double x1) {
    if (ShareSink* const sink = of(tree.family(slice))) sink->own(slice, x0, x1);
  }
};

/// Adds columns from left to right and merges equal neighbors into one rectangle. Two kinds of columns interleave, so
/// the index of the last one of each kind is stored.
class Columns {
 public:
  explicit Columns(DrawList& out) : out_(out) {}

  void add(std::size_t px, int y, int height, int fill, Color color) {
    if (height <= 0 || fill <= 0) return;
    const auto x = static_cast<float>(px);
    if (any_) {
      Rect& last = out_.rects[last_];
      if (last.x1 == x && last.y == y && last.height == height && last.fill == fill && last.color == color) {
        last.x1 = x + 1;
        return;
      }
    }
    any_ = true;
    last_ = out_.rects.size();
    out_.rects.push_back({x, x + 1, static_cast<std::int16_t>(y), static_cast<std::uint8_t>(height),
                          static_cast<std::uint8_t>(std::min(fill, 255)), color});
  }

 private:
  DrawList& out_;
  std::size_t last_ = 0;
  bool any_ = false;
};

/// Adds `weight` times one class of a rank's curve to the shares of a view.
void add_curve(const std::vector<std::uint8_t>& curve, Interval span, const TimeView& view, double weight,
               std::span<double> shares) {
  const double part = static_cast<double>(span.length()) / static_cast<double>(curve.size()) / view.ns_per_px();
  const double begin = view.to_px(span.begin);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i] == 0) continue;
    const double x0 = begin + static_cast<double>(i) * part;
    ShareSink{shares, weight * curve[i] / kFullCurve}.own(0, x0, x0 + part);
  }
}

/// Returns the busy time of a curve within a range, averaged over the devices.
double curve_time(const trace::Rank& rank, Interval range) {
  const trace::BusyCurve& curve = *rank.curve;
  if (range.begin <= rank.span.begin && rank.span.end <= range.end)
    return static_cast<double>(curve.busy) / static_cast<double>(rank.devices.size());
  const double part = static_cast<double>(rank.span.length()) / static_cast<double>(trace::BusyCurve::kParts);
  const double begin = static_cast<double>(saturating_difference(range.begin, rank.span.begin)) / part;
  const double end = static_cast<double>(saturating_difference(range.end, rank.span.begin)) / part;
  double sum = 0;
  for (std::size_t i = 0; i < trace::BusyCurve::kParts; ++i) {
    const auto at = static_cast<double>(i);
    const double within = std::min(at + 1, end) - std::max(at, begin);
    if (within > 0) sum += within * (curve.computation[i] + curve.communication[i] + curve.memory[i]) / kFullCurve;
  }
  return sum * part;
}

bool curve_serves(const trace::Rank& rank, const TimeView& view) {
  if (rank.curve == nullptr) return false;
  const double part = static_cast<double>(rank.span.length()) / static_cast<double>(trace::BusyCurve::kParts);
  return part <= kWidestPart * view.ns_per_px();
}

DeviceBusy busy_of(const trace::Profile& profile, const trace::CoveredTime& covered, DeviceRef device,
                   const TimeView& view) {
  const trace::Rank& rank = *profile.ranks[device.rank];
  DeviceBusy busy = device_busy(rank, rank.devices[device.device], view);
  if (const trace::PartialRank* partial = covered.find(device.rank)) busy.until = partial->until;
  return busy;
}

int line_height(const CurveBox& box) {
  return std::clamp(static_cast<int>(std::lround(kLinePx * box.scale)), 1, box.height);
}

/// Returns the y of a curve's line at `share` of the box: inside the box, at the bottom for 0.
int line_top(const CurveBox& box, double share, int thickness) {
  const auto rise = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * box.height));
  return box.y + box.height - std::max(rise, thickness);
}

}  // namespace

void add_busy_shares(const trace::IntervalTree& busy, const TimeView& view, double weight, std::span<double> shares) {
  ShareSink sink{shares, weight};
  walk_buckets(busy, view, 2, sink);
}

const trace::BusyCurve* curve_instead(const trace::Rank& rank, const TimeView& view) {
  return rank.rows.ready() == nullptr && curve_serves(rank, view) ? rank.curve.get() : nullptr;
}

DeviceBusy device_busy(const trace::Rank& rank, const trace::Device& device, const TimeView& view, bool curve) {
  DeviceBusy busy;
  if (curve ? curve_serves(rank, view) : curve_instead(rank, view) != nullptr)
    busy.rank = &rank;
  else
    busy.busy = &device.busy.get();
  return busy;
}

std::vector<DeviceBusy> busy_of_entry(const trace::Profile& profile, std::uint32_t entry, const TimeView& view) {
  const trace::CoveredTime covered(profile);
  std::vector<DeviceBusy> devices;
  for (const DeviceRef device : devices_of_entry(profile, entry))
    devices.push_back(busy_of(profile, covered, device, view));
  return devices;
}

std::vector<double> mean_busy_shares(std::span<const DeviceBusy> devices, const TimeView& view) {
  const auto pixels = static_cast<std::size_t>(std::ceil(view.width()));
  std::vector<double> shares(pixels, 0.0);
  std::vector<double> known(pixels, static_cast<double>(devices.size()));
  for (const DeviceBusy& device : devices) {
    if (device.busy != nullptr)
      add_busy_shares(*device.busy, view, 1, shares);
    else
      for (const auto* of :
           {&device.rank->curve->computation, &device.rank->curve->communication, &device.rank->curve->memory})
        add_curve(*of, device.rank->span, view, 1, shares);
    if (device.until >= view.visible().end) continue;
    const double end = std::clamp(view.to_px(device.until), 0.0, static_cast<double>(pixels));
    const auto first = static_cast<std::size_t>(end);
    if (first < pixels) known[first] -= static_cast<double>(first + 1) - end;
    for (std::size_t px = first + 1; px < pixels; ++px) known[px] -= 1;
  }
  for (std::size_t px = 0; px < pixels; ++px)
    shares[px] = known[px] > kLeastKnown ? std::min(shares[px] / known[px], 1.0) : 0;
  return shares;
}

std::optional<double> busy_share(std::span<const DeviceBusy> devices, Interval range) {
  double busy = 0;
  double whole = 0;
  for (const DeviceBusy& device : devices) {
    const Interval known{range.begin, std::min(range.end, device.until)};
    if (known.empty()) continue;
    busy += device.busy != nullptr ? static_cast<double>(device.busy->busy(known.begin, known.end))
                                   : curve_time(*device.rank, known);
    whole += static_cast<double>(known.length());
  }
  if (whole <= 0) return std::nullopt;
  return busy / whole;
}

ClassShares class_shares(const trace::Rank& rank, std::span<const double> busy, const TimeView& view) {
  const std::vector<double> zeros(busy.size(), 0.0);
  ClassShares shares{zeros, zeros, zeros};
  if (const trace::BusyCurve* curve = curve_instead(rank, view)) {
    add_curve(curve->computation, rank.span, view, 1, shares.computation);
    add_curve(curve->communication, rank.span, view, 1, shares.communication);
    add_curve(curve->memory, rank.span, view, 1, shares.memory);
    return shares;
  }
  const double weight = rank.devices.empty() ? 1 : 1 / static_cast<double>(rank.devices.size());
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::stream) continue;
    for (const std::uint32_t lane : outermost_lanes(rank, track)) {
      const trace::IntervalTree& tree = rank.lanes[lane].tree();
      ClassSink sink{
          tree, weight, {shares.computation, weight}, {shares.communication, weight}, {shares.memory, weight}};
      walk_buckets(tree, view, kOwnRectPx, sink);
    }
  }
  for (std::size_t px = 0; px < busy.size(); ++px) {
    double left = busy[px];
    for (std::vector<double>* of : {&shares.computation, &shares.communication, &shares.memory})
      left -= (*of)[px] = std::clamp((*of)[px], 0.0, std::max(left, 0.0));
    shares.computation[px] += std::max(left, 0.0);  // other activity
  }
  return shares;
}

ClassShares mean_class_shares(const trace::Profile& profile, std::uint32_t entry, const TimeView& view) {
  const auto pixels = static_cast<std::size_t>(std::ceil(view.width()));
  const TimeView coarse = view.resized(std::ceil(view.width() / kColumnPx));
  const auto columns = static_cast<std::size_t>(std::ceil(coarse.width()));
  std::map<std::uint32_t, std::vector<DeviceBusy>> ranks;
  const trace::CoveredTime covered(profile);
  for (const DeviceRef device : devices_of_entry(profile, entry))
    ranks[device.rank].push_back(busy_of(profile, covered, device, coarse));
  const std::vector<double> zeros(columns, 0.0);
  ClassShares sum{zeros, zeros, zeros};
  std::vector<double> known = zeros;
  for (const auto& [rank, devices] : ranks) {
    const ClassShares own = class_shares(*profile.ranks[rank], mean_busy_shares(devices, coarse), coarse);
    for (std::size_t c = 0; c < columns && coarse.to_time(static_cast<double>(c)) < devices.front().until; ++c) {
      known[c] += 1;
      sum.computation[c] += own.computation[c];
      sum.communication[c] += own.communication[c];
      sum.memory[c] += own.memory[c];
    }
  }
  const auto spread = [&](const std::vector<double>& from) {
    std::vector<double> to(pixels, 0.0);
    for (std::size_t px = 0; px < pixels; ++px) {
      const auto c =
          std::min(columns - 1, static_cast<std::size_t>(static_cast<double>(px) * coarse.width() / view.width()));
      if (known[c] > 0) to[px] = from[c] / known[c];
    }
    return to;
  };
  return {spread(sum.computation), spread(sum.communication), spread(sum.memory)};
}

void draw_class_shares(const ClassShares& shares, const CurveBox& box, const Palette& palette, FamilySet hidden,
                       DrawList& out) {
  struct Class {
    const std::vector<double>* shares;
    Color color;
    Columns columns;
  };
  std::vector<Class> classes;
  for (const auto& [family, of] :
       {std::pair(Family::computation, &shares.computation), std::pair(Family::communication, &shares.communication),
        std::pair(Family::memory, &shares.memory)})
    if ((hidden & family_bit(family)) == 0) classes.push_back({of, palette.family(family), Columns(out)});
  for (std::size_t px = 0; px < shares.computation.size(); ++px) {
    double sum = 0;
    int bottom = box.y + box.height;
    for (Class& one : classes) {
      if ((*one.shares)[px] <= 0) continue;
      sum += (*one.shares)[px];
      const int top = std::min(bottom, line_top(box, sum, 1));
      one.columns.add(px, top, bottom - top, 255, one.color);
      bottom = top;
    }
  }
}

void draw_shares(std::span<const double> shares, const CurveBox& box, DrawList& out) {
  Columns fill(out);
  Columns line(out);
  const int thickness = line_height(box);
  const Color faint = with_alpha(box.color, kFillAlpha);
  for (std::size_t px = 0; px < shares.size(); ++px) {
    if (shares[px] <= 0) continue;
    const int top = line_top(box, shares[px], thickness);
    fill.add(px, top, box.y + box.height - top, 255, faint);
    line.add(px, top, thickness, 255, box.color);
  }
}

void draw_counter(const trace::Counter& counter, const TimeView& view, const CurveBox& box, DrawList& out) {
  if (counter.size() == 0) return;
  const double low = std::min(0.0, counter.min());
  const double high = counter.unit() == "%" ? std::max(kWhole, counter.max()) : counter.max();
  const double range = high > low ? high - low : 1;
  const int thickness = line_height(box);
  const Color faint = with_alpha(box.color, kFillAlpha);
  const Color band_color = with_alpha(box.color, kBandAlpha);
  Columns fill(out);
  Columns band(out);
  Columns line(out);
  const auto width = static_cast<std::size_t>(std::ceil(view.width()));
  for (std::size_t px = 0; px < width; ++px) {
    const trace::Counter::Summary here = counter_at(counter, view, static_cast<double>(px));
    if (!here.any) continue;
    const int mean = line_top(box, (here.mean - low) / range, thickness);
    const int highest = line_top(box, (here.max - low) / range, thickness);
    const int lowest = line_top(box, (here.min - low) / range, thickness);
    fill.add(px, mean, box.y + box.height - mean, 255, faint);
    band.add(px, highest, lowest - highest, 255, band_color);
    line.add(px, mean, thickness, 255, box.color);
  }
}

trace::Counter::Summary counter_at(const trace::Counter& counter, const TimeView& view, double px) {
  const double left = std::floor(px);
  const Ns begin = view.to_time(left);
  return counter.summary(begin, std::max(saturating_add(begin, 1), view.to_time(left + 1)));
}

}  // namespace warpscope::scene
