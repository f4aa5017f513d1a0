// Small files that expand to huge texts: memory stays at one block, and the text before and after is read.
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/hostile_support.hpp"
#include "tests/load_profile.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Number of 16 MiB parts in a compression bomb. Under sanitizers, where memory is not checked, the total is only a
/// tenth of a gigabyte.
const std::size_t kParts = sanitized() ? 7 : 64;

/// A trace whose middle is `unit` repeated up to a gigabyte, with each part compressed separately.
template <class Compress>
std::string bomb(Compress compress, const std::string& before, const std::string& unit, const std::string& after) {
  constexpr std::size_t kPart = std::size_t{16} << 20;
  const std::string part = compress(times(unit, kPart / unit.size()));
  return compress(R"({"traceEvents": [)" + std::string(kFirstEvent) + "," + before) + times(part, kParts) +
         compress(after + kLastEvent + "]}");
}

void check_bomb(const std::string& bytes, std::uint64_t megabytes) {
  CHECK(bytes.size() < std::size_t{4} << 20);
  const TestFolder folder;
  const auto path = folder.write("bomb.json", bytes);
  const MemoryGrowth growth;
  const auto profile = load(path);
  growth.check_below(megabytes);
  CHECK(profile->ranks[0]->counts.slices >= 2);
  CHECK(profile->ranks[0]->source.text_bytes > kParts * (std::uint64_t{16} << 20));
  NameId id = 0;
  CHECK(profile->names().find("first", id));
  CHECK(profile->names().find("last", id));
  CHECK_FALSE(profile->diagnostics.empty());
}

}  // namespace

TEST_CASE("hostile: a gigabyte of garbage, compressed", "[hostile]") {
  check_bomb(bomb(zstd, "", "garbage ", ","), 100);
}

TEST_CASE("hostile: a gigabyte of one string, compressed", "[hostile]") {
  // Kept up to the maximum length of an event.
  check_bomb(bomb(gzip, R"({"ph":"X","name":")", "n", R"(","ts":1},)"), 1000);
}

TEST_CASE("hostile: a zstd frame with an excessive window", "[hostile]") {
  // A window of 2 GiB, followed by the end of the frame.
  using namespace std::string_view_literals;
  const TemporaryFile file("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00"sv, ".json.zst");
  const MemoryGrowth growth;
  const auto profile = tests::load_profile(file.path());
  REQUIRE_FALSE(profile.ok());
  CHECK(profile.error().message().find("memory") != std::string::npos);
  CHECK_FALSE(profile.error().advice.empty());
  growth.check_below(50);
}

TEST_CASE("hostile: very many empty members and frames", "[hostile]") {
  for (const std::string& empty : {gzip(""), zstd(""), zstd_skippable("")}) {
    std::string bytes = times(empty, static_cast<std::size_t>(50'000 / size_divisor()));
    const std::string trace = trace_of(std::string(kFirstEvent) + "," + kLastEvent);
    bytes += empty == gzip("") ? gzip(trace) : zstd(trace);
    const TestFolder folder;
    CHECK(load(folder.write("many.json", bytes))->ranks[0]->counts.slices == 2);
  }
}
