// The corrupt files among the shared traces, loaded as a user opens them, plain and compressed. Checks the results in
// the README's table other than event counts.
#include <optional>

#include "core/ingest/bytes/byte_stream.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/stream_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

using Profile = std::shared_ptr<const trace::Profile>;

/// Loads the file and copies of its text with either compression. Empty without the shared traces.
std::vector<Profile> load_all_ways(const std::string& prefix) {
  const auto shared = shared_dir();
  if (!shared || !fs::is_directory(*shared / "traces" / "malformed")) {
    WARN("no shared traces here: the damaged files are not tried");
    return {};
  }
  for (const auto& entry : fs::directory_iterator(*shared / "traces" / "malformed")) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const std::string text = read_all(entry.path().string(), {}).text;
    const TestFolder folder;
    return {load(entry.path()), load(folder.write("trace.json.gz", gzip(text))),
            load(folder.write("trace.json.zst", zstd(text)))};
  }
  FAIL("no file " << prefix);
  return {};
}

std::size_t lanes_hold(const trace::Rank& rank, std::optional<trace::LaneKind> kind = {}) {
  std::size_t slices = 0;
  for (const trace::Lane& lane : rank.lanes)
    if (!kind || lane.kind() == *kind) slices += lane.size();
  return slices;
}

/// Returns the start of the slice with this name, which must be unique.
Ns begin_of(const trace::Profile& profile, std::string_view name) {
  std::vector<Ns> begins;
  for (const trace::Lane& lane : profile.ranks[0]->lanes)
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (profile.names().view(lane.name(i)) == name) begins.push_back(lane.time().begin(i));
  REQUIRE(begins.size() == 1);
  return begins[0];
}

}  // namespace

TEST_CASE("malformed: the rank's number is found in minified text", "[malformed]") {
  for (const Profile& profile : load_all_ways("13_")) {
    CHECK(profile->ranks[0]->number == 0);
    CHECK_FALSE(profile->ranks[0]->number_assigned);
  }
}

TEST_CASE("malformed: metadata alone gives a rank without slices and a diagnostic", "[malformed]") {
  for (const Profile& profile : load_all_ways("11_")) {
    CHECK(profile->ranks[0]->counts.events == 36);
    CHECK(profile->ranks[0]->counts.slices == 0);
    CHECK(profile->ranks[0]->diagnostics.count("no-slices") == 1);
  }
}

// The table lists a third one, a duration of years, but no event in the file has it.
TEST_CASE("malformed: impossible times are separated and reported", "[malformed]") {
  for (const Profile& profile : load_all_ways("16_")) {
    const trace::Rank& rank = *profile->ranks[0];
    CHECK(rank.diagnostics.count("negative-duration") == 1);
    CHECK(rank.diagnostics.count("begins-at-zero") == 1);
    CHECK(lanes_hold(rank, trace::LaneKind::damaged) == 2);
    CHECK(rank.span.end - rank.span.begin < 1'000'000'000);
  }
}

TEST_CASE("malformed: the last duplicate key wins", "[malformed]") {
  for (const Profile& profile : load_all_ways("17_"))
    CHECK(begin_of(*profile, "ProfilerStep#100") == 1'707'417'525'509'335'000);
}

TEST_CASE("malformed: times are read as decimals", "[malformed]") {
  for (const Profile& profile : load_all_ways("19_")) {
    bool found = false;
    for (const trace::Lane& lane : profile->ranks[0]->lanes)
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        found = found || lane.time().begin(i) == 1'707'417'525'509'905'047;
    CHECK(found);
  }
}

TEST_CASE("malformed: B and E events, counters and marks", "[malformed]") {
  for (const Profile& profile : load_all_ways("21_")) {
    const trace::Rank& rank = *profile->ranks[0];
    CHECK(rank.counts.events == 11);
    CHECK(rank.counts.slices == 2);
    CHECK(lanes_hold(rank, trace::LaneKind::nested) == 3);   // the asynchronous one, too
    CHECK(lanes_hold(rank, trace::LaneKind::instant) == 2);  // the mark, and what never ended
    REQUIRE(rank.counters.size() == 1);
    CHECK(rank.counters[0].size() == 2);
    CHECK(rank.diagnostics.count("begin-without-end") == 1);
  }
}

TEST_CASE("malformed: overlapping kernels of a stream are all kept", "[malformed]") {
  for (const Profile& profile : load_all_ways("22_")) {
    const trace::Rank& rank = *profile->ranks[0];
    CHECK(rank.counts.runs == 20);
    CHECK(lanes_hold(rank) == 20);
    CHECK(lanes_hold(rank, trace::LaneKind::damaged) == 0);
  }
}
