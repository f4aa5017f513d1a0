// System metrics of whole jobs: the debugger's own sample files, and generated ones next to traces, alone, and in
// stores.
#include <algorithm>
#include <map>

#include "core/base/file_group.hpp"
#include "core/ingest/listing/discover.hpp"
#include "core/ingest/load/loader.hpp"
#include "tests/core/ingest/metrics_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using trace::Metric;
using trace::NodeMetrics;

namespace {

tracegen::Options job_with_metrics() {
  tracegen::Options options = small_job(8, 2);
  options.metrics_interval_ns = 500'000'000;
  return options;
}

void check_truth(const NodeMetrics& metrics, const tracegen::MetricsTruth& truth) {
  CHECK(metrics.node() == truth.node);
  CHECK(metrics.origin().files == static_cast<std::uint64_t>(truth.files));
  CHECK(metrics.series().size() == truth.series.size());
  CHECK(metrics.gaps().empty());
  CHECK(metrics.interval() / 1'000'000 == 500);
  for (const trace::MetricColumn& column : metrics.columns())
    for (const trace::MetricColumn::Series& one : column.series) {
      const std::string name = one.type + "/" + one.name + "/" + one.dimension;
      INFO(name);
      REQUIRE(truth.series.contains(name));
      const tracegen::MetricTruth& expected = truth.series.at(name);
      CHECK(one.values.size() == static_cast<std::size_t>(expected.samples));
      CHECK(column.times.front() == expected.first_ns);
      CHECK(column.times.back() == expected.last_ns);
      CHECK(one.values.back() == static_cast<float>(static_cast<double>(expected.last_hundredths) / 100));
      double sum = 0;
      for (const float value : one.values) sum += static_cast<double>(value);
      CHECK(sum == Approx(static_cast<double>(expected.hundredths) / 100).epsilon(1e-6));
    }
}

}  // namespace

TEST_CASE("Debugger's sample files have the expected values") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared folder: real system metrics are not tried");
    return;
  }
  const auto resources = *shared / "traces" / "sagemaker" / "smdebug" / "tests" / "profiler" / "resources";
  const auto second = [](Ns whole, Ns rest) { return whole * 1'000'000'000 + rest; };

  // 14 lines with made-up times, different for each series.
  const auto alone = load(resources / "1591160699.algo-1.json");
  REQUIRE(alone->metrics.size() == 1);
  const NodeMetrics& few = *alone->metrics[0];
  CHECK(few.samples() == 14);
  CHECK(few.series().size() == 6);
  CHECK(samples_of(few, Metric::cpu_utilisation, 0) ==
        Samples{{second(1591160699, 457'089'400), 4.76F}, {second(1591164699, 456'089'400), 54.76F}});
  CHECK(samples_of(few, Metric::cpu_utilisation, 1) ==
        Samples{{second(1591160799, 557'089'400), 5.30F}, {second(1591165699, 457'059'400), 44.76F}});
  CHECK(samples_of(few, Metric::gpu_memory, 1) == Samples{{second(1591162699, 257'089'400), 24.76F},
                                                          {second(1591163699, 457'789'400), 43.76F},
                                                          {second(1591169699, 457'999'400), 84.76F},
                                                          {second(1591170699, 457'080'000), 47.76F}});

  // The same file, plus two minutes of 32 cores, each sampled once per minute in no particular order.
  const auto set = load(resources / "test_traces" / "system");
  REQUIRE(set->metrics.size() == 1);
  const NodeMetrics& cores = *set->metrics[0];
  CHECK(cores.origin().files == 3);
  CHECK(cores.samples() == 14 + 2 * 32);
  CHECK(cores.of(Metric::cpu_utilisation).size() == 32);
  CHECK(samples_of(cores, Metric::cpu_utilisation, 5).front() == std::pair(second(1591748109, 232'195'400), 1.36F));
  CHECK(samples_of(cores, Metric::cpu_utilisation, 6) ==
        Samples{{second(1591748109, 232'195'400), 1.95F}, {second(1591748169, 232'371'600), 1.6F}});
  CHECK(samples_of(cores, Metric::cpu_utilisation, 12).back() == std::pair(second(1591748169, 232'371'600), 30.35F));

  // Files set aside as corrupt are ignored, which is reported.
  const auto found = ingest::discover(resources);
  REQUIRE(found.ok());
  const auto named = [](const trace::SourceFile& source) { return source.path.ends_with("/*.algo-1.json"); };
  CHECK(std::ranges::count_if(found->sources, named) == 2);
  CHECK(found->diagnostics.count("metrics-file-ignored") == 1);
}

