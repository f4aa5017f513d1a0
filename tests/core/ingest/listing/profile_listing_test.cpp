#include "core/ingest/listing/profile_listing.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>

#include "core/ingest/listing/profile_listing_file.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/shared_dir.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using warpscope::tests::TestFolder;
namespace fs = std::filesystem;

namespace {

constexpr Ns kSecond = 1'000'000'000;

std::string trace_text(int rank, int world, std::int64_t begin_us, int devices = 8) {
  std::string text = R"({"schemaVersion": 1, "deviceProperties": [)";
  for (int i = 0; i < devices; ++i)
    text += (i > 0 ? ", " : "") + std::string(R"({"id": )") + std::to_string(i) + R"(, "name": "H100"})";
  text += R"(], "distributedInfo": {"backend": "nccl", "rank": )" + std::to_string(rank) + R"(, "world_size": )" +
          std::to_string(world) + R"(}, "traceEvents": [)";
  for (int i = 0; i < 3; ++i)
    text += (i > 0 ? ", " : "") +
            std::string(R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": )") +
            std::to_string(begin_us + 10 * i) + R"(, "dur": 5})";
  return text + "]}\n";
}

ProfileListing listed(const fs::path& root, ListingOptions options = {}) {
  auto listing = list_profiles(root, options);
  REQUIRE(listing);
  return std::move(*listing);
}

/// Keyed by path relative to `root`.
std::map<std::string, FoundProfile> by_path(const fs::path& root, const ListingOptions& options = {}) {
  std::map<std::string, FoundProfile> profiles;
  for (FoundProfile& profile : listed(root, options).profiles)
    profiles[fs::path(profile.path).lexically_relative(root).string()] = profile;
  return profiles;
}

Ns file_time(const fs::path& path) {
  const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(path)).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

std::string listed_line(const std::string& type, const std::string& name, const std::string& time) {
  return R"({"Type":")" + type + R"(","Name":")" + name +
         R"(","Dimension":"GPUUtilization","Value":1.00,"NodeId":"algo-1","Timestamp":)" + time + "}\n";
}

}  // namespace

