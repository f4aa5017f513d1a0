#include "core/analysis/shared/curve_tracks.hpp"

#include <algorithm>

#include "core/analysis/shared/memory_bandwidth.hpp"
#include "core/analysis/shared/queue_lengths.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using trace::TreeKind;

namespace {

/// Returns the value in effect at a time.
double value_at(const trace::Counter& counter, Ns time) { return counter.summary(time, time + 1).mean; }

std::size_t count_of(const trace::Profile& profile, TreeKind kind) {
  return static_cast<std::size_t>(std::ranges::count(profile.tree.entries, kind, &trace::TreeEntry::kind));
}

}  // namespace

TEST_CASE("curves of a generated job are below its devices and agree with the analyses") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()));
  const auto profile = load(folder.path());
  const auto shown = analysis::with_curve_tracks(*profile);
  CHECK(shown->ranks == profile->ranks);
  CHECK(count_of(*shown, TreeKind::curves) == 2);
  CHECK(shown->tree.entries.size() == profile->tree.entries.size() + 2 + count_of(*shown, TreeKind::curve));
  for (std::uint32_t r = 0; r < 2; ++r) {
    const auto queues = analysis::queue_lengths(*profile, r);
    const auto copies = analysis::memory_bandwidths(*profile, r);
    REQUIRE_FALSE(queues.empty());
    REQUIRE_FALSE(copies.empty());
    const trace::RankCurves& curves = *shown->curves[r];
    REQUIRE(curves.size() == queues.size() + copies.size());
    for (std::size_t c = 0; c < curves.size(); ++c) {
      const bool queue = c < queues.size();
      const analysis::StepCurve& curve = queue ? queues[c].length : copies[c - queues.size()].rate;
      const double scale = queue ? 1 : 1e-9;
      CHECK(curves[c].counter.unit() == (queue ? "launches" : "GB/s"));
      for (std::size_t i = 0; i < curve.times.size(); ++i)
        if (curve.until(i) > curve.times[i])
          REQUIRE(value_at(curves[c].counter, curve.times[i]) == Approx(curve.values[i] * scale).epsilon(1e-6));
      CHECK(value_at(curves[c].counter, profile->span.begin) ==
            (curve.times[0] > profile->span.begin ? 0 : curve.values[0] * scale));
      CHECK(value_at(curves[c].counter, curve.end) == 0);
    }
  }
}

TEST_CASE("curves belong to their device") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2);
  events.run({.begin = 4, .length = 2, .correlation = 1});
  events.run({.begin = 8, .length = 1, .correlation = 2, .stream = 9, .device = 1});
  const auto shown = analysis::with_curve_tracks(*load_events(events.text()));
  std::vector<std::string> found;
  for (const trace::TreeEntry& entry : shown->tree.entries)
    if (entry.kind == TreeKind::curves || entry.kind == TreeKind::curve)
      found.push_back(entry.label + ", " + entry.note + ", " + entry.where);
  CHECK(found == std::vector<std::string>{
                     "GPU-0 queues and memcpys, computed, rank 0", "Queue of stream 7, launches, rank 0 · GPU-0",
                     "GPU-1 queues and memcpys, computed, rank 0", "Queue of stream 9, launches, rank 0 · GPU-1"});
}

TEST_CASE("a rank without launches and memcpys has no curves, and cancelling yields none") {
  const auto profile = load_events(TinyEvents().step(0, 0, 10).text());
  CHECK(count_of(*analysis::with_curve_tracks(*profile), TreeKind::curves) == 0);
  CancelToken cancelled;
  cancelled.cancel();
  const auto shown = analysis::with_curve_tracks(*profile, &cancelled);
  CHECK(shown->curves == std::vector<std::shared_ptr<const trace::RankCurves>>{nullptr});
}
