// Columns missed by frames are loaded on other threads.
#include "app/ui/model/column_loader.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::ui;

namespace {

/// A column whose load completes when the test allows it.
class FakeColumn final : public trace::Loadable {
 public:
  explicit FakeColumn(bool open = true, bool fails = false) : open_(open), fails_(fails) {}
  [[nodiscard]] bool present() const override { return present_; }
  void load() const override {
    ++loads;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
    if (fails_) throw std::bad_alloc();
    present_ = true;
  }
  void let_go() const {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

  mutable std::atomic<int> loads = 0;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable bool open_;
  bool fails_;
  mutable std::atomic<bool> present_ = false;
};

using Fake = std::shared_ptr<const FakeColumn>;

Fake column(bool open = true, bool fails = false) { return std::make_shared<const FakeColumn>(open, fails); }

template <class Until>
bool comes_true(const Until& until) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!until()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Draws frames that request all missing columns until no load is pending.
bool draw_until_quiet(ColumnLoader& loader, const std::vector<Fake>& columns) {
  return comes_true([&] {
    std::vector<ColumnLoader::Column> missed;
    for (const Fake& each : columns)
      if (!each->present()) missed.push_back(each);
    loader.want(missed);
    return !loader.busy();
  });
}

}  // namespace

TEST_CASE("missed columns are loaded once each, and the window is woken", "[threads]") {
  std::atomic<int> woken = 0;
  ColumnLoader loader([&] { ++woken; });
  CHECK_FALSE(loader.busy());
  std::vector<Fake> columns;
  for (int i = 0; i < 50; ++i) columns.push_back(column());
  loader.want({columns.begin(), columns.end()});
  CHECK(loader.busy());
  CHECK(draw_until_quiet(loader, columns));
  for (const Fake& each : columns) CHECK(each->loads == 1);
  CHECK(comes_true([&] { return woken > 0; }));
  CHECK_FALSE(loader.take_error());
}

TEST_CASE("the window is woken for the last column, no matter how quickly the others arrived", "[threads]") {
  std::atomic<int> woken = 0;
  ColumnLoader loader([&] { ++woken; });
  for (int round = 0; round < 20; ++round) {
    const int before = woken;
    std::vector<Fake> columns{column(), column(), column()};
    loader.want({columns.begin(), columns.end()});
    CHECK(comes_true(
        [&] { return woken > before && columns[0]->present() && columns[1]->present() && columns[2]->present(); }));
  }
}

TEST_CASE("columns that the last frame did not miss are not loaded", "[threads]") {
  ColumnLoader loader({});
  std::vector<Fake> held;
  for (std::size_t i = 0; i < ColumnLoader::kMostThreads; ++i) held.push_back(column(false));
  const Fake dropped = column();
  const Fake wanted = column();
  loader.want({held.begin(), held.end()});
  std::vector<ColumnLoader::Column> all(held.begin(), held.end());
  const int threads = std::clamp<int>(static_cast<int>(std::thread::hardware_concurrency() / 2), 1,
                                      static_cast<int>(ColumnLoader::kMostThreads));
  REQUIRE(comes_true([&] {
    int loading = 0;
    for (const Fake& each : held) loading += each->loads;
    return loading == threads;
  }));
  all.push_back(dropped);
  loader.want(all);
  all.back() = wanted;
  loader.want(all);
  for (const Fake& each : held) each->let_go();
  CHECK(comes_true([&] { return wanted->present(); }));
  CHECK(dropped->loads == 0);
  for (const Fake& each : held) CHECK(each->loads == 1);
}

TEST_CASE("a column that cannot be loaded is reported once and not retried", "[threads]") {
  ColumnLoader loader({});
  const std::vector<Fake> columns{column(true, true), column()};
  CHECK(draw_until_quiet(loader, columns));
  CHECK(columns[0]->loads == 1);
  CHECK(columns[1]->present());
  CHECK(loader.take_error());
  CHECK_FALSE(loader.take_error());
}

TEST_CASE("a frame is requested for a column that arrived before the loader was asked for it", "[threads]") {
  std::atomic<int> woken = 0;
  ColumnLoader loader([&] { ++woken; });
  const Fake early = column();
  early->load();
  loader.want({early});
  CHECK(loader.busy());
  CHECK(woken == 1);
  loader.want({});
  CHECK_FALSE(loader.busy());
}

TEST_CASE("destruction waits for the column that is being loaded and drops the others", "[threads]") {
  const Fake held = column(false);
  std::vector<Fake> others;
  std::thread releases;
  {
    ColumnLoader loader({});
    std::vector<ColumnLoader::Column> all{held};
    for (int i = 0; i < 100; ++i) {
      others.push_back(column(false));
      all.push_back(others.back());
    }
    loader.want(all);
    REQUIRE(comes_true([&] { return held->loads == 1; }));
    releases = std::thread([&] {
      held->let_go();
      for (const Fake& each : others) each->let_go();
    });
  }
  releases.join();
  CHECK(held->present());
}
