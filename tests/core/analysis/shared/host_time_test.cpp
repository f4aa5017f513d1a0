#include "core/analysis/shared/host_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

Ns union_of(std::vector<Interval> spans) {
  std::sort(spans.begin(), spans.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  Ns sum = 0;
  Ns reached = 0;
  for (const Interval& span : spans) {
    sum += std::max<Ns>(0, span.end - std::max(span.begin, reached));
    reached = std::max(reached, span.end);
  }
  return sum;
}

std::string slice(std::string_view category, int tid, Interval us, int correlation) {
  return fmt::format(R"(,{{"ph": "X", "cat": "{}", "name": "n", "pid": 1, "tid": {}, "ts": {}, "dur": {}, )"
                     R"("args": {{"correlation": {}}}}})",
                     category, tid, us.begin, us.length(), correlation);
}

}  // namespace

TEST_CASE("a launching thread is busy for the union of its operators and calls, regardless of overlap") {
  std::mt19937 random(5);
  // From few to many at a time: nested, overlapping, and more than a track has lanes.
  for (const int longest : {5, 60, 400, 9000}) {
    INFO(longest);
    std::string events = R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 20000, "dur": 1, )"
                         R"("args": {"correlation": 7, "device": 0}})";
    std::vector<Interval> busy{{10, 12}};
    events += slice("cuda_runtime", 1, busy[0], 7);
    for (int i = 0; i < 300; ++i) {
      const Ns begin = 100 + random() % 10'000;
      const Interval us{begin, begin + 1 + static_cast<Ns>(random() % static_cast<unsigned>(longest))};
      const bool op = i % 3 != 0;
      events += slice(op ? "cpu_op" : i % 2 == 0 ? "cuda_runtime" : "python_function", 1, us, -1);
      if (op || i % 2 == 0) busy.push_back(us);
      events += slice("cpu_op", 2, us, -1);  // a thread that launches nothing
    }
    const auto profile = load_events(events);
    const auto shared = launching_threads(*profile, {});
    const std::vector<HostThread>& threads = *shared;
    REQUIRE(threads.size() == 1);
    CHECK(profile->ranks[0]->tracks[threads[0].track].id == 1);
    CHECK(threads[0].busy.busy(profile->span.begin, profile->span.end) == 1000 * union_of(busy));
  }
}