TEST_CASE("a generated job of two nodes with eight GPUs has the metrics written by the generator") {
  const TestFolder folder;
  const tracegen::MemorySet set = tracegen::generate_in_memory(job_with_metrics());
  write_set(folder, set);
  const auto profile = load(folder.path());
  CHECK(profile->ranks.size() == 16);
  REQUIRE(profile->metrics.size() == 2);
  REQUIRE(profile->nodes.size() == 2);
  for (std::size_t node = 0; node < 2; ++node) {
    check_truth(*profile->metrics[node], set.truth.metrics[node]);
    CHECK(profile->nodes[node].metrics == node);
    CHECK(profile->nodes[node].ranks.size() == 8);
    CHECK(profile->metrics[node]->of(Metric::gpu_utilisation).size() == 8);
    // On the same clock: half a minute before the recording and half a minute after it.
    CHECK(profile->metrics[node]->span().begin < profile->span.begin - Ns{29} * 1'000'000'000);
    CHECK(profile->metrics[node]->span().end > profile->span.end + Ns{29} * 1'000'000'000);
  }
  CHECK(profile->diagnostics.count("metrics-joined-by-order") == 2);
  CHECK(profile->diagnostics.all().size() == 1);

  for (const auto& file : set.files)
    if (!file.path.starts_with("profiler-output")) std::filesystem::remove(folder.path() / file.path);
  const auto alone = load(folder.path());
  CHECK(alone->ranks.empty());
  REQUIRE(alone->metrics.size() == 2);
  check_truth(*alone->metrics[1], set.truth.metrics[1]);
}

TEST_CASE("a converted profile contains the metrics and does not need their files") {
  const TestFolder folder;
  const TestFolder elsewhere;
  const std::string store = (elsewhere.path() / "job.wscope").string();
  const tracegen::MemorySet set = tracegen::generate_in_memory(job_with_metrics());
  for (const bool with_traces : {true, false}) {
    for (const auto& file : set.files)
      if (with_traces || file.path.starts_with("profiler-output")) folder.write(file.path, file.bytes);
    folder.write("profiler-output/system/incremental/1758000000.algo-2.json", "{\"Type\":\"cpu\"}\n");
    ingest::LoadOptions options;
    options.store.use = false;
    {
      ingest::Loader loader(folder.path().string(), options);
      loader.wait();
      REQUIRE_FALSE(loader.save(store, CancelToken()));
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      std::filesystem::remove_all(entry.path());
    const auto opened = load(store);
    CHECK(opened->ranks.size() == (with_traces ? 16 : 0));
    REQUIRE(opened->metrics.size() == 2);
    CHECK(opened->diagnostics.count("metrics-line-damaged") == 1);
    CHECK(opened->metrics[0]->origin().source ==
          (folder.path() / "profiler-output/system/incremental/**/*.algo-1.json").string());
    check_truth(*opened->metrics[0], set.truth.metrics[0]);
    CHECK(opened->metrics[1]->samples() > 1000);
  }
}

TEST_CASE("metrics and their diagnostics come from the store until a file of the node changes") {
  const TestFolder folder;
  const TestFolder stores;
  const tracegen::MemorySet set = tracegen::generate_in_memory(job_with_metrics());
  write_set(folder, set, "job");
  const auto damaged = folder.write("job/profiler-output/system/incremental/1758000000.algo-2.json", "damaged\n");
  ingest::LoadOptions options;
  options.store.folder = stores.path();
  const auto from_store = [](const ingest::Loader& loader) {
    std::map<std::string, bool> result;
    for (const ingest::FileStatus& file : loader.status().files)
      if (is_group(file.path)) result[file.path.substr(file.path.find("algo-"), 6)] = file.from_store;
    return result;
  };
  {
    ingest::Loader first((folder.path() / "job").string(), options);
    first.wait();
    CHECK(from_store(first) == std::map<std::string, bool>{{"algo-1", false}, {"algo-2", false}});
    REQUIRE(first.keep(CancelToken()).ok());
  }
  {
    ingest::Loader second((folder.path() / "job").string(), options);
    second.wait();
    CHECK(from_store(second) == std::map<std::string, bool>{{"algo-1", true}, {"algo-2", true}});
    CHECK(second.profile()->diagnostics.count("metrics-line-damaged") == 1);
    check_truth(*second.profile()->metrics[0], set.truth.metrics[0]);
  }
  std::filesystem::remove(damaged);
  ingest::Loader third((folder.path() / "job").string(), options);
  third.wait();
  CHECK(from_store(third) == std::map<std::string, bool>{{"algo-1", true}, {"algo-2", false}});
  CHECK(third.profile()->diagnostics.count("metrics-line-damaged") == 0);
}
