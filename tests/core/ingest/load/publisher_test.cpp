// Profiles of ranks that arrive, are replaced and disappear.
#include "core/ingest/load/publisher.hpp"

#include <atomic>
#include <thread>

#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::ingest;

namespace {

std::shared_ptr<const trace::Rank> rank_of(const std::string& file, std::int64_t number, std::uint64_t events = 0) {
  auto rank = std::make_shared<trace::Rank>();
  rank->source.path = file;
  rank->number = number;
  rank->counts.events = events;
  rank->lane_start = {0};
  return rank;
}

void put(Publisher& publisher, const std::string& file, std::int64_t number, std::uint64_t count = 0) {
  publisher.put(file, {.rank = rank_of(file, number, count)});
}

std::vector<std::uint64_t> events(const trace::Profile& profile) {
  std::vector<std::uint64_t> all;
  for (const auto& rank : profile.ranks) all.push_back(rank->counts.events);
  return all;
}

using Events = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a rank replaces the previous one of its file") {
  Publisher publisher({});
  publisher.found("/run", {}, {});
  publisher.publish(true);
  CHECK_FALSE(publisher.profile());
  put(publisher, "b", 1, 10);
  REQUIRE(publisher.profile());  // the first one immediately
  CHECK_FALSE(publisher.profile()->complete);
  put(publisher, "a", 0, 20);
  put(publisher, "b", 1, 30);
  publisher.publish(true);
  CHECK(events(*publisher.profile()) == Events{20, 30});
  CHECK(publisher.profile()->complete);
  CHECK(publisher.profile()->path == "/run");
  CHECK(publisher.data("b").rank->counts.events == 30);

  publisher.take_out("a");
  publisher.publish(true);
  CHECK(events(*publisher.profile()) == Events{30});
}

TEST_CASE("a profile is published only after changes and at the end of the load") {
  int published = 0;
  Publisher publisher([&] { ++published; });
  put(publisher, "a", 0);
  CHECK(published == 1);
  publisher.publish(false);
  CHECK(published == 1);
  publisher.publish(true);
  CHECK(published == 2);
  publisher.publish(true);
  CHECK(published == 2);
  publisher.note("x", Severity::info, "a", "");
  publisher.publish(true);
  CHECK(published == 3);
}

TEST_CASE("frequent ranks are published together") {
  int published = 0;
  Publisher publisher([&] { ++published; });
  const auto begin = Publisher::Clock::now();
  for (int i = 0; i < 500; ++i) put(publisher, "rank" + std::to_string(i), i);
  const auto took = Publisher::Clock::now() - begin;
  CHECK(published <= 1 + took / Publisher::kPause);
  publisher.publish(true);
  CHECK(publisher.profile()->ranks.size() == 500);
}

TEST_CASE("assembling profiles takes at most a tenth of the time") {
  using std::chrono::milliseconds;
  CHECK(Publisher::pause_after(milliseconds(1)) == Publisher::kPause);
  CHECK(Publisher::pause_after(milliseconds(200)) == milliseconds(1'800));
}

TEST_CASE("diagnostics are removed with their files") {
  Publisher publisher({});
  Diagnostics looked;
  looked.add("empty-file", Severity::warning, "e", Diagnostic::kNoOffset, "");
  publisher.found("/run", looked, {});
  put(publisher, "a", 0);
  publisher.note("still-written", Severity::info, "a", "");
  publisher.note("other", Severity::info, "a", "");
  publisher.note("memory-limit", Severity::info, "", "");
  publisher.publish(true);
  CHECK(publisher.profile()->diagnostics.all().size() == 4);
  publisher.forget_notes("a", "still-written");
  publisher.found("/run", {}, {});
  publisher.publish(true);
  CHECK(publisher.profile()->diagnostics.count("still-written") == 0);
  CHECK(publisher.profile()->diagnostics.count("other") == 1);
  CHECK(publisher.profile()->diagnostics.all().size() == 2);
  publisher.forget_notes("a");
  CHECK(publisher.diagnostics().all().size() == 1);
}

TEST_CASE("of concurrent publishers, the most complete profile wins", "[threads]") {
  for (int round = 0; round < 20; ++round) {
    Publisher publisher({});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&publisher, t] {
        for (int i = 0; i < 25; ++i) {
          put(publisher, "rank" + std::to_string(i * 4 + t), i * 4 + t);
          publisher.publish(false);
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(publisher.profile()->ranks.size() == 100);
  }
}
