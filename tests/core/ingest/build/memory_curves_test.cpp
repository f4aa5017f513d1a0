// Counters of allocated and reserved memory, from a handwritten trace and from a store.
#include <fmt/format.h>

#include <cmath>

#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string memory(double time, int type, int device, std::int64_t bytes, const std::string& totals = "") {
  return fmt::format(
      R"({{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":1,"ts":{},"args":{{"Device Type":{},)"
      R"("Device Id":{},"Bytes":{}{}}}}})",
      time, type, device, bytes, totals);
}

std::string totals(std::int64_t allocated, std::int64_t reserved) {
  return fmt::format(R"(,"Total Allocated":{},"Total Reserved":{})", allocated, reserved);
}

std::vector<std::string> names_of(const trace::Rank& rank) {
  std::vector<std::string> names;
  for (const trace::Counter& counter : rank.counters) names.push_back(counter.name() + " " + counter.unit());
  return names;
}

std::vector<float> values_of(const trace::Counter& counter) {
  return {counter.values().begin(), counter.values().end()};
}

}  // namespace

TEST_CASE("memory events become counters of each device") {
  const auto profile =
      load_events(memory(30, 1, 1, 100, totals(1100, 4096)) + "," + memory(10, 1, 0, 512, totals(2512, 8192)) + "," +
                  memory(20, 1, 0, -512, totals(2000, 8192)) + "," + memory(15, 0, -1, 64, totals(64, 0)) + "," +
                  memory(16, 0, -1, 8) + "," + memory(17, 99, 0, 8) + "," + memory(18, 1, -1, 8));
  const trace::Rank& rank = *profile->ranks[0];
  REQUIRE(names_of(rank) == std::vector<std::string>{"GPU-0 memory allocated B", "GPU-0 memory reserved B",
                                                     "GPU-1 memory allocated B", "GPU-1 memory reserved B",
                                                     "Host memory allocated B"});
  CHECK(values_of(rank.counters[0]) == std::vector<float>{2512, 2000});
  CHECK(values_of(rank.counters[1]) == std::vector<float>{8192, 8192});
  CHECK(rank.counters[0].time(1) - rank.counters[0].time(0) == 10'000);
  CHECK(values_of(rank.counters[4]) == std::vector<float>{64, 72});
  CHECK(std::ranges::count(profile->tree.entries, trace::TreeKind::counter, &trace::TreeEntry::kind) == 5);
}

TEST_CASE("memory events without totals add up from zero") {
  const auto profile = load_events(memory(10, 6, 0, 100) + "," + memory(20, 6, 0, 50) + "," + memory(30, 6, 0, -100));
  const trace::Rank& rank = *profile->ranks[0];
  REQUIRE(names_of(rank) == std::vector<std::string>{"GPU-0 memory allocated B"});
  CHECK(values_of(rank.counters[0]) == std::vector<float>{100, 150, 50});
}

TEST_CASE("memory counters come from the store unchanged") {
  const TraceSet set;
  set.keep();
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  REQUIRE(loader.profile());
  CHECK(from_store(loader.status()) == set.files().size());
  const trace::Rank& stored = *loader.profile()->ranks[0];
  REQUIRE(names_of(stored) == std::vector<std::string>{"GPU-0 memory allocated B", "GPU-0 memory reserved B"});
  const auto read = load(set.path());
  for (std::size_t c = 0; c < 2; ++c) {
    CHECK(stored.counters[c].size() > 10);
    CHECK(values_of(stored.counters[c]) == values_of(read->ranks[0]->counters[c]));
  }
}

TEST_CASE("the counter of a real trace ends with the last total recorded by PyTorch") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  const auto path = *shared / "traces" / "v100_5steps" / "df_index_resolver.json.gz";
  const std::string text = plain_text_of(path);
  const auto profile = load(path);
  double peak = 0;
  std::size_t samples = 0;
  constexpr std::string_view kKey = "\"Total Allocated\": ";
  for (std::size_t at = text.find(kKey); at != std::string::npos; at = text.find(kKey, at + 1)) {
    if (text.rfind("\"Device Type\": 1", at) < text.rfind("\"name\": \"[memory]\"", at)) continue;
    peak = std::max(peak, std::stod(text.substr(at + kKey.size(), 20)));
    ++samples;
  }
  REQUIRE(samples > 1000);
  const auto& counters = profile->ranks[0]->counters;
  const auto found = std::ranges::find(counters, "GPU-1 memory allocated", &trace::Counter::name);
  REQUIRE(found != counters.end());
  CHECK(found->size() == samples);
  CHECK(found->max() == static_cast<double>(static_cast<float>(peak)));
}
