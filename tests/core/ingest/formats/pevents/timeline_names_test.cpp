// Names of framework timelines, and the groups that they form.
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/formats/pevents/timeline_name.hpp"
#include "tests/core/ingest/formats/pevents/timeline_files.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using tests::timeline_of;

TEST_CASE("the name of a timeline has its job, process and kind") {
  const auto name =
      pevents::timeline_name("/job/framework/pevents/2020071317/1594662624718694_905-algo-1_pythontimeline.json");
  REQUIRE(name);
  CHECK(name->folder == "/job/framework");
  CHECK(name->writer == "905-algo-1");
  CHECK(name->kind == "pythontimeline");
  CHECK(pevents::timeline_name("/job/framework/905-algo-1_pythontimeline.json.tmp")->writer == "905-algo-1");
  CHECK(pevents::timeline_name("/job/framework/905-algo-1_pythontimeline.json.tmp")->folder == "/job/framework");
  CHECK(pevents::timeline_name("1589930988000000_4487_0000_pythontimeline.json")->writer == "4487");
  CHECK(pevents::timeline_name("1_x_horovod_timeline.json")->writer == "1");
  CHECK_FALSE(pevents::timeline_name("/job/pythontimeline.json"));
  CHECK_FALSE(pevents::timeline_name("/job/1594662624718694_905-algo-1_timeline.json"));
  CHECK_FALSE(pevents::timeline_name("/job/rank0.json"));
  CHECK_FALSE(pevents::timeline_name(""));
}

TEST_CASE("a process is shown with its node first, as SageMaker does") {
  CHECK(pevents::writer_of("905-algo-1").label == "algo-1-905");
  CHECK(pevents::writer_of("905-algo-1").host == "algo-1");
  CHECK(pevents::writer_of("905-algo-1").number == 905);
  CHECK(pevents::writer_of("88359-8c859046be41.ant.amazon.com").label == "88359-8c859046be41.ant.amazon.com");
  CHECK(pevents::writer_of("4487").number == 4487);
  CHECK(pevents::writer_of("4487").host.empty());
  CHECK_FALSE(pevents::writer_of("host").number);
  CHECK(pevents::writer_of("99999999999999999999999-algo-1").number == std::nullopt);
  CHECK(pevents::writer_in_path("/job/**/*_905-algo-1_*timeline.json").label == "algo-1-905");
}

TEST_CASE("content determines whether a file is a framework timeline") {
  const std::string text = timeline_of(tests::timeline_slice("a", 1, 2));
  CHECK(format_of(FileHead{"anything", text}).name() == "SageMaker Debugger timeline");
  const std::string other = R"([{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "start"}},
                               {"name": "a", "ph": "X", "pid": 0, "ts": 1, "dur": 2}])";
  CHECK(format_of(FileHead{"1594662624718694_905-algo-1_pythontimeline.json", other}).name() == "Chrome trace");
}
