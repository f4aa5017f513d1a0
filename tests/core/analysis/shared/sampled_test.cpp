// Compares panels of sampled utilization with sums computed by hand from the samples.
#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/request/registry.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/find_column.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

constexpr std::int64_t kStart = 1'747'342'560;  // s since the epoch
constexpr double kInterval = 0.5;               // s
constexpr double kUnknown = -1;                 // no sample at this time

/// Values by core or GPU, then by sample.
using Values = std::vector<std::vector<double>>;

/// The folder of one node, as SageMaker Debugger writes it.
void write_samples(const TestFolder& folder, const Values& cores, const Values& gpus) {
  std::string text;
  const auto add = [&](std::string_view type, std::string_view dimension, const Values& all, double late) {
    for (std::size_t k = 0; k < all.front().size(); ++k)
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i][k] != kUnknown)
          text += fmt::format(
              R"({{"Type":"{}","Name":"{}{}","Dimension":"{}","Value":{:.2f},"NodeId":"algo-1","Timestamp":{:.6f}}})"
              "\n",
              type, type, i, dimension, all[i][k],
              static_cast<double>(kStart) + kInterval * static_cast<double>(k) + late);
  };
  add("cpu", "CPUUtilization", cores, 0);
  if (!gpus.empty()) add("gpu", "GPUUtilization", gpus, 0.002);
  folder.write(fmt::format("profiler-output/system/incremental/2025051520/{}.algo-1.json", kStart), text);
}

std::vector<Table> run(const trace::Profile& profile, std::string_view name, std::vector<Setting> settings = {},
                       Scope scope = {}) {
  auto tables = run_analysis(*find_analysis(name), profile, std::move(scope), settings);
  INFO((tables ? std::string() : tables.error().message()));
  REQUIRE(tables);
  return std::move(*tables);
}

double count_above_zero(const Values& values) {
  double count = 0;
  for (const auto& series : values)
    count += static_cast<double>(std::ranges::count_if(series, [](double v) { return v > 0; }));
  return count;
}

const Values kCores{{10, 20, 0, 0, 55.5, 100, 30, 0, 12, 1}, {0, 0, 0, 5, 5, 5, 80, 90, 0, 7}};
const Values kGpus{{0, 0, 50, 60, 70, 0, 0, 100, 100, 0}};

}  // namespace

