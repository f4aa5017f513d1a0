#include "core/ingest/listing/reread_policy.hpp"

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
  RereadPolicy policy;
  const RereadPolicy::Clock::time_point start{};
  CHECK(policy.due(of_size(10), false, start));

  policy.was_read(of_size(10), start + seconds(10), seconds(3));
  CHECK_FALSE(policy.due(of_size(10), true, start + seconds(1000)));
  CHECK_FALSE(policy.due(of_size(20), false, start + seconds(24)));
  CHECK(policy.due(of_size(20), false, start + seconds(25)));
  CHECK(policy.due(of_size(20), true, start + seconds(11)));

  policy.was_read(of_size(20), start + seconds(30), std::chrono::milliseconds(1));
  CHECK_FALSE(policy.due(of_size(21), false, start + seconds(31)));
  CHECK(policy.due(of_size(21), false, start + seconds(32)));

  policy.forget("rank0.json");
  CHECK(policy.due(of_size(20), false, start + seconds(30)));
}
