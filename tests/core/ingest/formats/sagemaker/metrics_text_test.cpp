// SageMaker Debugger's system metrics: from the text of its files to the series of a node.
#include "core/ingest/formats/sagemaker/metrics_text.hpp"

#include "core/ingest/formats/sagemaker/metrics_file.hpp"
#include "core/ingest/listing/discover.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "core/trace/system_metrics.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/metrics_support.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using ingest::smdebug::metrics_file_name;
using trace::Metric;

namespace {

constexpr Ns kMinute = Ns{1783653720} * 1'000'000'000;

struct ReadMetrics {
  std::shared_ptr<const trace::NodeMetrics> metrics;
  Diagnostics diagnostics;
};

/// All nodes of the folder.
std::vector<ReadMetrics> read_all(const TestFolder& folder) {
  const auto found = ingest::discover(folder.path());
  REQUIRE(found.ok());
  trace::Dictionary dictionary;
  std::vector<ReadMetrics> nodes;
  for (const trace::SourceFile& source : found->sources) {
    const ingest::ReadOutcome outcome = ingest::read_source(source, 0, dictionary);
    nodes.push_back({outcome.data.metrics, outcome.diagnostics});
  }
  return nodes;
}

/// One file with this text.
ReadMetrics read(const std::string& text) {
  const TestFolder folder;
  folder.write("system/incremental/2026071003/1783653720.algo-1.json", text);
  const auto nodes = read_all(folder);
  return nodes.empty() ? ReadMetrics{} : nodes.front();
}

}  // namespace

TEST_CASE("system metrics files are recognized by name") {
  const auto name = metrics_file_name("/job/profiler-output/system/incremental/2026071003/1783653720.algo-12.json");
  REQUIRE(name.has_value());
  CHECK(name->node == "algo-12");
  CHECK(name->minute == kMinute);
  using ingest::smdebug::group_of_metrics;
  using ingest::smdebug::node_of_group;
  CHECK(group_of_metrics("/job/system/incremental/2026071003/1.algo-1.json", "algo-1") ==
        "/job/system/incremental/**/*.algo-1.json");
  CHECK(group_of_metrics("/elsewhere/1591160699.algo-1.json", "algo-1") == "/elsewhere/*.algo-1.json");
  CHECK(node_of_group("/elsewhere/*.algo-12.json") == "algo-12");
  CHECK(node_of_group("/elsewhere/1591160699.algo-12.json").empty());
  CHECK(node_of_group("/job/**/*_5-algo-1_*timeline.json").empty());
  for (const char* other :
       {"/x/1591160699.algo-1.json.corrupt", "/x/159116069.algo-1.json", "/x/15911606991.algo-1.json",
        "/x/1591160699.algo-.json", "/x/1591160699.node-1.json", "/x/1591160699.algo-1x.json", "/x/1591160699.json",
        "/x/training_job_end.ts", "", "/", "/x/1591160699.algo-1.json/", "/x/9999999999.algo-1.json"})
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
    const ReadMetrics one = read(std::string(text) + "\n");
    REQUIRE(one.metrics);
    CHECK(samples_of(*one.metrics, Metric::cpu_utilisation, 3) == expected);
    CHECK(one.diagnostics.empty());
  }
}

TEST_CASE("each line is checked to its end") {
  const std::string good = metrics_line("1783653720.000000", "1");
  const std::string line = metrics_line("1783653721.000000", "14.5");
  const auto changed = [&](std::string_view from, std::string_view to) {
    return std::string(line).replace(line.find(from), from.size(), to);
  };
  std::vector<std::string> wrong{
      changed("14.5", "14.5ilization\",\"Value\":15.5"),  // the gap joins two lines
      changed("14.5", "+14.5"),
      changed("14.5", "014.5"),
      changed("14.5", "14.5,\"Value\":15.5"),
      changed("14.5", "[14.5"),
      changed("14.5", "14.5,\"x\":[1,]"),
      changed("14.5", "14.5,\"x\":\"\xff\""),
      changed("\"Name\"", "\"Game\""),
      changed("\"Dimension\"", "\"Dimensio\""),
      changed("}", "} x"),
      changed("}", "}{}"),
      changed("14.5", std::string(600, '\0')),
  };
  for (const std::string& text : wrong) {
    CAPTURE(text);
    const ReadMetrics read_now = read(good + text + good);
    REQUIRE(read_now.metrics);
    CHECK(read_now.metrics->samples() == 1);
    CHECK(read_now.diagnostics.count("metrics-line-damaged") == 1);
    CHECK(read_now.diagnostics.count("skipped-bytes") == text.size() - 1);
  }
  const ReadMetrics late = read(good + metrics_line("1883653720.000000", "2"));
  REQUIRE(!late.diagnostics.all().empty());
  CHECK(late.diagnostics.all()[0].example == "timestamp 1883653720 is not near the time in the file's name");
  // A block that a crash left is no line that is still being written.
  CHECK(read(good + std::string(512, '\0')).diagnostics.count("metrics-line-damaged") == 1);
}

