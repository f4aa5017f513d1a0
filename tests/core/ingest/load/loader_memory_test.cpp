// Memory limit: ranks beyond it stay in a store.
#include "core/ingest/read/preflight.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"
#include "tests/sanitized.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::size_t in_stores(const trace::Profile& profile) {
  return static_cast<std::size_t>(
      std::ranges::count_if(profile.ranks, [](const auto& rank) { return rank->storage != nullptr; }));
}

/// Returns the message about the exceeded limit; "" if there is none.
std::string said_of_limit(const trace::Profile& profile) {
  const auto& all = profile.diagnostics.all();
  const auto said = std::ranges::find(all, "memory-limit-not-held", &Diagnostic::code);
  return said == all.end() ? "" : said->example;
}

/// Large enough that trees are small compared to columns.
constexpr std::int64_t kSlices = 300'000;

/// A folder for stores, next to traces that all cases read.
struct LargeSet {
  TestFolder folder;

  static const TraceSet& traces() {
    static const TraceSet set(kSlices);
    return set;
  }
  [[nodiscard]] fs::path path() const { return traces().path(); }
  [[nodiscard]] ingest::LoadOptions options() const {
    ingest::LoadOptions options = traces().options();
    options.store.folder = folder.path() / "stores";
    return options;
  }
};

/// Visits every slice of a rank.
std::uint64_t look_at(const trace::Rank& rank) {
  std::uint64_t sum = 0;
  for (trace::SliceOrdinal slice = 0; slice < rank.lane_start.back(); ++slice)
    sum += static_cast<std::uint64_t>(rank.duration(slice)) + rank.name(slice);
  return sum;
}

}  // namespace

TEST_CASE("ranks beyond the limit stay in the store unchanged") {
  const LargeSet set;
  const auto whole = tests::load_profile(set.path().string());
  REQUIRE(whole);
  ingest::LoadOptions options = set.options();
  options.memory_limit = ingest::kResidentBase + (*whole)->resident_bytes() / 2;
  ingest::Loader loader(set.path().string(), options);
  loader.wait();
  const auto profile = loader.profile();
  REQUIRE(profile);
  CHECK(in_stores(*profile) == profile->ranks.size());
  CHECK(loader.status().waiting_in_store == profile->ranks.size());
  CHECK(profile->diagnostics.count("memory-limit") == 1);
  CHECK(profile->resident_bytes() < (*whole)->resident_bytes() / 2);
  CHECK(difference(**whole, *profile).empty());
}

TEST_CASE("ranks are freed after use") {
  const LargeSet set;
  const std::size_t whole = (*tests::load_profile(set.path().string()))->resident_bytes();
  ingest::LoadOptions options = set.options();
  options.memory_limit = ingest::kResidentBase + whole / 2;
  ingest::Loader loader(set.path().string(), options);
  loader.wait();
  std::size_t most = 0;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < loader.profile()->ranks.size(); ++i) CHECK(look_at(*loader.profile()->ranks[i]) > 0);
    most = std::max(most, loader.profile()->resident_bytes());
    REQUIRE(comes_true([&] { return loader.profile()->resident_bytes() <= whole / 2; }));
  }
  CHECK(most > whole / 2);  // there was memory to free
}

TEST_CASE("ranks in use do not count as waiting on disk until they are freed") {
  const LargeSet set;
  const std::size_t whole = (*tests::load_profile(set.path().string()))->resident_bytes();
  ingest::LoadOptions options = set.options();
  options.memory_limit = ingest::kResidentBase + whole - 1;
  ingest::Loader loader(set.path().string(), options);
  loader.wait();
  const std::size_t all = loader.profile()->ranks.size();
  REQUIRE(loader.status().waiting_in_store == all);
  const auto held = loader.profile();
  CHECK(look_at(*held->ranks.front()) > 0);
  REQUIRE(comes_true([&] { return loader.status().waiting_in_store == all - 1; }));
  for (const auto& rank : held->ranks) CHECK(look_at(*rank) > 0);
  REQUIRE(comes_true([&] { return loader.status().waiting_in_store < all - 1; }));
}

