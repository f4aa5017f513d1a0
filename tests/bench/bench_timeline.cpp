// Measures drawing: the CPU time to make the draw list of a full view, at every zoom, for few and for many slices. Uses
// a generated profile with 64 lanes (streams with kernels, memcpys and collectives in steps; bursts of short kernels,
// long gaps), 64 rows × 1600 px. Measures thread time, not wall time, because the machine may be busy.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/profile.hpp"
#include "render/scene/timeline_scene.hpp"

namespace {

using namespace warpscope;
using trace::Family;

constexpr std::uint32_t kLanes = 64;
constexpr double kWidth = 1600;
constexpr double kMedianLimitMs = 8;
constexpr double kGrowthLimit = 2;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct KernelKind {
  std::string name;
  Family family;
  double typical_ns;
  int weight;
};

std::vector<KernelKind> kernel_kinds(std::mt19937_64& random) {
  std::vector<KernelKind> kinds;
  kinds.reserve(170);
  for (int i = 0; i < 120; ++i)
    kinds.push_back({fmt::format("void at::native::elementwise_kernel_{}<4, float>(int, float*)", i),
                     Family::computation, 1500.0 + static_cast<double>(random() % 6000), 10});
  for (int i = 0; i < 40; ++i)
    kinds.push_back({fmt::format("ampere_sgemm_{}x64_tn", 32 * (i + 1)), Family::computation,
                     20'000.0 + static_cast<double>(random() % 400'000), 4});
  for (int i = 0; i < 4; ++i)
    kinds.push_back({fmt::format("ncclDevKernel_AllReduce_{}", i), Family::communication, 900'000, 2});
  for (int i = 0; i < 6; ++i)
    kinds.push_back({fmt::format("Memcpy DtoD {} (Device -> Device)", i), Family::memory, 3000, 12});
  return kinds;
}

trace::Lane make_lane(std::uint32_t count, std::mt19937_64& random, const std::vector<KernelKind>& kinds,
                      const std::vector<NameId>& names, Ns begin, Interval& span) {
  std::vector<int> weights;
  weights.reserve(kinds.size());
  for (const KernelKind& kind : kinds) weights.push_back(kind.weight);
  std::discrete_distribution<std::size_t> pick(weights.begin(), weights.end());
  std::lognormal_distribution<double> spread(0, 0.6);
  std::exponential_distribution<double> gap(1.0 / 900);
  trace::Lane::Columns columns;
  Ns now = begin + static_cast<Ns>(random() % 100'000);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t kind = pick(random);
    const auto duration = static_cast<Ns>(200 + kinds[kind].typical_ns * spread(random));
    columns.time.push_back(now, duration);
    columns.names.push_back(names[kind]);
    columns.categories.push_back(1);
    columns.offsets.push_back(i);
    columns.families.push_back(kinds[kind].family);
    now += duration + static_cast<Ns>(gap(random));
    if (i % 1500 == 1499) now += 4'000'000 + static_cast<Ns>(random() % 2'000'000);  // gap between steps
    if (i % 97 == 96) now += static_cast<Ns>(random() % 150'000);                    // wait for the host
  }
  span = cover(span, {begin, now});
  return trace::Lane(trace::LaneKind::nested, 0, std::move(columns));
}

std::shared_ptr<const trace::Profile> make_profile(std::uint32_t slices) {
  std::mt19937_64 random(20'260'711);
  auto dictionary = std::make_shared<trace::Dictionary>();
  const std::vector<KernelKind> kinds = kernel_kinds(random);
  std::vector<NameId> names;
  names.reserve(kinds.size());
  for (const KernelKind& kind : kinds) names.push_back(dictionary->names.intern(kind.name));
  dictionary->categories.intern("kernel");
  auto rank = std::make_shared<trace::Rank>();
  rank->source.path = "generated";
  trace::SliceOrdinal next = 0;
  trace::Device device;
  for (std::uint32_t t = 0; t < kLanes; ++t) {
    trace::Track track;
    track.kind = trace::TrackKind::stream;
    track.label = fmt::format("stream {}", t);
    track.id = t;
    track.first_lane = t;
    track.lane_count = 1;
    rank->lanes.push_back(make_lane(slices / kLanes, random, kinds, names, 1'700'000'000'000'000'000, rank->span));
    rank->lane_start.push_back(next);
    next += rank->lanes.back().size();
    device.streams.push_back(t);
    rank->tracks.push_back(track);
  }
  rank->lane_start.push_back(next);
  rank->devices.push_back(std::move(device));
  return trace::assemble_profile("generated", dictionary, {rank}, {}, true);
}

struct Measured {
  double median_ms = 0;
  double p99_ms = 0;
  std::size_t rects = 0;
  std::size_t labels = 0;
  double unchanged_ns = 0;
};

double quantile(std::vector<double>& values, double q) {
  const auto at = static_cast<std::size_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

/// One view of a profile, drawn again and again.
class Subject {
 public:
  explicit Subject(scene::TimelineInput input) : input_(std::move(input)), view_(input_.view) {
    timeline_.update(input_);
  }
  void draw() {
    // A slightly different view each time, to avoid cached results.
    const std::size_t run = ms_.size();
    input_.view = view_.panned(run % 2 == 0 ? 7.3 : -11.9);
    if (input_.view == timeline_.input().view)
      input_.view = view_.zoomed(1.001 + 0.001 * static_cast<double>(run % 2), 500);
    const double begin = thread_seconds();
    const scene::DrawList& list = timeline_.update(input_);
    ms_.push_back(1e3 * (thread_seconds() - begin));
    result_.rects = std::max(result_.rects, list.rects.size());
    result_.labels = std::max(result_.labels, list.labels.size());
  }
  Measured take() {
    constexpr int kRepeats = 10'000;
    const double begin = thread_seconds();
    for (int i = 0; i < kRepeats; ++i) timeline_.update(input_);
    result_.unchanged_ns = 1e9 * (thread_seconds() - begin) / kRepeats;
    result_.median_ms = quantile(ms_, 0.5);
    result_.p99_ms = quantile(ms_, 0.99);
    return result_;
  }

 private:
  scene::TimelineInput input_;
  scene::TimeView view_;
  scene::TimelineScene timeline_;
  std::vector<double> ms_;
  Measured result_;
};

scene::TimelineInput make_input(std::uint32_t slices) {
  scene::TimelineInput input;
  input.profile = make_profile(slices);
  auto layout = std::make_shared<scene::Layout>(*input.profile, scene::TrackState{});
  // Exactly the 64 lanes fill the canvas: rows above them are scrolled out.
  const std::uint32_t first = layout->row_of_lane(*input.profile, 0, 0);
  input.scroll = layout->rows()[first].y;
  input.height = layout->height() - input.scroll;
  input.layout = layout;
  input.view = scene::TimeView(input.profile->span, kWidth);
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  const double factor = argc > 1 ? std::atof(argv[1]) : 8;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 60;
  const scene::TimelineInput many = make_input(5'000'000);
  const scene::TimelineInput few = make_input(500'000);
  fmt::print(
      "Draw list of {} rows × {} px; CPU time of the thread, {} runs each, zoomed in by {:.3g} from line to line\n\n",
      kLanes, kWidth, runs, factor);
  fmt::print("{:>12} │ {:^50} │ {:^27} │\n", "", "5 million slices", "0.5 million slices");
  fmt::print("{:>12} │ {:>7} {:>7} {:>8} {:>7} {:>8} {:>8} │ {:>8} {:>8} {:>9} │ {:>6}\n", "ns/px", "median", "p99",
             "µs/lane", "rects", "labels", "same", "median", "p99", "rects", "growth");
  double worst = 0;
  double worst_growth = 0;
  double worst_same = 0;
  const double kernel_ns_per_px = 5000 / kWidth;  // one kernel fills the canvas
  const double levels = std::log(many.view.ns_per_px() / kernel_ns_per_px) / std::log(factor);
  for (int level = 0; level < levels + 1; ++level) {
    const double ns_per_px = many.view.ns_per_px() / std::pow(factor, level);
    const double scale = std::max(ns_per_px, kernel_ns_per_px);
    const auto zoom = [&](scene::TimelineInput input) {
      // The same position for both sizes: in the first tenth, where the smaller profile is also full of slices.
      if (level > 0) {
        const Ns at = input.profile->span.begin + few.profile->span.length() / 3;
        input.view = input.view.zoomed(input.view.ns_per_px() / scale, 0).centred(at);
      }
      return Subject(std::move(input));
    };
    // Drawn in turn, so that both sizes see the same machine.
    Subject larger = zoom(many);
    Subject smaller = zoom(few);
    for (int run = 0; run < runs; ++run) {
      larger.draw();
      smaller.draw();
    }
    const Measured a = larger.take();
    const Measured b = smaller.take();
    const double growth = a.median_ms / b.median_ms;
    worst = std::max(worst, a.median_ms);
    worst_growth = std::max(worst_growth, growth);
    worst_same = std::max({worst_same, a.unchanged_ns, b.unchanged_ns});
    fmt::print("{:>12.1f} │ {:>7.2f} {:>7.2f} {:>8.1f} {:>7} {:>8} {:>5.0f} ns │ {:>8.2f} {:>8.2f} {:>9} │ {:>5.2f}×\n",
               scale, a.median_ms, a.p99_ms, 1e3 * a.median_ms / kLanes, a.rects, a.labels, a.unchanged_ns, b.median_ms,
               b.p99_ms, b.rects, growth);
  }
  const bool good = worst <= kMedianLimitMs && worst_growth <= kGrowthLimit && worst_same < 1000;
  fmt::print(
      "\n{}: worst median {:.2f} ms (limit {:.0f}), worst growth {:.2f}× (limit {:.0f}×), unchanged view {:.0f} ns\n",
      good ? "PASS" : "FAIL", worst, kMedianLimitMs, worst_growth, kGrowthLimit, worst_same);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
