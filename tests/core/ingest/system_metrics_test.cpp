// SageMaker Debugger's system metrics: from its files to the series of each node, beside traces and alone.
#include "core/trace/system_metrics.hpp"

#include <algorithm>
#include <cmath>

#include "core/ingest/discover.hpp"
#include "core/ingest/loader.hpp"
#include "core/ingest/smdebug/metrics_file.hpp"
#include "core/ingest/smdebug/system_metrics.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using ingest::smdebug::metrics_file_name;
using trace::Metric;
using trace::NodeMetrics;

namespace {

constexpr Ns kMinute = Ns{1783653720} * 1'000'000'000;

std::string line(const std::string& time, const std::string& value, const std::string& name = "cpu0") {
  return R"({"Type":"cpu","Name":")" + name + R"(","Dimension":"CPUUtilization","Value":)" + value +
         R"(,"NodeId":"algo-1","Timestamp":)" + time + "}\n";
}

struct Read {
  std::shared_ptr<const NodeMetrics> metrics;
  Diagnostics diagnostics;
};

/// One file of this text.
Read read(const std::string& text) {
  const TestFolder folder;
  const auto file = folder.write("system/incremental/2026071003/1783653720.algo-1.json", text);
  const auto found = ingest::discover(folder.path());
  REQUIRE(found.ok());
  ingest::smdebug::SystemMetrics metrics;
  CHECK(metrics.look(found->metrics, {}).size() == found->metrics.size());
  for (std::size_t i = 0; i < metrics.to_read(); ++i) metrics.read(i, nullptr, nullptr);
  auto nodes = metrics.take_changed(false);
  if (nodes.empty()) return {};
  return {nodes.front().metrics, nodes.front().diagnostics};
}

/// Values of a series by their times, without the times of silence.
std::vector<std::pair<Ns, float>> samples(const NodeMetrics& metrics, Metric metric, std::uint32_t instance) {
  std::vector<std::pair<Ns, float>> result;
  for (const trace::MetricSeries& one : metrics.of(metric))
    for (std::size_t i = 0; one.instance == instance && i < one.counter.size(); ++i)
      if (!std::isnan(one.counter.value(i))) result.emplace_back(one.counter.time(i), one.counter.value(i));
  return result;
}

using Samples = std::vector<std::pair<Ns, float>>;

tracegen::Options job_with_metrics() {
  tracegen::Options options = *tracegen::preset("small");
  options.nodes = 2;
  options.gpus = 8;
  options.layers = 1;
  options.steps = 2;
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

TEST_CASE("files of system metrics are known by their names") {
  const auto name = metrics_file_name("/job/profiler-output/system/incremental/2026071003/1783653720.algo-12.json");
  REQUIRE(name.has_value());
  CHECK(name->folder == "/job/profiler-output");
  CHECK(name->node == "algo-12");
  CHECK(name->minute == kMinute);
  CHECK(metrics_file_name("/job/system/incremental/1591160699.algo-1.json")->folder == "/job");
  CHECK(metrics_file_name("/elsewhere/1591160699.algo-1.json")->folder == "/elsewhere");
  for (const char* other :
       {"/x/1591160699.algo-1.json.corrupt", "/x/159116069.algo-1.json", "/x/15911606991.algo-1.json",
        "/x/1591160699.algo-.json", "/x/1591160699.node-1.json", "/x/1591160699.algo-1x.json", "/x/1591160699.json",
        "/x/training_job_end.ts", "", "/", "/x/1591160699.algo-1.json/"})
    CHECK_FALSE(metrics_file_name(other).has_value());
}

TEST_CASE("each form of a line gives the same sample, its time exact to the nanosecond") {
  const Samples expected{{kMinute + 1'699'000, 37.5F}};
  for (
      const char* text :
      {R"({"Type":"cpu","Name":"cpu3","Dimension":"CPUUtilization","Value":37.50,"NodeId":"algo-1","Timestamp":1783653720.001699})",
       R"({"Type": "cpu", "Name":"cpu3", "Dimension": "CPUUtilization", "Value":37.5,"NodeId":"algo-1","Timestamp":1783653720.001699})",
       "\xEF\xBB\xBF {\t\"Timestamp\" : \"1783653720.001699\" , \"Value\" : 3.75e1, \"Other\": {\"a\": [\"}\", 2]}, "
       "\"Dimension\":\"CPUUtilization\", \"Name\":\"cpu\\u0033\", \"Type\":\"cpu\" } \r"}) {
    INFO(text);
    const Read one = read(std::string(text) + "\n");
    REQUIRE(one.metrics);
    CHECK(samples(*one.metrics, Metric::cpu_utilisation, 3) == expected);
    CHECK(one.diagnostics.empty());
  }
}

TEST_CASE("what is out of order is sorted, what comes again is there once, gaps stay gaps") {
  std::string text;
  for (const int second : {40, 2, 3, 1, 0, 41, 42, 2})
    text += line("17836537" + std::to_string(20 + second) + ".000000", std::to_string(second) + ".25");
  const Read all = read(text);
  REQUIRE(all.metrics);
  Samples expected;
  for (const int second : {0, 1, 2, 3, 40, 41, 42})
    expected.emplace_back(kMinute + Ns{second} * 1'000'000'000, static_cast<float>(second) + 0.25F);
  CHECK(samples(*all.metrics, Metric::cpu_utilisation, 0) == expected);
  CHECK(all.metrics->origin().repeated == 1);
  CHECK(all.metrics->interval() == 1'000'000'000);
  CHECK(all.metrics->gaps() ==
        std::vector<Interval>{{kMinute + Ns{4} * 1'000'000'000, kMinute + Ns{40} * 1'000'000'000}});
  CHECK(all.diagnostics.empty());
}

TEST_CASE("lines that make no sense are counted with their place, and the others are taken") {
  const std::string good = line("1783653720.5", "1.00");
  const std::vector<std::string> bad{
      line("1783653721", "NaN"),
      line("1783653721", "Infinity"),
      line("1783653721", "1e999"),
      line("1783653721", "-"),
      line("1783653721", "0x10"),
      line("1783653721", "null"),
      line("1783653721", "\"many\""),
      line("NaN", "1"),
      line("1e300", "1"),
      line("-5", "1"),
      line("0", "1"),
      line("1683653721", "1"),
      line("1783653721 2", "1"),
      "{}\n",
      "[]\n",
      "null\n",
      "{\"Type\":\"cpu\"}\n",
      "{\"Type\":7,\"Name\":\"cpu0\",\"Value\":1,\"Timestamp\":1783653721}\n",
      "{\"Type\":\"\xff\xfe\",\"Name\":\"cpu0\",\"Value\":1,\"Timestamp\":1783653721}\n",
      "{\"Type\":\"cpu\",\"Name\":\"c\\q\",\"Value\":1,\"Timestamp\":1783653721}\n",
      line("1783653721", "1").insert(1, ","),
      line("1783653721", "1").insert(0, "x"),
      "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Value\":1,\"Timestamp\":1783653721,}\n",
      "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Value\":1,\"Timestamp\":1783653721} trailing\n",
      "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Value\":1,\"Timestamp\":17836\n",
      std::string(70'000, 'x') + "\n",
      std::string("\0\0\0\n", 4),
      "\"\n",
      "{\"\n",
      "{\"a\\\n"};
  for (const std::string& one : bad) {
    INFO(one.substr(0, 200));
    const Read found = read(good + one + line("1783653722.5", "3.00"));
    REQUIRE(found.metrics);
    CHECK(samples(*found.metrics, Metric::cpu_utilisation, 0) ==
          Samples{{kMinute + 500'000'000, 1.F}, {kMinute + 2'500'000'000, 3.F}});
    REQUIRE(found.diagnostics.all().size() == 1);
    CHECK(found.diagnostics.all()[0].code == "metrics-line-damaged");
    CHECK(found.diagnostics.all()[0].offset == good.size());
  }
  CHECK(read(good + "\n  \n" + good).diagnostics.empty());
}

TEST_CASE("a last line that is cut off is left out with a word, wherever it is cut") {
  const std::string first = line("1783653720.5", "1.00");
  const std::string second = line("1783653721.5", "2.00");
  for (std::size_t size = 0; size < second.size(); ++size) {
    const Read found = read(first + second.substr(0, size));
    REQUIRE(found.metrics);
    // Without its line end alone it is whole.
    const bool whole = size + 1 == second.size();
    CHECK(found.metrics->samples() == (whole ? 2 : 1));
    CHECK(found.diagnostics.count("metrics-line-cut-off") == (size > 0 && !whole ? 1 : 0));
    CHECK(found.diagnostics.count("metrics-line-damaged") == 0);
  }
}

TEST_CASE("a file with no sample gives no node") {
  CHECK(read("").metrics == nullptr);
  CHECK(read("\n").metrics == nullptr);
  CHECK(read("not json").metrics == nullptr);
}

TEST_CASE("series that are too many are left out and counted") {
  std::string text;
  for (int i = 0; i < 9000; ++i) text += line("1783653720.5", "1.00", "cpu" + std::to_string(i));
  const Read found = read(text);
  REQUIRE(found.metrics);
  CHECK(found.metrics->series().size() == ingest::smdebug::MetricNames::kMost);
  CHECK(found.diagnostics.count("metrics-too-many") == 9000 - ingest::smdebug::MetricNames::kMost);
}

TEST_CASE("text comes in portions of any size") {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += line("17836537" + std::to_string(20 + i / 2) + (i % 2 == 0 ? ".0" : ".5"), "1." + std::to_string(i),
                 "cpu" + std::to_string(i % 3));
  const std::string path = "/x/1783653720.algo-1.json";
  for (const std::size_t portion : {1u, 2u, 7u, 64u, 1000u, 100'000u}) {
    ingest::smdebug::MetricNames names;
    ingest::smdebug::MetricsText reader(names, path);
    for (std::size_t at = 0; at < text.size(); at += portion) reader.push(std::string_view(text).substr(at, portion));
    const ingest::smdebug::MetricsPart part = reader.finish();
    std::size_t count = 0;
    for (const auto& column : part.columns) count += column.values.size();
    CHECK(count == 40);
    CHECK(part.diagnostics.empty());
  }
}

TEST_CASE("the sample files of the debugger give their values") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared folder: real system metrics are not tried");
    return;
  }
  const auto resources = *shared / "traces" / "sagemaker" / "smdebug" / "tests" / "profiler" / "resources";
  const auto second = [](Ns whole, Ns rest) { return whole * 1'000'000'000 + rest; };

  // 14 lines of made-up times, each series with its own.
  const auto alone = load(resources / "1591160699.algo-1.json");
  REQUIRE(alone->metrics.size() == 1);
  const NodeMetrics& few = *alone->metrics[0];
  CHECK(few.samples() == 14);
  CHECK(few.series().size() == 6);
  CHECK(samples(few, Metric::cpu_utilisation, 0) ==
        Samples{{second(1591160699, 457'089'400), 4.76F}, {second(1591164699, 456'089'400), 54.76F}});
  CHECK(samples(few, Metric::cpu_utilisation, 1) ==
        Samples{{second(1591160799, 557'089'400), 5.30F}, {second(1591165699, 457'059'400), 44.76F}});
  CHECK(samples(few, Metric::gpu_memory, 1) == Samples{{second(1591162699, 257'089'400), 24.76F},
                                                       {second(1591163699, 457'789'400), 43.76F},
                                                       {second(1591169699, 457'999'400), 84.76F},
                                                       {second(1591170699, 457'080'000), 47.76F}});

  // The same beside two minutes of 32 cores, each sampled once and in no order.
  const auto set = load(resources / "test_traces" / "system");
  REQUIRE(set->metrics.size() == 1);
  const NodeMetrics& cores = *set->metrics[0];
  CHECK(cores.origin().files == 3);
  CHECK(cores.samples() == 14 + 2 * 32);
  CHECK(cores.of(Metric::cpu_utilisation).size() == 32);
  CHECK(samples(cores, Metric::cpu_utilisation, 5).front() == std::pair(second(1591748109, 232'195'400), 1.36F));
  CHECK(samples(cores, Metric::cpu_utilisation, 6) ==
        Samples{{second(1591748109, 232'195'400), 1.95F}, {second(1591748169, 232'371'600), 1.6F}});
  CHECK(samples(cores, Metric::cpu_utilisation, 12).back() == std::pair(second(1591748169, 232'371'600), 30.35F));

  // What was set aside as damaged is left alone, and that is said.
  const auto found = ingest::discover(resources);
  REQUIRE(found.ok());
  CHECK(found->metrics.size() == 4);
  CHECK(found->diagnostics.count("metrics-file-ignored") == 1);
}

TEST_CASE("a generated job of two nodes with eight GPUs has the metrics that the generator made") {
  const TestFolder folder;
  const tracegen::MemorySet set = tracegen::generate_in_memory(job_with_metrics());
  for (const auto& file : set.files) folder.write(file.path, file.bytes);
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

TEST_CASE("a converted store has the metrics in it, and needs no file of them any more") {
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
    CHECK(opened->metrics[0]->origin().folder == (folder.path() / "profiler-output").string());
    check_truth(*opened->metrics[0], set.truth.metrics[0]);
    CHECK(opened->metrics[1]->samples() > 1000);
  }
}

TEST_CASE("metrics of a store are used as long as no file of the node changed, and what was said of them too") {
  const TestFolder folder;
  const TestFolder stores;
  const tracegen::MemorySet set = tracegen::generate_in_memory(job_with_metrics());
  for (const auto& file : set.files) folder.write("job/" + file.path, file.bytes);
  const auto damaged = folder.write("job/profiler-output/system/incremental/1758000000.algo-2.json", "damaged\n");
  ingest::LoadOptions options;
  options.store.folder = stores.path();
  const auto from_store = [](const ingest::Loader& loader) {
    std::map<std::string, bool> result;
    for (const ingest::FileStatus& file : loader.status().files)
      if (file.metrics) result[file.path.substr(file.path.find("algo-"), 6)] = file.from_store;
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

TEST_CASE("a directory that is watched takes in minutes that appear and grow") {
  const TestFolder folder;
  const std::string file = "system/incremental/2026071003/1783653720.algo-1.json";
  folder.write(file, line("1783653720.5", "1.00"));
  ingest::LoadOptions options;
  options.store.use = false;
  options.watch = true;
  ingest::Loader loader(folder.path().string(), options);
  loader.wait();
  REQUIRE(loader.profile());
  CHECK(loader.profile()->metrics[0]->samples() == 1);
  folder.write(file, line("1783653720.5", "1.00") + line("1783653721", "2.00") + "{\"Type\"");
  folder.write("system/incremental/2026071003/1783653780.algo-1.json", line("1783653780.5", "3.00"));
  folder.write("system/incremental/2026071003/1783653720.algo-2.json", line("1783653720.5", "4.00"));
  CHECK(comes_true([&] {
    const auto profile = loader.profile();
    return profile->metrics.size() == 2 && profile->metrics[0]->samples() == 3 && profile->metrics[1]->samples() == 1;
  }));
  CHECK(loader.profile()->diagnostics.count("metrics-line-cut-off") == 1);
  std::filesystem::remove(folder.path() / "system/incremental/2026071003/1783653720.algo-2.json");
  CHECK(comes_true([&] { return loader.profile()->metrics.size() == 1; }));
}

TEST_CASE("only the files of a node that changed are read again while they are held") {
  const TestFolder folder;
  for (int minute = 0; minute < 30; ++minute)
    folder.write("system/incremental/" + std::to_string(1783653720 + 60 * minute) + ".algo-1.json",
                 line(std::to_string(1783653720 + 60 * minute) + ".5", "1.00"));
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
  folder.write("system/incremental/1783655520.algo-1.json", line("1783655520.5", "1.00"));
  CHECK(look(false) == 1);
  CHECK(look(true) == 0);
  folder.write("system/incremental/1783655580.algo-1.json", line("1783655580.5", "1.00"));
  CHECK(look(true) == 32);
}

TEST_CASE("what a cancelled load did not read of a node is read the next time, and not taken from a store") {
  const TestFolder folder;
  const std::string files = "system/incremental/2026071003/";
  folder.write(files + "1783653720.algo-1.json", line("1783653720.5", "1"));
  folder.write(files + "1783653780.algo-1.json", line("1783653780.5", "2"));
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