TEST_CASE("names count toward the limit like slices") {
  const TestFolder folder;
  for (int rank = 0; rank < 2; ++rank) {
    std::string events;
    for (int i = 0; i < 1500; ++i)
      events += kernel_event(std::string(8000, static_cast<char>('a' + rank)) + std::to_string(i), 100 + i, 1) + ",\n";
    folder.write("traces/rank" + std::to_string(rank) + ".json", trace_of(events + kernel_event("last", 9000)));
  }
  const std::string traces = (folder.path() / "traces").string();
  const auto whole = tests::load_profile(traces);
  REQUIRE(whole);
  const std::uint64_t names = (*whole)->names().resident_bytes();
  REQUIRE(names > 20'000'000);
  const auto with_limit = [&](std::uint64_t beyond_base) {
    ingest::LoadOptions options;
    options.store.folder = folder.path() / "stores";
    options.memory_limit = ingest::kResidentBase + beyond_base;
    return *tests::load_profile(traces, options);
  };
  CHECK(in_stores(*with_limit((*whole)->resident_bytes() + names / 2)) > 0);
  CHECK(in_stores(*with_limit((*whole)->resident_bytes() + names + 10'000)) == 0);
}

TEST_CASE("a limit that is not reached has no effect") {
  const TraceSet set;
  ingest::LoadOptions options = set.options();
  options.memory_limit = std::uint64_t{8} << 30;
  ingest::Loader loader(set.path().string(), options);
  loader.wait();
  CHECK(in_stores(*loader.profile()) == 0);
  CHECK(loader.status().waiting_in_store == 0);
  CHECK(loader.profile()->diagnostics.count("memory-limit") == 0);
  CHECK_FALSE(fs::exists(set.stores()));
}

TEST_CASE("without a folder for stores, the limit is exceeded and reported") {
  const LargeSet set;
  ingest::LoadOptions options;
  options.memory_limit = std::uint64_t{20} << 20;
  ingest::Loader loader(set.path().string(), options);
  loader.wait();
  CHECK(loader.profile()->diagnostics.count("memory-limit-not-held") == 1);
  CHECK(said_of_limit(*loader.profile()).starts_with("loaded data uses "));
  CHECK(said_of_limit(*loader.profile()).find("above the limit of 20.0 MiB; ") != std::string::npos);
  CHECK(in_stores(*loader.profile()) == 0);
  CHECK(loader.profile()->complete);
}

TEST_CASE("memory above the limit after a load is reported when the load ends, no matter how little") {
  const LargeSet set;
  ingest::LoadOptions options = set.options();
  // No rank is that small: even the minimum memory for ranks exceeds this limit.
  options.memory_limit = ingest::kResidentBase + 1;
  ingest::Loader loader(set.path().string(), options);
  loader.wait();
  const std::string said = said_of_limit(*loader.profile());
  INFO(said);
  CHECK(said.starts_with("loaded data uses "));
  CHECK(said.find(" of memory, ") != std::string::npos);
  CHECK(said.ends_with(" above the limit of 20.0 MiB"));
}

TEST_CASE("ranks moved to disk become the store", "[threads]") {
  const TraceSet set(sanitized() ? 20'000 : 60'000);
  {
    ingest::LoadOptions options = set.keeping();
    options.memory_limit = std::uint64_t{20} << 20;
    ingest::Loader loader(set.path().string(), options);
    loader.wait();
    REQUIRE(comes_true([&] { return fs::exists(set.store()) && !loader.status().keeping; }));
    CHECK(loader.profile()->ranks.front()->duration(0) >= 0);  // still usable
  }
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  CHECK(from_store(loader.status()) == set.files().size());
  const auto whole = tests::load_profile(set.path().string());
  CHECK(difference(**whole, *loader.profile()).empty());
}