TEST_CASE("sampled active time is the share of samples above 0") {
  const TestFolder folder;
  write_samples(folder, kCores, kGpus);
  const auto profile = load(folder.path());
  for (const auto& [name, values] : {std::pair("cpu_active_time", kCores), std::pair("gpu_active_time", kGpus)}) {
    const std::vector<Table> tables = run(*profile, name);
    REQUIRE(tables[0].rows() == 2);
    const auto all = static_cast<double>(values.size() * values.front().size());
    CHECK(figure(tables[0], 0, "samples") == count_above_zero(values));
    CHECK(figure(tables[0], 1, "samples") == all - count_above_zero(values));
    CHECK(figure(tables[0], 0, "share") == Approx(count_above_zero(values) / all));
    CHECK(figure(tables[0], 0, "share") + figure(tables[0], 1, "share") == Approx(1));
    REQUIRE(tables[1].rows() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(figure(tables[1], i, "active") == count_above_zero({values[i]}));
    CHECK(tables[0].note.find("Sampled every 500 ms") != std::string::npos);
  }
}

TEST_CASE("irregular samples are reported as irregular") {
  const TestFolder folder;
  Values cores = kCores;
  for (auto& series : cores)
    for (const std::size_t at : {3, 7}) series[at] = kUnknown;  // the next one comes after twice the interval
  write_samples(folder, cores, {});
  const auto profile = load(folder.path());
  const std::string note = run(*profile, "cpu_active_time")[0].note;
  INFO(note);
  CHECK(note.find("Sampled about every 500 ms, up to 1.000 s apart, on 2 cores") != std::string::npos);
}

TEST_CASE("sampled utilization is the mean over the cores, missing in gaps") {
  const TestFolder folder;
  Values cores = kCores;
  constexpr std::size_t kSilent = 12;  // samples
  for (auto& series : cores) {
    series.insert(series.begin() + 5, kSilent, kUnknown);
  }
  write_samples(folder, cores, {});
  const auto profile = load(folder.path());
  const Ns start = kStart * 1'000'000'000;
  const Scope scope{{}, Interval{start, start + 11'000'000'000}};
  const Table table = run(*profile, "cpu_utilization", {{"bin", "1s"}}, scope)[0];
  REQUIRE(table.rows() == 11);
  for (std::size_t second = 0; second < 11; ++second) {
    INFO(second);
    double sum = 0;
    int known = 0;
    for (const auto& series : cores) {
      for (const std::size_t k : {2 * second, 2 * second + 1}) {
        if (series[k] == kUnknown) continue;
        sum += series[k];
        ++known;
      }
    }
    const Cell cell = table.at(second, *find_column(table, "utilization"));
    if (known == 0)
      CHECK(cell.missing());
    else
      CHECK(cell.number() == Approx(sum / known / 100).margin(1e-6));
  }
}

TEST_CASE("the source parameter selects one of two sources") {
  const TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  options.metrics_interval_ns = 500'000'000;
  (void)tracegen::generate(options, folder.path());
  const auto profile = load(folder.path());
  for (const char* name : {"gpu_active_time", "gpu_utilization"}) {
    INFO(name);
    CHECK(run(*profile, name)[0].note == run(*profile, name, {{"source", "kernels"}})[0].note);
    CHECK(run(*profile, name, {{"source", "sampled"}})[0].note.find("Sampled") != std::string::npos);
  }
  for (const char* name : {"cpu_active_time", "cpu_utilization"}) {
    INFO(name);
    CHECK(run(*profile, name)[0].note == run(*profile, name, {{"source", "sampled"}})[0].note);
    CHECK(run(*profile, name, {{"source", "threads"}})[0].note.find("This is not CPU utilization") !=
          std::string::npos);
  }
}

TEST_CASE("a range before all samples has none; one between two samples has the earlier one") {
  const TestFolder folder;
  write_samples(folder, {{10, 20}}, {});
  const auto profile = load(folder.path());
  const Ns first = kStart * 1'000'000'000;
  const Scope before{{}, Interval{first - 2'000'000, first - 1'000'000}};
  const Table none = run(*profile, "cpu_active_time", {}, before).front();
  CHECK(none.rows() == 0);
  CHECK(none.note.starts_with("No samples in this range."));
  const Scope between{{}, Interval{first + 100'000'000, first + 101'000'000}};
  const Table held = run(*profile, "cpu_active_time", {}, between).front();
  REQUIRE(held.rows() == 2);
  CHECK(figure(held, 0, "samples") == 1);
  CHECK(held.note.starts_with("Active means above 0 %; the mean is 10.0 %."));
}

TEST_CASE("bins are not finer than the samples, and both panels have the same mean") {
  const TestFolder folder;
  write_samples(folder, kCores, {});
  const auto profile = load(folder.path());
  double sum = 0;
  for (const auto& series : kCores)
    for (const double value : series) sum += value;
  const std::string mean = fmt::format("mean is {:.1f} %.", sum / 20);
  const Table series = run(*profile, "cpu_utilization").front();
  CHECK(series.rows() == kCores.front().size());  // the span is 5 s, for which traces would get finer bins
  double over_time = 0;
  for (std::size_t bin = 0; bin < series.rows(); ++bin) {
    CHECK_FALSE(series.at(bin, *find_column(series, "utilization")).missing());
    over_time += figure(series, bin, "utilization");
  }
  CHECK(100 * over_time / 10 == Approx(sum / 20).margin(0.01));
  CHECK(series.note.starts_with("The " + mean));
  CHECK(series.note.ends_with("Bins of 500 ms, the sampling interval."));
  CHECK(run(*profile, "cpu_active_time").front().note.starts_with("Active means above 0 %; the " + mean));
  const std::string finer = run(*profile, "cpu_utilization", {{"bin", "100ms"}}).front().note;
  CHECK(finer.ends_with("Bins of 100 ms, finer than the sampling interval: each sample lasts until the next."));

  const Ns first = kStart * 1'000'000'000;
  const Scope part{{}, Interval{first + 600'000'000, first + 900'000'000}};
  CHECK(run(*profile, "cpu_utilization", {}, part).front().rows() == 1);
}

TEST_CASE("requesting missing samples is an error") {
  const TestFolder folder;
  (void)tracegen::generate(*tracegen::preset("small"), folder.path());
  const auto profile = load(folder.path());
  for (const char* name : {"gpu_active_time", "gpu_utilization", "cpu_active_time", "cpu_utilization"}) {
    const auto tables = run_analysis(*find_analysis(name), *profile, {}, std::vector<Setting>{{"source", "sampled"}});
    REQUIRE_FALSE(tables);
    CHECK(tables.error().message().find("put SageMaker Debugger's system metrics") != std::string::npos);
  }
}
