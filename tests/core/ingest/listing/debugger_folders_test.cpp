// Folders of SageMaker jobs: which files are sources, and which are skipped without a diagnostic for each.
#include <algorithm>

#include "core/base/file_group.hpp"
#include "tests/core/ingest/formats/pevents/timeline_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

const std::string kTimelines = "profiler-output/framework/pevents/2020071317/";

void write_other_output(const TestFolder& folder) {
  folder.write("output/model.tar.gz", "\x1f\x8b");
  folder.write("debug-output/claim.smd", "");
  folder.write("debug-output/collections/000000000/worker_0_collections.json", R"({"collections": []})");
  folder.write("debug-output/index/000000000/000000000000_worker_0.json", R"({"meta": {}})");
  folder.write("profiler-output/system/training_job_end.ts", "");
  const std::string stats = "profiler-output/framework/pytorch/pyinstrument/905-algo-1/train-9-start_train-10-end/";
  folder.write(stats + "python_stats.json", R"({"root_frame": {}})");
  folder.write(stats + "python_stats.html", "<html>");
  folder.write("profiler-output/framework/pytorch/cprofile/905-algo-1/x/python_stats", "\xfb\x01");
}

}  // namespace

TEST_CASE("the job, its profiler output and the framework folder all have the same ranks") {
  const TestFolder folder;
  write_other_output(folder);
  folder.write(kTimelines + "1594662605430000_905-algo-1_pythontimeline.json",
               timeline_of(timeline_slice("a", 100, 10)));
  folder.write(kTimelines + "1594662605430000_906-algo-1_pythontimeline.json",
               timeline_of(timeline_slice("b", 100, 10)));
  for (const char* within : {"", "profiler-output", "profiler-output/framework", "profiler-output/framework/pevents"}) {
    CAPTURE(within);
    const auto found = ingest::discover(folder.path() / within);
    REQUIRE(found.ok());
    CHECK(std::ranges::count_if(found->sources, [](const auto& source) { return is_group(source.path); }) == 2);
    CHECK(std::ranges::count(found->files, ingest::FoundFile::As::part, &ingest::FoundFile::as) == 2);
    CHECK(found->diagnostics.empty());
  }
}

TEST_CASE("folders that only share their names with Debugger's are searched") {
  const TestFolder folder;
  folder.write("debug-output/rank0.json", trace_of(kernel_event("gemm")));
  folder.write("pyinstrument/rank1.json", trace_of(kernel_event("gemm")));
  const auto found = ingest::discover(folder.path());
  REQUIRE(found.ok());
  CHECK(found->sources.size() == 2);
}

TEST_CASE("timelines in a flat folder belong to one rank for each process") {
  const TestFolder folder;
  folder.write("1594662605430000_905-algo-1_pythontimeline.json", timeline_of(timeline_slice("a", 100, 10)));
  folder.write("1594662605440000_905-algo-1_model_timeline.json",
               timeline_of(timeline_slice("b", 100, 10), "DataIterator"));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 1);
  CHECK(profile->ranks.front()->counts.slices == 2);
}

TEST_CASE("PyTorch traces next to framework timelines belong to the same profile and nodes") {
  const TestFolder folder;
  folder.write(kTimelines + "1594662605430000_0-algo-2_pythontimeline.json",
               timeline_of(timeline_slice("a", 100, 10, 1, R"("pid": 77)")));
  folder.write("traces/algo-2/rank0.json", trace_of(kernel_event("gemm", kTimelineBase)));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 2);
  CHECK(profile->ranks[0]->number == 0);
  CHECK(profile->ranks[1]->number == 0);
  REQUIRE(profile->nodes.size() == 1);
  CHECK(profile->nodes.front().label == "algo-2");
  CHECK(profile->diagnostics.count("duplicate-rank") == 0);
}

TEST_CASE("output of SageMaker Profiler is reported, with what to do instead") {
  const TestFolder folder;
  folder.write("rule-output/DetailedProfilerProcessingJobConfig-1700000000/smp/data.json", R"({"a": 1})");
  const auto found = ingest::discover(folder.path());
  REQUIRE(found.ok());
  CHECK(found->sources.empty());
  CHECK(found->diagnostics.count("sealed-profile") == 1);
  const auto profile = warpscope::tests::load_profile(folder.path().string());
  REQUIRE_FALSE(profile.ok());
  CHECK(profile.error().what.find("SageMaker Profiler") != std::string::npos);
  CHECK(profile.error().advice.find("torch.profiler") != std::string::npos);
}

TEST_CASE("output of SageMaker Profiler is reported when opened directly and in folders of raw files") {
  const TestFolder folder;
  const std::string sealed = "rule-output/DetailedProfilerProcessingJobConfig-1700000000/";
  folder.write(sealed + "smp/data.json", R"({"a": 1})");
  folder.write("raw/smpfile_905_1700000000.raw", std::string(100, '\0'));
  folder.write("raw/smpfile_905_1700000600.raw", std::string(100, '\0'));
  for (const char* opened : {"rule-output", "raw", "raw/smpfile_905_1700000000.raw"}) {
    CAPTURE(opened);
    CHECK(ingest::discover(folder.path() / opened).value().diagnostics.all().size() == 1);
  }
  for (const std::string& opened :
       {sealed, sealed + "smp", std::string("raw"), std::string("raw/smpfile_905_1700000000.raw")}) {
    CAPTURE(opened);
    const auto profile = warpscope::tests::load_profile((folder.path() / opened).string());
    REQUIRE_FALSE(profile.ok());
    CHECK(profile.error().what.find("SageMaker Profiler") != std::string::npos);
    CHECK(profile.error().advice.find("torch.profiler") != std::string::npos);
  }
  folder.write("raw/rank0.json", trace_of(kernel_event("gemm")));
  folder.write("raw/smpfile_notes.raw", "text");
  const auto profile = load(folder.path() / "raw");
  CHECK(profile->ranks.size() == 1);
  CHECK(profile->diagnostics.count("sealed-profile") == 2);
}

TEST_CASE("reports of rules open without traces and metrics, even if one is corrupt") {
  const TestFolder folder;
  const std::string reports = "ProfilerReport/profiler-output/profiler-reports/";
  folder.write("ProfilerReport/profiler-output/profiler-report.html", "<html>");
  folder.write("ProfilerReport/profiler-output/profiler-report.ipynb", R"({"cells": []})");
  folder.write(reports + "CPUBottleneck.json",
               R"({"RuleTriggered": 3, "Violations": 7, "Details": {}, "Datapoints": 50})");
  folder.write(reports + "IOBottleneck.json", R"({"RuleTriggered": 3, "Viol)");
  folder.write(reports + "BatchSize.json", "garbage");
  for (const char* opened : {"ProfilerReport", "ProfilerReport/profiler-output/profiler-reports"}) {
    CAPTURE(opened);
    const auto profile = load(folder.path() / opened);
    CHECK(profile->ranks.empty());
    REQUIRE(profile->job->size() == 1);
    CHECK(profile->job->front().kind == trace::JobDocumentKind::rule_report);
    CHECK(profile->diagnostics.all().size() == 2);
    CHECK(profile->diagnostics.count("job-document-unreadable") == 2);
  }
  const auto one = load(folder.path() / (reports + "CPUBottleneck.json"));
  CHECK(one->job->size() == 1);

  std::filesystem::remove(folder.path() / (reports + "CPUBottleneck.json"));
  const auto none = warpscope::tests::load_profile((folder.path() / "ProfilerReport").string());
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().what.find("not valid JSON") != std::string::npos);
}
