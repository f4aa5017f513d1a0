#include "core/ingest/listing/profile_listing.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>

#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/shared_dir.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using warpscope::tests::TestFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* kTrace =
    R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 12, "dur": 5}]})";

ProfileListing listed(const fs::path& root, ListingOptions options = {}) {
  auto listing = list_profiles(root, options);
  REQUIRE(listing);
  return std::move(*listing);
}

/// Keyed by path relative to `root`.
std::map<std::string, FoundProfile> by_path(const fs::path& root) {
  std::map<std::string, FoundProfile> profiles;
  for (FoundProfile& profile : listed(root).profiles)
    profiles[fs::path(profile.path).lexically_relative(root).string()] = profile;
  return profiles;
}

}  // namespace

TEST_CASE("a folder of folders lists those with traces, with their size and latest change") {
  const TestFolder folder;
  std::uint64_t bytes = 0;
  for (const char* rank : {"rank0.json", "rank1.json"})
    bytes += fs::file_size(folder.write("llama/" + std::string(rank), kTrace));
  folder.write("llama/hyperparameters.json", R"({"sagemaker_job_name": "x"})");
  folder.write("bert/worker0.pt.trace.json.gz", tests::gzip(kTrace));
  folder.write("notes/package.json", R"({"name": "something else", "version": "1"})");
  folder.write("notes/list.json", R"([1, 2, 3])");
  folder.write("notes/readme.txt", "traceEvents");
  folder.write("counters/rank0.json", R"({"countersOf": "rank0.json", "traceEvents": []})");
  folder.write(".hidden/rank0.json", kTrace);
  const auto time = std::chrono::file_clock::now() - std::chrono::hours(5);
  fs::last_write_time(folder.path() / "llama/rank0.json", time - std::chrono::hours(5));
  fs::last_write_time(folder.path() / "llama/rank1.json", time);
  fs::last_write_time(folder.path() / "llama/hyperparameters.json", time);
  const auto profiles = by_path(folder.path());
  REQUIRE(profiles.size() == 2);
  const FoundProfile& llama = profiles.at("llama");
  CHECK(llama.name == "llama");
  CHECK(llama.files >= 2);
  CHECK(llama.bytes >= bytes);
  const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
  CHECK(llama.modified == std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
  CHECK(profiles.at("bert").files == 1);
}

TEST_CASE("a SageMaker job is one profile: traces, metrics and reports together") {
  const TestFolder folder;
  const std::string job = "jobs/pytorch-2026/";
  folder.write(job + "profiler-output/system/incremental/2026050112/1783653720.algo-1.json", "{}");
  folder.write(
      job + "profiler-output/framework/pevents/2026050112/1783653730000000_905-algo-1_pythontimeline.json",
      R"([{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1783653715000000}},
                   {"name": "Step", "pid": 1, "ph": "X", "ts": 250, "dur": 9}])");
  folder.write(job + "rule-output/ProfilerReport-1783653720/profiler-output/profiler-reports/CPUBottleneck.json", "{}");
  folder.write(job + "debug-output/claim.smd", "");
  const auto profiles = by_path(folder.path());
  REQUIRE(profiles.size() == 1);
  CHECK(profiles.at("jobs/pytorch-2026").files == 3);
  CHECK(is_one_profile(folder.path() / "jobs/pytorch-2026"));
}

TEST_CASE("a converted file is listed on its own") {
  const TestFolder folder;
  folder.write("a/job.wscope", "whatever it holds");
  folder.write("a/b/rank0.json", kTrace);
  const auto profiles = by_path(folder.path());
  REQUIRE(profiles.size() == 2);
  CHECK(profiles.at("a/job.wscope").name == "job.wscope");
  CHECK(profiles.at("a/b").files == 1);
}

TEST_CASE("the shards of a job are one profile") {
  const TestFolder folder;
  folder.write("job.wscope/001-of-003-1a2b3c4d.wscope", "one");
  folder.write("job.wscope/003-of-003-1a2b3c4d.wscope", "another");
  folder.write("two/001-of-002-1a2b3c4d.wscope", "one");
  folder.write("two/other.wscope", "another");
  const auto profiles = by_path(folder.path());
  REQUIRE(profiles.size() == 3);
  CHECK(profiles.at("job.wscope").name == "job.wscope");
  CHECK(profiles.at("job.wscope").files == 2);
  CHECK(profiles.at("job.wscope").bytes == 10);
  CHECK(is_one_profile(folder.path() / "job.wscope"));
  CHECK_FALSE(is_one_profile(folder.path() / "two"));
}

TEST_CASE("ranks in separate folders are one profile, and folders below traces are listed too") {
  const TestFolder folder;
  for (int rank = 0; rank < 3; ++rank)
    folder.write(
        "apart/rank-" + std::to_string(rank) + "/trace.json",
        R"({"traceEvents": [{"ph": "X", "name": "k", "pid": 0, "tid": 7, "ts": 1700000000000000, "dur": 5}]})");
  folder.write("nested/rank0.json", kTrace);
  folder.write("nested/old/rank0.json", kTrace);
  const auto profiles = by_path(folder.path());
  REQUIRE(profiles.size() == 3);
  CHECK(profiles.at("apart").files == 3);
  CHECK(profiles.at("nested").files == 2);
  CHECK(profiles.at("nested/old").files == 1);
  CHECK(is_one_profile(folder.path() / "apart"));
  CHECK(is_one_profile(folder.path() / "nested"));
  CHECK(is_one_profile(folder.path() / "nested" / "rank0.json"));
  CHECK_FALSE(is_one_profile(folder.path()));
}

TEST_CASE("link cycles, limits and cancelling end the search") {
  const TestFolder folder;
  folder.write("a/rank0.json", kTrace);
  folder.write("b/rank0.json", kTrace);
  fs::create_directory_symlink(folder.path(), folder.path() / "a" / "up");
  fs::create_directory_symlink(folder.path() / "b", folder.path() / "again");
  CHECK(listed(folder.path()).profiles.size() == 2);

  std::vector<std::string> told;
  const auto whole = listed(folder.path(), {.found = [&](const FoundProfile& one) { told.push_back(one.path); }});
  CHECK(told.size() == 2);
  CHECK(whole.cut.empty());
  CHECK(listed(folder.path(), {.limits = {.directories = 1}}).cut.find("subfolder") != std::string::npos);
  CHECK_FALSE(listed(folder.path(), {.limits = {.files = 1}}).cut.empty());

  CancelToken cancel;
  const auto part = listed(folder.path(), {.cancel = &cancel, .found = [&](const FoundProfile&) { cancel.cancel(); }});
  CHECK(part.profiles.size() == 1);

  CHECK_FALSE(list_profiles(folder.path() / "nowhere"));
  CHECK_FALSE(list_profiles(folder.path() / "a" / "rank0.json"));
}

TEST_CASE("the real traces are listed") {
  const auto shared = tests::shared_dir();
  if (!shared) {
    WARN("skipped: no folder shared");
    return;
  }
  const auto profiles = by_path(*shared / "traces");
  for (const char* name :
       {"dlrm8", "v100_5steps", "cpu_only", "mi300_resnet_ddp", "mtia", "h100_inference", "sampled2"})
    CHECK(profiles.contains(name));
  CHECK(profiles.at("dlrm8").files == 8);
  CHECK(profiles.contains("sagemaker/smdebug/tests/profiler/resources/test_traces"));
}
