// Formats recognize files by name, without reading them.
#include "core/ingest/formats/format_list.hpp"

#include "core/base/file_group.hpp"
#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using tests::TestFolder;

TEST_CASE("file names identify metrics and Python statistics") {
  const std::string job = "/job/profiler-output/";
  const auto metrics = format_by_name(job + "system/incremental/2026071003/1783653720.algo-2.json");
  REQUIRE(metrics);
  CHECK(metrics->format->name() == "system metrics");
  CHECK_FALSE(metrics->file.ignore);
  for (const char* set_aside : {"system/incremental/2026071003/notes.txt", "x/1783653720.algo-1.json.corrupt"}) {
    const auto ignored = format_by_name(job + set_aside);
    REQUIRE(ignored);
    CHECK(ignored->file.ignore);
    CHECK(ignored->file.code == "metrics-file-ignored");
  }
  const auto python = format_by_name("/job/framework/pytorch/cprofile/905-algo-1/x/python_stats");
  REQUIRE(python);
  CHECK_FALSE(python->file.ignore);
  for (const char* other : {"/job/rank0.json", "/job/trace.json.gz", "/job/python_stats", "/job/x.metadata"})
    CHECK_FALSE(format_by_name(other));
}

TEST_CASE("only counters and the copies for Perfetto are skipped next to traces") {
  const auto counters = copy_of({"/job/counters.json", R"({"countersOf": "rank 0"})"});
  REQUIRE(counters);
  CHECK(counters->code == "counters-beside-traces");
  CHECK_FALSE(counters->same_folder);
  const auto perfetto = copy_of({"/job/perfetto_trace.json.gz", R"({"traceEvents": []})"});
  REQUIRE(perfetto);
  CHECK(perfetto->same_folder);
  CHECK_FALSE(copy_of({"/job/host.trace.json.gz", R"({"traceEvents": []})"}));
}

TEST_CASE("a diagnostic's position identifies the event, even in a file of a group") {
  const TestFolder folder;
  const std::string root = folder.path().string();
  const std::string first = folder.write("1_5-algo-1_pythontimeline.json", "0123456789").string();
  const std::string second = folder.write("2_5-algo-1_pythontimeline.json", "01234").string();
  const std::string group = group_path(root, "5-algo-1", "timeline.json");
  const TraceFormat& format = *trace_formats().front();
  CHECK(format.event_at(first, first, 7) == 7);
  CHECK(format.event_at(group, first, 7) == 7);
  CHECK(format.event_at(group, second, 3) == 13);
  CHECK_FALSE(format.event_at(group, root + "/other.json", 3));
}
