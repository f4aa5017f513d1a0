// Concurrent requests to a load from a window, background work and commands. Mainly for ThreadSanitizer.
#include <array>
#include <atomic>
#include <fstream>
#include <thread>

#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// Uses every 50th slice of a profile, including everything that is loaded on first use.
std::uint64_t use_slices(const trace::Profile& profile) {
  std::uint64_t sum = profile.diagnostics.all().size();
  for (const auto& rank : profile.ranks) {
    for (trace::SliceOrdinal slice = 0; slice < rank->lane_start.back(); slice += 50) {
      const trace::SlicePlace at = rank->locate(slice);
      const trace::Lane& lane = rank->lanes[at.lane];
      sum += profile.names().view(rank->name(slice)).size() + lane.event(at.index);
      sum += static_cast<std::uint64_t>(rank->duration(slice) + lane.tree().busy(rank->span.begin, rank->begin(slice)));
      sum += rank->launches.cause_of(slice) != nullptr ? 1 : 0;
    }
  }
  return sum;
}

/// Calls `work` again and again on another thread until destroyed.
class Repeating {
 public:
  explicit Repeating(std::function<void()> work)
      : thread_([this, work = std::move(work)] {
          while (!over_) {
            work();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        }) {}
  ~Repeating() {
    over_ = true;
    thread_.join();
  }
  Repeating(const Repeating&) = delete;
  Repeating& operator=(const Repeating&) = delete;

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace

TEST_CASE("a load answers several threads while it reads, unloads, saves and watches", "[threads]") {
  const TraceSet set(8000, tracegen::Format::gz);
  const auto truth = load(set.path());
  ingest::LoadOptions options = set.keeping();
  options.memory_limit = ingest::kResidentBase + 1;
  options.watch = true;
  options.look_every = std::chrono::milliseconds(20);
  options.store.rest = std::chrono::milliseconds(20);
  ingest::Loader loader(set.path().string(), options);
  std::atomic<std::uint64_t> used{0};
  {
    const Repeating window([&] {
      static_cast<void>(loader.failure());
      const ingest::LoadStatus status = loader.status();
      if (const auto profile = loader.profile())
        used += use_slices(*profile) + profile->resident_bytes() + status.total;
    });
    const Repeating arguments([&] {
      const auto profile = loader.profile();
      if (!profile) return;
      for (const auto& rank : profile->ranks) static_cast<void>(loader.events()->read(*rank, 0));
    });
    const Repeating command([&] {
      if (!loader.finished()) return;
      loader.mend();
      static_cast<void>(loader.damage_of_converted());
      loader.watch(true);
    });
    loader.wait();
    const fs::path copy = set.path() / "rank99.json";
    std::ofstream(copy) << trace_of(kernel_event("late"), R"("distributedInfo":{"rank":99})");
    CHECK(comes_true([&] { return loader.profile()->ranks.size() == set.files().size() + 1; }));
    fs::remove(copy);
    CHECK(comes_true([&] { return loader.profile()->diagnostics.count("source-vanished") == 1; }));
  }
  CHECK(used > 0);
  loader.cancel();
  const auto profile = loader.profile();
  for (const auto& rank : truth->ranks) {
    const auto same =
        std::ranges::find(profile->ranks, rank->source.path, [](const auto& one) { return one->source.path; });
    REQUIRE(same != profile->ranks.end());
    CHECK(difference(*rank, *truth->dictionary, **same, *profile->dictionary).empty());
  }
}

TEST_CASE("a load can be cancelled, watched again and closed at any time", "[threads]") {
  const TraceSet set;
  for (int round = 0; round < 12; ++round) {
    ingest::LoadOptions options = set.keeping();
    options.watch = round % 3 == 0;
    options.look_every = std::chrono::milliseconds(10);
    ingest::Loader loader(set.path().string(), options);
    const Repeating window([&] { static_cast<void>(loader.status()); });
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * round));
    loader.cancel();
    if (round % 2 == 0) loader.watch(true);
    loader.wait();
    CHECK(loader.finished());
  }
}

TEST_CASE("several threads load the columns of a stored rank", "[threads]") {
  const TraceSet set;
  set.keep();
  const std::uint64_t truth = use_slices(*load(set.path()));
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  REQUIRE(from_store(loader.status()) == set.files().size());
  const auto profile = loader.profile();
  std::array<std::uint64_t, 4> sums{};
  std::vector<std::thread> threads;
  for (std::uint64_t& sum : sums) threads.emplace_back([&] { sum = use_slices(*profile); });
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t sum : sums) CHECK(sum == truth);
}
