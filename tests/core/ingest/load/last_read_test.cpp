#include "core/ingest/load/source_jobs.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using std::chrono::seconds;

namespace {

trace::SourceFile of_size(std::uint64_t size) {
  trace::SourceFile source;
  source.path = "rank0.json";
  source.size = size;
  return source;
}

}  // namespace

TEST_CASE("a growing file is reread after a pause, a settled one immediately, an unchanged one never") {
  const LastRead::Clock::time_point start{};
  const LastRead slow{of_size(10), start + seconds(10), seconds(3)};
  CHECK_FALSE(slow.due(of_size(10), true, start + seconds(1000)));
  CHECK_FALSE(slow.due(of_size(20), false, start + seconds(24)));
  CHECK(slow.due(of_size(20), false, start + seconds(25)));
  CHECK(slow.due(of_size(20), true, start + seconds(11)));
  const LastRead fast{of_size(20), start + seconds(30), std::chrono::milliseconds(1)};
  CHECK_FALSE(fast.due(of_size(21), false, start + seconds(31)));
  CHECK(fast.due(of_size(21), false, start + seconds(32)));
}
