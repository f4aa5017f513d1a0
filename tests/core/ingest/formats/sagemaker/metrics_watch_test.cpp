// System metrics files that appear, grow and disappear: only changed files are reread.
#include "core/ingest/formats/sagemaker/metrics_reader.hpp"
#include "core/ingest/listing/discover.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/metrics_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("a watched directory loads metrics files that appear and grow") {
  const TestFolder folder;
  const std::string file = "system/incremental/2026071003/1783653720.algo-1.json";
  folder.write(file, metrics_line("1783653720.5", "1.00"));
  ingest::LoadOptions options;
  options.store.use = false;
  options.watch = true;
  options.look_every = std::chrono::milliseconds(50);
  ingest::Loader loader(folder.path().string(), options);
  loader.wait();
  REQUIRE(loader.profile());
  CHECK(loader.profile()->metrics[0]->samples() == 1);
  folder.write(file, metrics_line("1783653720.5", "1.00") + metrics_line("1783653721", "2.00") + "{\"Type\"");
  folder.write("system/incremental/2026071003/1783653780.algo-1.json", metrics_line("1783653780.5", "3.00"));
  folder.write("system/incremental/2026071003/1783653720.algo-2.json", metrics_line("1783653720.5", "4.00"));
  CHECK(comes_true([&] {
    const auto profile = loader.profile();
    return profile->metrics.size() == 2 && profile->metrics[0]->samples() == 3 && profile->metrics[1]->samples() == 1 &&
           profile->complete;
  }));
  CHECK(loader.profile()->diagnostics.count("metrics-line-cut-off") == 1);
  std::filesystem::remove(folder.path() / "system/incremental/2026071003/1783653720.algo-2.json");
  CHECK(comes_true([&] { return loader.profile()->diagnostics.count("source-vanished") == 1; }));
}

TEST_CASE("only changed files of a node are read again") {
  const TestFolder folder;
  const std::string file = "system/incremental/1783653720.algo-1.json";
  folder.write(file, metrics_line("1783653720.5", "1.00"));
  folder.write("system/incremental/1783653780.algo-1.json", metrics_line("1783653780.5", "2.00"));
  ingest::ReadOptions options;
  const auto read = [&] {
    const auto found = ingest::discover(folder.path());
    REQUIRE(found.ok());
    REQUIRE(found->sources.size() == 1);
    auto contents = ingest::smdebug::MetricsReader(found->sources.front(), options, {}).read();
    REQUIRE(contents.ok());
    options.earlier = (*contents)->state;
    return (*contents)->data.metrics;
  };
  CHECK(read()->samples() == 2);
  // The size, time and inode are the same, so the previous contents are shown.
  const auto time = std::filesystem::last_write_time(folder.path() / file);
  folder.write(file, metrics_line("1783653720.5", "9.00"));
  std::filesystem::last_write_time(folder.path() / file, time);
  folder.write("system/incremental/1783653840.algo-1.json", metrics_line("1783653840.5", "3.00"));
  const auto metrics = read();
  CHECK(metrics->origin().files == 3);
  CHECK(samples_of(*metrics, trace::Metric::cpu_utilisation, 0).front().second == 1.0F);
  options.earlier = nullptr;
  CHECK(samples_of(*read(), trace::Metric::cpu_utilisation, 0).front().second == 9.0F);
}

TEST_CASE("files missed by a cancelled load are read next time") {
  const TestFolder folder;
  folder.write("system/incremental/1783653720.algo-1.json", metrics_line("1783653720.5", "1"));
  const auto found = ingest::discover(folder.path());
  REQUIRE(found);
  CancelToken cancelled;
  cancelled.cancel();
  ingest::ReadOptions options;
  options.cancel = &cancelled;
  auto contents = ingest::smdebug::MetricsReader(found->sources.front(), options, {}).read();
  REQUIRE(contents);
  CHECK((*contents)->cancelled);
  CHECK((*contents)->data.metrics == nullptr);
  options.cancel = nullptr;
  options.earlier = (*contents)->state;
  contents = ingest::smdebug::MetricsReader(found->sources.front(), options, {}).read();
  REQUIRE(contents);
  CHECK_FALSE((*contents)->cancelled);
  CHECK((*contents)->data.metrics->samples() == 1);
}
