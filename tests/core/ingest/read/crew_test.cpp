// Exceptions on the threads that read files.
#include "core/ingest/read/crew.hpp"

#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

#include "tests/core/ingest/trace_files.hpp"
#include "tests/sanitized.hpp"

using warpscope::Error;
using warpscope::SharedUnits;
using warpscope::ingest::Crew;
using warpscope::ingest::ReadOptions;
using warpscope::ingest::ReadOutcome;
using warpscope::ingest::SourceReader;

TEST_CASE("a job that throws is reported, and the other jobs continue", "[threads]") {
  for (const unsigned threads : {1u, 3u}) {
    CAPTURE(threads);
    Crew crew;
    std::atomic<int> done{0};
    std::atomic<int> failed{0};
    std::string what;
    crew.run(
        20, threads,
        [&](std::size_t job) {
          if (job == 4) throw std::bad_alloc();
          ++done;
        },
        [] { throw std::runtime_error("progress"); },
        [&](std::size_t job, const Error& error) {
          failed += static_cast<int>(job);
          what = error.what;
        });
    CHECK(done == 19);
    CHECK(failed == 4);
    CHECK(what == "not enough memory");
  }
}

TEST_CASE("shared units rethrow an exception of any thread in their owner", "[threads]") {
  SharedUnits units({});
  std::atomic<bool> over{false};
  std::thread helper([&] {
    while (!over) units.help();
  });
  std::atomic<int> calls{0};
  CHECK_THROWS_AS(units.run(50,
                            [&](std::size_t) {
                              ++calls;
                              throw std::bad_alloc();
                            }),
                  std::bad_alloc);
  CHECK(calls == 50);
  units.run(3, [&](std::size_t) { ++calls; });
  CHECK(calls == 53);
  over = true;
  helper.join();
}

TEST_CASE("a file that needs more memory than is available fails without ending the program", "[threads]") {
  if (warpscope::tests::sanitized()) return;  // sanitizers end the program instead
  const warpscope::tests::TestFolder folder;
  const std::string path =
      folder.write("rank0.json", warpscope::tests::trace_of(warpscope::tests::kernel_event("gemm")));
  warpscope::trace::Dictionary dictionary;
  ReadOptions options;
  options.pieces.piece = std::size_t{1} << 63;
  warpscope::trace::SourceFile source;
  source.path = path;
  SourceReader reader(source, 0, dictionary, options);
  std::atomic<bool> over{false};
  std::thread helper([&] {
    while (!over) reader.help();
  });
  const ReadOutcome outcome = reader.run();
  over = true;
  helper.join();
  CHECK_FALSE(outcome.data.rank);
  CHECK(outcome.code == "load-failed");
  REQUIRE(outcome.failure);
  CHECK(outcome.failure->what == "not enough memory");
  CHECK(outcome.failure->where == path);
}