TEST_CASE("samples are sorted, duplicates removed, gaps kept") {
  std::string text;
  for (const int second : {40, 2, 3, 1, 0, 41, 42, 2})
    text += metrics_line("17836537" + std::to_string(20 + second) + ".000000", std::to_string(second) + ".25");
  const ReadMetrics all = read(text);
  REQUIRE(all.metrics);
  Samples expected;
  for (const int second : {0, 1, 2, 3, 40, 41, 42})
    expected.emplace_back(kMinute + Ns{second} * 1'000'000'000, static_cast<float>(second) + 0.25F);
  CHECK(samples_of(*all.metrics, Metric::cpu_utilisation, 0) == expected);
  CHECK(all.metrics->origin().repeated == 1);
  CHECK(all.metrics->interval() == 1'000'000'000);
  CHECK(all.metrics->gaps() ==
        std::vector<Interval>{{kMinute + Ns{4} * 1'000'000'000, kMinute + Ns{40} * 1'000'000'000}});
  CHECK(all.diagnostics.count("metrics-clock-reversed") == 4);
  CHECK(all.diagnostics.all().size() == 1);
}

TEST_CASE("if two files have different values for one time, the first file counts") {
  const TestFolder folder;
  std::string first;
  std::string second;
  for (int i = 0; i < 40; ++i) first += metrics_line("17836537" + std::to_string(20 + i) + ".000000", "1");
  for (int i = 20; i < 60; ++i) second += metrics_line("17836537" + std::to_string(20 + i) + ".000000", "2");
  folder.write("system/incremental/2026071003/1783653720.algo-1.json", first);
  folder.write("system/incremental/2026071003/1783653780.algo-1.json", second);
  const auto nodes = read_all(folder);
  REQUIRE(nodes.size() == 1);
  REQUIRE(nodes[0].metrics);
  const Samples samples = samples_of(*nodes[0].metrics, Metric::cpu_utilisation, 0);
  REQUIRE(samples.size() == 60);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CHECK(samples[i].first == kMinute + static_cast<Ns>(i) * 1'000'000'000);
    CHECK(samples[i].second == (i < 40 ? 1.0F : 2.0F));
  }
  CHECK(nodes[0].metrics->origin().repeated == 20);
}

TEST_CASE("invalid lines are counted with their offset, and the others are read") {
  const std::string good = metrics_line("1783653720.5", "1.00");
  const std::vector<std::string> bad{
      metrics_line("1783653721", "NaN"),
      metrics_line("1783653721", "Infinity"),
      metrics_line("1783653721", "1e999"),
      metrics_line("1783653721", "-"),
      metrics_line("1783653721", "0x10"),
      metrics_line("1783653721", "null"),
      metrics_line("1783653721", "\"many\""),
      metrics_line("NaN", "1"),
      metrics_line("1e300", "1"),
      metrics_line("-5", "1"),
      metrics_line("0", "1"),
      metrics_line("1683653721", "1"),
      metrics_line("1783653721 2", "1"),
      "{}\n",
      "[]\n",
      "null\n",
      "{\"Type\":\"cpu\"}\n",
      "{\"Type\":7,\"Name\":\"cpu0\",\"Value\":1,\"Timestamp\":1783653721}\n",
      "{\"Type\":\"\xff\xfe\",\"Name\":\"cpu0\",\"Value\":1,\"Timestamp\":1783653721}\n",
      "{\"Type\":\"cpu\",\"Name\":\"c\\q\",\"Value\":1,\"Timestamp\":1783653721}\n",
      metrics_line("1783653721", "1", std::string(600, 'c')),
      metrics_line("1783653721", "1", "cpu\\u0000"),
      metrics_line("1783653721", "1e39"),
      metrics_line("-1783653721", "1"),
      metrics_line("1e400", "1"),
      metrics_line("99999999999999999999999999", "1"),
      metrics_line("1783653721", "1").insert(1, ","),
      metrics_line("1783653721", "1").insert(0, "x"),
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
    const ReadMetrics found = read(good + one + metrics_line("1783653722.5", "3.00"));
    REQUIRE(found.metrics);
    CHECK(samples_of(*found.metrics, Metric::cpu_utilisation, 0) ==
          Samples{{kMinute + 500'000'000, 1.F}, {kMinute + 2'500'000'000, 3.F}});
    REQUIRE(found.diagnostics.all().size() == 2);
    CHECK(found.diagnostics.all()[0].code == "metrics-line-damaged");
    CHECK(found.diagnostics.all()[0].offset == good.size());
    CHECK(found.diagnostics.count("skipped-bytes") == one.size() - 1);
  }
  CHECK(read(good + "\n  \n" + good).diagnostics.empty());
}

TEST_CASE("a truncated last line is skipped and reported") {
  const std::string first = metrics_line("1783653720.5", "1.00");
  const std::string second = metrics_line("1783653721.5", "2.00");
  for (std::size_t size = 0; size < second.size(); ++size) {
    const ReadMetrics found = read(first + second.substr(0, size));
    REQUIRE(found.metrics);
    // If only the line end is missing, the line is complete.
    const bool whole = size + 1 == second.size();
    CHECK(found.metrics->samples() == (whole ? 2 : 1));
    CHECK(found.diagnostics.count("metrics-line-cut-off") == (size > 0 && !whole ? 1 : 0));
    CHECK(found.diagnostics.count("metrics-line-damaged") == 0);
  }
}

TEST_CASE("a file without samples gives no node") {
  CHECK(read("").metrics == nullptr);
  CHECK(read("\n").metrics == nullptr);
  CHECK(read("not json").metrics == nullptr);
}

TEST_CASE("series above the limit are skipped and counted") {
  std::string text;
  for (int i = 0; i < 9000; ++i) text += metrics_line("1783653720.5", "1.00", "cpu" + std::to_string(i));
  const ReadMetrics found = read(text);
  REQUIRE(found.metrics);
  CHECK(found.metrics->series().size() == ingest::smdebug::MetricNames::kMost);
  CHECK(found.diagnostics.count("metrics-too-many") == 9000 - ingest::smdebug::MetricNames::kMost);
}

TEST_CASE("hostile: a file with more samples than fit in a minute", "[hostile]") {
  const std::string path = "/x/1783653720.algo-1.json";
  ingest::smdebug::MetricNames names;
  ingest::smdebug::MetricsText reader(names, path, 1000);
  for (int i = 0; i < 3000; ++i)
    reader.push(metrics_line(std::to_string(1783653720 + i / 20), "1", "cpu" + std::to_string(i % 20)));
  const ingest::smdebug::MetricsPart part = reader.finish();
  std::size_t count = 0;
  for (const auto& column : part.columns) count += column.values.size();
  CHECK(count == 1000);
  CHECK(part.diagnostics.count("metrics-too-many") == 2000);
}

TEST_CASE("hostile: endless repeats of a sample take no memory", "[hostile]") {
  const std::string path = "/x/1783653720.algo-1.json";
  ingest::smdebug::MetricNames names;
  ingest::smdebug::MetricsText reader(names, path, 1000);
  for (int i = 0; i < 100'000; ++i) reader.push(metrics_line("1783653720.5", "1"));
  const ingest::smdebug::MetricsPart part = reader.finish();
  CHECK(part.repeated == 99'999);
  CHECK(part.diagnostics.empty());
}

TEST_CASE("hostile: a node with two billion cores and a week between its samples", "[hostile]") {
  const ReadMetrics found =
      read(metrics_line("1783653720.5", "1", "cpu2147483647") + metrics_line("1783653721", "2", "cpu4294967296") +
           metrics_line("1783653721.5", "3", "cpu999999") + metrics_line("1784253720", "4", "cpu2147483647"));
  REQUIRE(found.metrics);
  CHECK(found.diagnostics.empty());
  CHECK(found.metrics->series().size() == 3);
  CHECK(found.metrics->of(Metric::cpu_utilisation).back().counter.name() == "cpu4294967296 utilization");
  // A week between two half-second samples is just a gap.
  CHECK(found.metrics->samples() == 4);
  CHECK(found.metrics->resident_bytes() < 10'000);
}

TEST_CASE("text can arrive in pieces of any size") {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += metrics_line("17836537" + std::to_string(20 + i / 2) + (i % 2 == 0 ? ".0" : ".5"), "1." + std::to_string(i),
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
