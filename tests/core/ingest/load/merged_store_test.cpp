// The ranks of a merged file in stores, as single sources: arguments, the second load, converted profiles, corruption,
// and a file that changes while it is watched.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/analysis/information/profile_summary.hpp"
#include "core/base/file_group.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/listing/profile_listing.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/formats/merged/merged_support.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using tracegen::Merge;
namespace fs = std::filesystem;

namespace {

/// Loads a path and keeps its store in `stores`.
ingest::LoadOptions with_store(const fs::path& stores, bool keep) {
  ingest::LoadOptions options;
  options.threads = 2;
  options.store.folder = stores;
  options.store.use = true;
  options.store.keep = keep;
  return options;
}

/// Checks the arguments of some slices of each rank: that the name matches, and that they are from this rank.
void check_arguments(const ingest::Loader& loader, Merge merge) {
  const auto profile = loader.profile();
  REQUIRE(profile);
  for (const auto& rank : profile->ranks) {
    INFO(rank->source.path);
    for (trace::SliceOrdinal slice = 0; slice < rank->lane_start.back(); slice += 41) {
      const auto event = loader.events()->read(*rank, slice);
      REQUIRE(event);
      CHECK(ingest::format_of(*rank).is_named(*event, profile->names().view(rank->name(slice))));
      const std::string number = std::to_string(rank->number);
      const auto starts = [&](const char* path, const std::string& with) {
        const std::string* const row = event->find(path);
        return row != nullptr && row->starts_with(with);
      };
      if (merge == Merge::sglang) CHECK(starts("pid", "[" + std::string(label_in_merged(rank->source.path)) + "] "));
      if (merge == Merge::veomni) CHECK(starts("name", "[R" + number + "] "));
      if (merge == Merge::tracelens) CHECK(starts("args.rank", number));
    }
  }
}

}  // namespace

TEST_CASE("slices of merged ranks have their arguments, from the file and from a converted profile") {
  const MergedJob job(2, 1);
  for (const Merge merge : {Merge::sglang, Merge::tracelens, Merge::veomni}) {
    const TestFolder folder;
    const fs::path file = folder.write("merged.json.gz", gzip(job.merged(merge)));
    ingest::Loader loader(file.string(), with_store(folder.path() / "stores", false));
    loader.wait();
    check_arguments(loader, merge);
    const std::string out = (folder.path() / "job.wscope").string();
    const CancelToken never;
    REQUIRE_FALSE(loader.save(out, never));
    const auto read = loader.profile();

    fs::remove(file);  // a converted profile needs no sources
    ingest::Loader converted(out, with_store(folder.path() / "stores", false));
    converted.wait();
    check_arguments(converted, merge);
    CHECK(difference(*read, *converted.profile()).empty());
    CHECK(converted.profile()->diagnostics.count("arguments-not-kept") == 0);
    REQUIRE(converted.status().files.size() == 1);
    // Copying from one converted profile to another keeps them, too.
    const std::string again = (folder.path() / "again.wscope").string();
    REQUIRE_FALSE(converted.save(again, never));
    CHECK(difference(*read, *load(again)).empty());
  }
}

TEST_CASE("arguments of several merged ranks are read together, from the file and from a store") {
  const MergedJob job(2, 1);
  for (const Merge merge : {Merge::sglang, Merge::veomni}) {
    const TestFolder folder;
    const fs::path file = folder.write("merged.json.gz", gzip(job.merged(merge)));
    ingest::Loader loader(file.string(), with_store(folder.path() / "stores", false));
    loader.wait();
    const std::string out = (folder.path() / "job.wscope").string();
    const CancelToken never;
    REQUIRE_FALSE(loader.save(out, never));
    ingest::Loader converted(out, with_store(folder.path() / "stores", false));
    converted.wait();
    for (const ingest::Loader* each : {&loader, &converted}) {
      const auto profile = each->profile();
      std::vector<std::vector<trace::SliceOrdinal>> slices(2);
      std::vector<ingest::EventLookup::RankSlices> ranks;
      for (std::size_t r = 0; r < 2; ++r) {
        for (trace::SliceOrdinal slice = 3; slice < profile->ranks[r]->lane_start.back(); slice += 97)
          slices[r].push_back(slice);
        ranks.push_back({*profile->ranks[r], slices[r]});
      }
      std::size_t visited = 0;
      REQUIRE_FALSE(each->events()->read_ranks(
          ranks, [&](std::size_t rank, trace::SliceOrdinal slice, const ingest::EventText& event) {
            ++visited;
            CHECK(event.rows == each->events()->read(*profile->ranks[rank], slice)->rows);
          }));
      CHECK(visited == slices[0].size() + slices[1].size());
    }
    fs::remove(file);
    const std::vector<trace::SliceOrdinal> one{0};
    const std::vector<ingest::EventLookup::RankSlices> gone{{*loader.profile()->ranks[0], one},
                                                            {*loader.profile()->ranks[1], one}};
    CHECK(loader.events()->read_ranks(gone, [](std::size_t, trace::SliceOrdinal, const ingest::EventText&) {}));
  }
}