TEST_CASE("a folder of folders lists each job with the facts from file heads") {
  const TestFolder folder;
  for (int rank = 0; rank < 16; ++rank)
    folder.write("llama/rank" + std::to_string(rank) + ".json", trace_text(rank, 16, 1'700'000'000'000'000 + rank));
  folder.write("bert/worker0.pt.trace.json", trace_text(0, 1, 1'600'000'000'000'000, 1));
  folder.write("notes/package.json", R"({"name": "something else", "version": "1"})");
  folder.write("notes/list.json", R"([1, 2, 3])");
  folder.write("notes/readme.txt", "traceEvents");
  folder.write(".hidden/rank0.json", trace_text(0, 1, 1'600'000'000'000'000));
  const auto profiles = by_path(folder.path());
  REQUIRE(profiles.size() == 2);

  const FoundProfile& llama = profiles.at("llama");
  CHECK(llama.name == "llama");
  CHECK(llama.created == 1'700'000'000'000'000'000);
  CHECK(llama.created_from == TimeOrigin::content);
  CHECK(llama.status == ProfileStatus::completed);
  CHECK(llama.reason.empty());
  CHECK(llama.ranks == 16);
  CHECK(llama.nodes == 2);  // eight devices per machine
  CHECK(llama.gpus == 16);
  CHECK(llama.files == 16);
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder.path() / "llama")) bytes += entry.file_size();
  CHECK(llama.bytes == bytes);
  CHECK(sources_text(llama) == "PyTorch profiler");

  const FoundProfile& bert = profiles.at("bert");
  CHECK(bert.ranks == 1);
  CHECK(bert.nodes == 1);
  CHECK(bert.gpus == 1);
}

TEST_CASE("a job with system metrics next to its traces is complete, and its nodes count once") {
  const TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  options.nodes = 2;
  options.gpus = 2;
  options.metrics_interval_ns = 500'000'000;
  (void)tracegen::generate(options, folder.path() / "job");
  const FoundProfile job = by_path(folder.path()).at("job");
  CHECK(job.nodes == 2);  // as hosts in the traces, as algo-N in the metrics
  CHECK(job.ranks == 4);
  CHECK(job.gpus == 4);
  CHECK(job.reason.empty());
  CHECK(job.status == ProfileStatus::completed);
  CHECK(sources_text(job) == "PyTorch profiler, system metrics");
}

TEST_CASE("missing ranks make a profile incomplete and truncated files make it partial, with the reason") {
  const TestFolder folder;
  const Ns later =
      file_time(folder.write("whole/rank0.json", trace_text(0, 2, 1'700'000'000'000'000))) + 3600 * kSecond;
  folder.write("whole/rank1.json.gz", tests::gzip(trace_text(1, 2, 1'700'000'000'000'000)));
  for (const int rank : {0, 1, 3, 4, 6, 7})
    folder.write("gaps/rank" + std::to_string(rank) + ".json", trace_text(rank, 8, 1'700'000'000'000'000));
  folder.write("few/rank5.json", trace_text(5, 128, 1'700'000'000'000'000));
  const std::string text = trace_text(0, 1, 1'700'000'000'000'000);
  folder.write("cut/rank0.json", text.substr(0, text.size() - 20));
  const std::string packed = tests::gzip(trace_text(0, 1, 1'700'000'000'000'000));
  folder.write("cut_gz/rank0.json.gz", packed.substr(0, packed.size() - 8) + "\xFF\xFF\xFF\x7F");
  auto profiles = by_path(folder.path(), {.now = later});
  CHECK(profiles.at("whole").status == ProfileStatus::completed);
  CHECK(profiles.at("gaps").status == ProfileStatus::incomplete);
  CHECK(profiles.at("gaps").reason == "ranks 2, 5 of 0–7 are missing");
  CHECK(profiles.at("gaps").ranks == 6);
  CHECK(profiles.at("few").reason == "ranks 0–4, 6–127 of 0–127 are missing");
  CHECK(profiles.at("cut").status == ProfileStatus::partial);
  CHECK(profiles.at("cut").reason == "1 file is truncated");
  CHECK(profiles.at("cut_gz").reason == "1 file is truncated");

  profiles = by_path(folder.path(), {.now = later - 3600 * kSecond});
  CHECK(profiles.at("cut").status == ProfileStatus::in_progress);
  CHECK(profiles.at("gaps").status == ProfileStatus::incomplete);
}

TEST_CASE("a SageMaker job is one profile: traces, metrics, report and description together") {
  const TestFolder folder;
  const std::string job = "jobs/pytorch-2026/";
  folder.write(job + "profiler-output/system/incremental/2026050112/1783653720.algo-1.json",
               listed_line("gpu", "gpu0", "1783653720.001699") + listed_line("gpu", "gpu1", "1783653720.001699"));
  folder.write(job + "profiler-output/system/incremental/2026050112/1783653780.algo-1.json",
               listed_line("gpu", "gpu7", "1783653780.001699"));
  folder.write(job + "profiler-output/system/incremental/2026050112/1783653720.algo-2.json",
               listed_line("gpu", "gpu0", "1783653720.501"));
  folder.write(
      job + "profiler-output/framework/pevents/2026050112/1783653730000000_905-algo-1_pythontimeline.json",
      R"([{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1783653715000000}},
                   {"name": "Step", "pid": 1, "ph": "X", "ts": 250, "dur": 9}])");
  folder.write(job + "rule-output/ProfilerReport-1783653720/profiler-output/profiler-reports/CPUBottleneck.json", "{}");
  const fs::path newest = folder.write(job + "debug-output/claim.smd", "");
  const Ns now = file_time(newest);

  auto profile = [&](Ns at) { return by_path(folder.path(), {.now = at}).at("jobs/pytorch-2026"); };
  REQUIRE(by_path(folder.path()).size() == 1);
  FoundProfile found = profile(now + 5 * kSecond);
  CHECK(found.name == "pytorch-2026");
  CHECK(found.status == ProfileStatus::in_progress);
  CHECK(found.nodes == 2);
  CHECK(found.gpus == 3);
  CHECK_FALSE(found.ranks);
  CHECK(found.created == 1'783'653'715'000'250'000);
  CHECK(found.created_from == TimeOrigin::content);
  CHECK(sources_text(found) == "SageMaker Debugger timeline, system metrics, ProfilerReport");
  CHECK(found.files == 5);
  found = profile(now + 3600 * kSecond);
  CHECK(found.status == ProfileStatus::incomplete);
  CHECK(found.reason.find("no end marker") != std::string::npos);

  folder.write(job + "profiler-output/system/training_job_end.ts", "");
  CHECK(profile(now + 3600 * kSecond).status == ProfileStatus::completed);

  const std::map<std::string, ProfileStatus> statuses = {{"InProgress", ProfileStatus::in_progress},
                                                         {"Completed", ProfileStatus::completed},
                                                         {"Failed", ProfileStatus::failed},
                                                         {"Stopped", ProfileStatus::stopped},
                                                         {"Stopping", ProfileStatus::stopping}};
  for (const auto& [word, status] : statuses) {
    folder.write(job + "describe-training-job.json",
                 R"({"TrainingJobName": "named-by-the-service", "TrainingJobStatus": ")" + word +
                     R"(", "FailureReason": "ran out of memory", "CreationTime": "2026-05-01T12:00:00+02:00"})");
    found = profile(now);
    CHECK(found.name == "named-by-the-service");
    CHECK(found.status == status);
    CHECK(found.reason == "ran out of memory");
  }
}

TEST_CASE("a listing reads job descriptions as a load does: also by ARN, and among other documents") {
  const TestFolder folder;
  folder.write("job/rank0.json",
               R"({"traceEvents": [{"ph": "X", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 5}]})");
  folder.write("job/hyperparameters.json", R"({"sagemaker_job_name": "\"not-this-one\""})");
  folder.write("job/job.json", R"({"TrainingJobArn": "arn:aws:sagemaker:us-east-1:1:training-job/by-arn",
      "TrainingJobStatus": "Stopped", "CreationTime": 1596668565.123, "ResourceConfig": {"InstanceCount": 3}})");
  const FoundProfile found = by_path(folder.path()).at("job");
  CHECK(found.name == "by-arn");
  CHECK(found.status == ProfileStatus::stopped);
  CHECK(found.created == 1'596'668'565'123'000'000);
  CHECK(found.created_from == TimeOrigin::description);
  CHECK(found.files == 1);
}

TEST_CASE("the list shows the formats of the traces") {
  const TestFolder folder;
  const std::string chrome = R"({"traceEvents": [{"ph": "X", "name": "k", "pid": 1, "tid": 7, "ts": 5, "dur": 5}]})";
  folder.write("both/rank0.json", trace_text(0, 1, 1'600'000'000'000'000));
  folder.write("both/other.json", chrome);
  folder.write("tensorflow/plugins/profile/2026_11_23/host.trace.json.gz", tests::gzip(chrome));
  const auto profiles = by_path(folder.path());
  CHECK(sources_text(profiles.at("both")) == "PyTorch profiler, Chrome trace");
  const FoundProfile& tensorflow = profiles.at("tensorflow/plugins/profile/2026_11_23");
  CHECK(sources_text(tensorflow) == "Chrome trace");
  CHECK(tensorflow.ranks == 1);
}

TEST_CASE("a trace with a job name is listed as a trace") {
  const TestFolder folder;
  folder.write("rank0.json", R"({"TrainingJobName": "mine", "traceEvents": [
      {"ph": "X", "name": "k", "pid": 0, "tid": 7, "ts": 1700000000000000, "dur": 5}]})");
  const auto profiles = by_path(folder.path());
  REQUIRE(profiles.size() == 1);
  CHECK(sources_text(profiles.begin()->second) == "Chrome trace");
}

TEST_CASE("ranks in separate folders are one profile, and folders below traces are listed too") {
  const TestFolder folder;
  for (int rank = 0; rank < 3; ++rank)
    folder.write(
        "apart/rank-" + std::to_string(rank) + "/trace.json",
        R"({"traceEvents": [{"ph": "X", "name": "k", "pid": 0, "tid": 7, "ts": 1700000000000000, "dur": 5}]})");
  folder.write("nested/rank0.json", trace_text(0, 1, 1'700'000'000'000'000));
  folder.write("nested/old/rank0.json", trace_text(0, 1, 1'600'000'000'000'000));
  const auto profiles = by_path(folder.path());
  REQUIRE(profiles.size() == 3);
  CHECK(profiles.at("apart").ranks == 3);
  CHECK(profiles.at("apart").files == 3);
  CHECK(profiles.at("nested").files == 2);
  CHECK(profiles.at("nested/old").files == 1);
  CHECK(is_one_profile(folder.path() / "apart"));
  CHECK(is_one_profile(folder.path() / "nested"));
  CHECK(is_one_profile(folder.path() / "nested" / "rank0.json"));
  CHECK_FALSE(is_one_profile(folder.path()));
}

TEST_CASE("the creation time falls back to file names and modification times, and is marked") {
  const TestFolder folder;
  const std::string timeless = R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "name": "k", "ts": 12, "dur": 5}]})";
  folder.write("named/host_12.1694128201545.pt.trace.json", timeless);
  const fs::path plain = folder.write("written/trace.json", timeless);
  folder.write("based/trace.json", R"({"baseTimeNanoseconds": 1700000000000000000, "traceEvents": [
      {"ph": "M", "name": "process_name", "ts": 0}, {"ph": "X", "name": "k", "ts": 12.5, "dur": 5}]})");
  const auto profiles = by_path(folder.path());
  CHECK(profiles.at("named").created == 1'694'128'201'545'000'000);
  CHECK(profiles.at("named").created_from == TimeOrigin::name);
  CHECK(profiles.at("written").created == file_time(plain));
  CHECK(profiles.at("written").created_from == TimeOrigin::modified);
  CHECK(profiles.at("based").created == 1'700'000'000'000'012'500);
  CHECK(profiles.at("based").created_from == TimeOrigin::content);
  CHECK(time_in_name("1694128201.algo-1.json") == 1'694'128'201'000'000'000);
  CHECK(time_in_name("1589314018481947000_1234-testhost") == 1'589'314'018'481'947'000);
  CHECK_FALSE(time_in_name("rank12345.json"));
  CHECK_FALSE(time_in_name("9999999999999.json"));
}

TEST_CASE("times whose base is at the end of the file are also dates") {
  constexpr Ns kBase = 1'700'000'000'000'000'000;
  const std::string events =
      R"({"traceEvents": [{"ph": "X", "name": "unknown", "ts": 0.000, "dur": 5},
          {"ph": "X", "name": "k", "ts": 250.5, "dur": 5})";
  const std::string filler(40'000, ' ');  // so the head does not include the end
  const std::string end = filler + R"(], "traceName": "t.json", "baseTimeNanoseconds": 1700000000000000000
})";
  const TestFolder folder;
  folder.write("plain/trace.json", events + end);
  folder.write("gzip/rank0.json.gz", tests::gzip(events + end));
  folder.write("zstd/rank0.json.zst", tests::zstd(events + end));
  folder.write("without/trace.json", events + filler + "]}");
  folder.write("named/host_1.1694128201545.pt.trace.json.gz", tests::gzip(events + end));
  auto profiles = by_path(folder.path());
  for (const char* const name : {"plain", "gzip", "zstd"}) {
    CAPTURE(name);
    CHECK(profiles.at(name).created == kBase + 250'500);
    CHECK(profiles.at(name).created_from == TimeOrigin::content);
  }
  CHECK(profiles.at("without").created_from == TimeOrigin::modified);
  CHECK(profiles.at("named").created_from == TimeOrigin::name);  // not worth decompressing

  // Beyond the limits, compressed files are skipped; plain files cost nothing.
  profiles = by_path(folder.path(), {.limits = {.unpacked_file = 10}});
  CHECK(profiles.at("gzip").created_from == TimeOrigin::modified);
  CHECK(profiles.at("plain").created_from == TimeOrigin::content);
  const std::uint64_t one = fs::file_size(folder.path() / "gzip" / "rank0.json.gz");
  profiles = by_path(folder.path(), {.limits = {.unpacked = one}});
  CHECK(profiles.at("gzip").created_from == TimeOrigin::content);
  CHECK(profiles.at("zstd").created_from == TimeOrigin::modified);
}

TEST_CASE("GPUs are counted from the heads of traces") {
  const auto trace = [](const std::string& metadata) {
    return "{" + metadata + R"("traceEvents": [{"ph": "X", "name": "k", "pid": 0, "tid": 7, "ts": 12, "dur": 5}]})";
  };
  const std::string two = R"("deviceProperties": [{"id": 0, "name": "A"}, {"id": 1, "name": "A"}], )";
  const TestFolder folder;
  folder.write("host_only/t.json", trace(R"("deviceProperties": [], )"));
  folder.write("one/t.json", trace(R"("deviceProperties": [{"id": 0, "name": "A"}], )"));
  folder.write("one_of_two/t.json",
               trace(two + R"("distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1}, )"));
  folder.write("rank_of_some/t.json", trace(two + R"("distributedInfo": {"rank": 0}, )"));
  folder.write("which/t.json", trace(two));
  for (const char* const rank : {"0", "1"})
    folder.write("by_backend/rank" + std::string(rank) + ".json",
                 trace(R"("distributedInfo": {"backend": "cpu:gloo,cuda:nccl", "rank": )" + std::string(rank) +
                       R"(, "world_size": 2}, )"));
  folder.write("gloo/t.json", trace(R"("distributedInfo": {"backend": "gloo", "rank": 0, "world_size": 2}, )"));
  const auto profiles = by_path(folder.path());
  CHECK(profiles.at("host_only").gpus == 0);
  CHECK(profiles.at("one").gpus == 1);
  CHECK(profiles.at("one_of_two").gpus == 1);
  CHECK(profiles.at("rank_of_some").gpus == 1);
  CHECK_FALSE(profiles.at("which").gpus);
  CHECK(profiles.at("by_backend").gpus == 2);
  CHECK_FALSE(profiles.at("gloo").gpus);
}

TEST_CASE("link cycles, limits and cancelling end the search") {
  const TestFolder folder;
  folder.write("a/rank0.json", trace_text(0, 1, 1'700'000'000'000'000));
  folder.write("b/rank0.json", trace_text(0, 1, 1'700'000'000'000'000));
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
  CHECK(part.cancelled);
  CHECK(part.profiles.size() == 1);

  CHECK_FALSE(list_profiles(folder.path() / "nowhere"));
  const auto file = listed(folder.path() / "a" / "rank0.json");
  REQUIRE(file.profiles.size() == 1);
  CHECK(file.profiles[0].name == "rank0.json");
}

TEST_CASE("the real traces are listed correctly") {
  const auto shared = tests::shared_dir();
  if (!shared) {
    WARN("skipped: no folder shared");
    return;
  }
  const auto profiles = by_path(*shared / "traces");
  const FoundProfile& dlrm = profiles.at("dlrm8");
  CHECK(dlrm.ranks == 8);
  CHECK(dlrm.gpus == 8);
  CHECK(dlrm.nodes == 1);
  CHECK(dlrm.status == ProfileStatus::completed);
  CHECK(dlrm.created_from == TimeOrigin::content);
  const FoundProfile& v100 = profiles.at("v100_5steps");
  CHECK(v100.status == ProfileStatus::incomplete);
  CHECK(v100.reason == "rank 0 of 0–1 is missing");
  CHECK(v100.created.value_or(0) / 1000 == 1'669'783'687'464'181);
  CHECK(profiles.at("sampled2").reason == "ranks 2–127 of 0–127 are missing");
  CHECK(profiles.at("cpu_only").ranks == 1);
  CHECK(profiles.at("mi300_resnet_ddp").reason == "ranks 1–7 of 0–7 are missing");
  // Their time bases are at the end of the files; the third one's first times are unknown.
  CHECK(profiles.at("mi300_resnet_ddp").created.value_or(0) / 1'000'000'000 == 1'770'932'723);
  CHECK(profiles.at("amd_mi250").created.value_or(0) / 1'000'000'000 == 1'739'836'029);
  CHECK(profiles.at("mtia").created.value_or(0) / 1'000'000'000 == 1'731'348'179);
  CHECK(profiles.at("h100_inference").created_from == TimeOrigin::content);
  CHECK(profiles.at("sampled2").gpus == 2);

  const std::string resources = "sagemaker/smdebug/tests/profiler/resources";
  const FoundProfile& test_traces = profiles.at(resources + "/test_traces");
  CHECK(sources_text(test_traces) == "SageMaker Debugger timeline, system metrics");
  CHECK(test_traces.nodes == 1);
  CHECK(test_traces.status == ProfileStatus::incomplete);
  CHECK(profiles.at(resources + "/horovod_timeline_traces").marks_end);
}
