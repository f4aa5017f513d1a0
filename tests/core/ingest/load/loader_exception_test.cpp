// Exceptions on the threads of a load become errors and diagnostics.
#include <atomic>
#include <new>

#include "tests/core/ingest/loader_support.hpp"

using namespace warpscope;
using namespace warpscope::ingest;

TEST_CASE("an exception on the loader's thread fails the load", "[threads]") {
  const tests::TraceSet traces;
  LoadOptions options = traces.options();
  options.on_change = [] { throw std::bad_alloc(); };
  Loader loader(traces.path().string(), options);
  loader.wait();
  const Failure failure = loader.failure();
  REQUIRE(failure);
  CHECK(failure->what == "not enough memory");
  CHECK(failure->where == traces.path());
}

TEST_CASE("an exception on a reading thread skips its file", "[threads]") {
  const tests::TraceSet traces;
  std::atomic<std::thread::id> loading{};
  std::atomic<int> thrown{0};
  LoadOptions options = traces.keeping();
  options.threads = 1;
  options.on_change = [&] {
    std::thread::id none{};
    const std::thread::id own = std::this_thread::get_id();
    if (loading.compare_exchange_strong(none, own) || loading.load() == own || thrown > 0) return;
    ++thrown;
    throw std::bad_alloc();
  };
  Loader loader(traces.path().string(), options);
  loader.wait();
  const LoadStatus status = loader.status();
  const auto skipped = std::ranges::count(status.files, FileState::passed_over, &FileStatus::state);
  CHECK(skipped == thrown);
  for (const FileStatus& file : status.files)
    if (file.state == FileState::passed_over) CHECK(file.why == "not enough memory");
  REQUIRE(loader.profile());
  CHECK(loader.profile()->diagnostics.count("load-failed") == static_cast<std::uint64_t>(thrown));
}
