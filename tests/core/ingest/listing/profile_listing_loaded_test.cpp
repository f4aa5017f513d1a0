// Entries in the list of profiles after loading.
#include "core/ingest/listing/profile_listing.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;

TEST_CASE("a load corrects the listing: counts, time and missing ranks") {
  const TestFolder folder;
  const std::string of_three = R"("distributedInfo": {"rank": 0, "world_size": 3}, "host_name": "a")";
  folder.write("rank0.json", trace_of(kernel_event("late", 1'700'000'000'000'100) + "," +
                                          kernel_event("first", 1'700'000'000'000'000),
                                      of_three));
  const auto profile = load(folder.path());
  FoundProfile listed;
  listed.created = 5;
  listed.created_from = TimeOrigin::modified;
  const FoundProfile known = after_load(listed, *profile, 1);
  CHECK(known.nodes == 1);
  CHECK(known.ranks == 1);
  CHECK(known.gpus == 1);
  CHECK(known.created == 1'700'000'000'000'000'000);
  CHECK(known.created_from == TimeOrigin::content);
  CHECK(known.status == ProfileStatus::partial);
  CHECK(known.reason == "ranks 1–2 of 0–2 are missing; 1 file is truncated");

  FoundProfile told = listed;  // by a service that recorded the job's status and creation time
  told.status = ProfileStatus::failed;
  told.reason = "out of memory";
  told.created_from = TimeOrigin::description;
  const FoundProfile still = after_load(told, *profile, 0);
  CHECK(still.status == ProfileStatus::failed);
  CHECK(still.reason == "out of memory");
  CHECK(still.created == 5);
  CHECK(still.gpus == 1);

  FoundProfile of_sagemaker = listed;
  of_sagemaker.marks_end = true;
  of_sagemaker.status = ProfileStatus::in_progress;
  CHECK(after_load(of_sagemaker, *profile, 0).status == ProfileStatus::in_progress);
}

TEST_CASE("a load corrects files listed as truncated") {
  const TestFolder folder;
  const auto profile = load(folder.write("a.json", trace_of(kernel_event("k"))));
  FoundProfile listed;
  listed.status = ProfileStatus::partial;
  listed.reason = "1 file is truncated";
  listed.created = 5;
  const FoundProfile known = after_load(listed, *profile, 0);
  CHECK(known.status == ProfileStatus::completed);
  CHECK(known.reason.empty());
  CHECK(known.created == 5);  // times with an unknown zero are not dates
}
