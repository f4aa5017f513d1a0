// Traces where the input of an analysis is missing or unusual: every analysis returns a result, and an empty main table
// explains why.
#include <fmt/format.h>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/shared_results.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

using Run = TinyEvents::Run;

/// `shared`: as in the window, where analyses share results; null computes each by itself, as commands do.
void check_all(const trace::Profile& profile, SharedResults* shared = nullptr) {
  const Interval whole = profile.span;
  const Interval nothing{whole.end + 1'000'000, whole.end + 2'000'000};
  for (const Analysis& analysis : analyses()) {
    const bool as_hta = std::ranges::any_of(analysis.parameters, [](const auto& each) { return each.name == "hta"; });
    std::vector<std::vector<Setting>> variants{{}};
    if (as_hta) variants.push_back({{"hta", "true"}});
    if (as_hta) variants.push_back({{"hta", "true"}, {"hta_rounding", "true"}});
    for (const std::vector<Setting>& settings : variants) {
      for (const Scope& scope : {Scope{}, Scope{{}, whole}, Scope{{}, nothing}}) {
        INFO(analysis.name << " with " << settings.size() << " settings");
        const auto tables = run_analysis(analysis, profile, scope, settings, nullptr,
                                         analysis.compares ? &profile : nullptr, nullptr, shared);
        INFO((tables ? std::string() : tables.error().message()));
        REQUIRE(tables);
        REQUIRE_FALSE(tables->empty());
        if (tables->front().rows() == 0) CHECK_FALSE(tables->front().note.empty());
      }
    }
  }
}

}  // namespace

TEST_CASE("every analysis works without a GPU") {
  TinyEvents events;
  events.step(1, 0, 10).step(2, 10, 10).op("aten::mm", 1, 2).annotation("forward", 1, 5);
  check_all(*load_events(events.text()));
}

TEST_CASE("every analysis works without launch records") {
  TinyEvents events;
  events.step(1, 0, 10).step(2, 10, 10).run({.begin = 1, .length = 3}).run({.begin = 12, .length = 3});
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 2, .length = 5, .stream = 20});
  check_all(*load_events(events.text()));
}

TEST_CASE("every analysis works if one launch has many kernels") {
  TinyEvents events;
  events.step(1, 0, 100).launch(1, 5, "cudaGraphLaunch");
  for (int i = 0; i < 6; ++i) events.run({.begin = 3.0 + 4 * i, .length = 3, .correlation = 5, .stream = 7 + i % 2});
  check_all(*load_events(events.text()));
}

TEST_CASE("every analysis works if ranks are missing or have no GPU activity") {
  const TestFolder folder;
  TinyEvents busy;
  busy.step(1, 0, 10).launch(1, 5).run({.begin = 3, .length = 2, .correlation = 5});
  const TinyEvents idle = TinyEvents().step(1, 0, 10).op("aten::mm", 1, 2);
  for (const auto& [rank, events] : {std::pair(0, busy), std::pair(3, idle), std::pair(6, busy)})
    folder.write(fmt::format("rank{}.json", rank),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 8}})", rank)));
  check_all(*load(folder.path()));
}

TEST_CASE("every analysis works with stream 0, activity before its launch and zero durations") {
  TinyEvents events;
  events.step(1, 0, 50).launch(10, 5).launch(20, 6).launch(30, 7);
  events.run({.begin = 8, .length = 4, .correlation = 5, .stream = 0});
  events.run({.begin = 19.5, .length = 0, .correlation = 6, .stream = 0});
  events.run(
      {.name = "Memcpy DtoD", .begin = 31, .length = 4, .correlation = 7, .stream = 0, .category = "gpu_memcpy"});
  events.shadow("forward", 8, 4, 0);
  check_all(*load_events(events.text()));
}

TEST_CASE("every analysis works with a single kernel") {
  check_all(*load_events(TinyEvents().run({.begin = 5, .length = 0}).text()));
}

TEST_CASE("every analysis works for real traces of several vendors") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces here");
    return;
  }
  for (const char* set : {"dlrm8", "sampled2", "ns_resolution", "amd_mi250", "mtia", "triton", "cupti", "malformed"}) {
    INFO(set);
    const auto profile = load(*shared / "traces" / set);
    SharedResults results(*profile);
    check_all(*profile, &results);
  }
}