TEST_CASE("the second load of a merged file takes all its ranks from the store", "[threads]") {
  const MergedJob job(2, 2);
  const TestFolder folder;
  const fs::path traces = folder.path() / "traces";
  const fs::path stores = folder.path() / "stores";
  fs::create_directories(traces);
  const auto write = [&](const std::string& text) { std::ofstream(traces / "merged.json", std::ios::binary) << text; };
  const auto from_store_of = [&](std::size_t ranks) {
    ingest::Loader loader(traces.string(), with_store(stores, false));
    loader.wait();
    REQUIRE(loader.profile());
    CHECK(loader.profile()->ranks.size() == ranks);
    REQUIRE(loader.status().files.size() == 1);
    CHECK(difference(*load(traces), *loader.profile()).empty());
    const std::size_t stored = from_store(loader.status());
    if (stored > 0) check_arguments(loader, Merge::veomni);
    return stored;
  };
  const auto keep = [&] {
    ingest::Loader loader(traces.string(), with_store(stores, false));
    loader.wait();
    const CancelToken never;
    REQUIRE(loader.keep(never));
  };
  write(job.merged(Merge::veomni));
  CHECK(from_store_of(4) == 0);
  keep();
  CHECK(from_store_of(4) == 1);
  write(job.merged(Merge::veomni, 3));
  CHECK(from_store_of(3) == 0);
  keep();
  CHECK(from_store_of(3) == 1);
}

TEST_CASE("a watched merged file that changes has only its new ranks") {
  const MergedJob job(4, 1);
  const TestFolder folder;
  const fs::path file = folder.write("merged.json", job.merged(Merge::veomni, 4));
  ingest::LoadOptions options = with_store(folder.path() / "stores", false);
  options.watch = true;
  options.look_every = std::chrono::milliseconds(10);
  ingest::Loader loader(folder.path().string(), options);
  loader.wait();
  REQUIRE(loader.profile());
  CHECK(loader.profile()->ranks.size() == 4);
  folder.write("merged.json", job.merged(Merge::sglang, 2));
  CHECK(comes_true([&] {
    const auto profile = loader.profile();
    return profile->ranks.size() == 2 && label_in_merged(profile->ranks[0]->source.path) == "TP00-DP00";
  }));
}

TEST_CASE("a merged file under a memory limit is read and unloaded rank by rank") {
  const MergedJob job(2, 1);
  const TestFolder folder;
  const fs::path file = folder.write("merged.json", job.merged(Merge::sglang));
  ingest::LoadOptions options = with_store(folder.path() / "stores", false);
  options.memory_limit = 1;
  ingest::Loader loader(file.string(), options);
  loader.wait();
  REQUIRE(loader.profile());
  REQUIRE(loader.profile()->ranks.size() == 2);
  CHECK(difference(*load(file), *loader.profile()).empty());
}

TEST_CASE("a merged file is listed as one profile") {
  const MergedJob job(2, 2);
  const TestFolder folder;
  folder.write("job/merged.json", job.merged(Merge::sglang));
  const auto listing = ingest::list_profiles(folder.path());
  REQUIRE(listing);
  REQUIRE(listing->profiles.size() == 1);
  const auto profile = load(folder.path());
  CHECK(analysis::trace_files(*profile).files == 1);
  CHECK(analysis::trace_files(*profile).bytes == fs::file_size(folder.path() / "job/merged.json"));
}

TEST_CASE("a cancelled read of a merged file returns the part that was read, or nothing") {
  const MergedJob job(2, 1);
  const TestFolder folder;
  trace::SourceFile source;
  source.path = folder.write("merged.json", job.merged(Merge::tracelens)).string();
  source.size = fs::file_size(source.path);
  CancelToken cancel;
  cancel.cancel();
  ingest::ReadOptions options;
  options.cancel = &cancel;
  trace::Dictionary dictionary;
  const ingest::ReadOutcome outcome = ingest::read_source(source, 0, dictionary, options);
  CHECK((outcome.has_data() || outcome.failure.has_value()));
}
