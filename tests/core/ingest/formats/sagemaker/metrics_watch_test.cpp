// Files of system metrics that appear, grow and disappear: only changed files are reread.
#include "core/ingest/formats/sagemaker/system_metrics.hpp"
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
    return profile->metrics.size() == 2 && profile->metrics[0]->samples() == 3 && profile->metrics[1]->samples() == 1;
  }));
  CHECK(loader.profile()->diagnostics.count("metrics-line-cut-off") == 1);
  std::filesystem::remove(folder.path() / "system/incremental/2026071003/1783653720.algo-2.json");
  CHECK(comes_true([&] { return loader.profile()->metrics.size() == 1; }));
}

TEST_CASE("only changed files of a node are read again") {
  const TestFolder folder;
  for (int minute = 0; minute < 30; ++minute)
    folder.write("system/incremental/" + std::to_string(1783653720 + 60 * minute) + ".algo-1.json",
                 metrics_line(std::to_string(1783653720 + 60 * minute) + ".5", "1.00"));
  ingest::smdebug::SystemMetrics metrics;
  const auto look = [&](bool hold) {
    const auto found = ingest::discover(folder.path());
    REQUIRE(found.ok());
    (void)metrics.look(found->metrics, {});
    const std::size_t due = metrics.to_read();
    for (std::size_t i = 0; i < due; ++i) metrics.read(i, nullptr, nullptr);
    const auto nodes = metrics.take_changed(hold);
    CHECK(nodes.size() == (due > 0 ? 1 : 0));
    if (!nodes.empty()) CHECK(nodes[0].metrics->origin().files == nodes[0].metrics->samples());
    return due;
  };
  CHECK(look(true) == 30);
  CHECK(look(true) == 0);
  folder.write("system/incremental/1783655520.algo-1.json", metrics_line("1783655520.5", "1.00"));
  CHECK(look(false) == 1);
  CHECK(look(true) == 0);
  folder.write("system/incremental/1783655580.algo-1.json", metrics_line("1783655580.5", "1.00"));
  CHECK(look(true) == 32);
}

TEST_CASE("metrics missed by a cancelled load are read next time, not taken from a store") {
  const TestFolder folder;
  const std::string files = "system/incremental/2026071003/";
  folder.write(files + "1783653720.algo-1.json", metrics_line("1783653720.5", "1"));
  folder.write(files + "1783653780.algo-1.json", metrics_line("1783653780.5", "2"));
  const auto found = ingest::discover(folder.path());
  REQUIRE(found);
  ingest::smdebug::SystemMetrics metrics;
  REQUIRE(metrics.look(found->metrics, {}).size() == 1);
  REQUIRE(metrics.to_read() == 2);
  CancelToken cancelled;
  cancelled.cancel();
  metrics.read(0, nullptr, nullptr);
  metrics.read(1, nullptr, &cancelled);
  auto nodes = metrics.take_changed(false);
  REQUIRE(nodes.size() == 1);
  const auto part = nodes[0].metrics;
  REQUIRE(part);
  CHECK(part->samples() == 1);

  REQUIRE(metrics.look(found->metrics, {}).size() == 1);
  for (std::size_t i = 0; i < metrics.to_read(); ++i) metrics.read(i, nullptr, nullptr);
  nodes = metrics.take_changed(false);
  REQUIRE(nodes.size() == 1);
  REQUIRE(nodes[0].metrics);
  CHECK(nodes[0].metrics->samples() == 2);
  CHECK(metrics.look(found->metrics, {}).empty());

  ingest::smdebug::SystemMetrics later;
  CHECK(later.look(found->metrics, std::span(&part, 1)).size() == 1);
  ingest::smdebug::SystemMetrics from_store;
  CHECK(from_store.look(found->metrics, std::span(&nodes[0].metrics, 1)).empty());
}
