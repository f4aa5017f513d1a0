// Profiles whose time span is stretched by decades, by a few events or by many: results are those of the bulk, and
// their size does not depend on the span.
#include <algorithm>

#include "core/analysis/information/profile_summary.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/time_bins.hpp"
#include "core/base/counted.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr std::int64_t kNow = 1'694'128'201'000'000;   // µs
constexpr std::int64_t kLate = 2'694'128'201'000'030;  // 32 years later

/// Kernels of 5 µs, back to back.
std::string kernels(std::int64_t begin, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? "," : "") + kernel_event("k", begin + 5 * i, 5);
  return text;
}

std::size_t most_rows(const rules::Evaluation& evaluation) {
  std::size_t most = 0;
  for (const rules::Evaluated& each : evaluation.rules)
    for (const rules::Detail& detail : each.outcome.details) most = std::max(most, detail.table.rows());
  return most;
}

}  // namespace

TEST_CASE("a kernel decades away is diagnosed and does not stretch the profile") {
  const std::string stray = GENERATE(kernel_event("late", kLate, 5), kernel_event("early", -kNow, 5),
                                     kernel_event("early", 5, 5), kernel_event("zero", 0, 5));
  const auto profile = load_events(kernels(kNow, 20) + "," + stray);
  CHECK(profile->span.length() == 100'000);
  CHECK(analysis::summarize(*profile).slices == 21);
  const auto& found = profile->diagnostics.all();
  REQUIRE(found.size() == 1);
  CHECK(found[0].count == 1);
  CHECK(found[0].offset != Diagnostic::kNoOffset);
  CHECK(found[0].code == (found[0].example.starts_with("zero") ? "begins-at-zero" : "stray-slice"));
  const auto utilization = tables_of(*profile, "gpu_utilization").front();
  const std::size_t share = *utilization.find_role(ColumnRole::utilization);
  for (std::size_t row = 0; row < utilization.rows(); ++row) CHECK(utilization.at(row, share).number() == 1);
  CHECK_FALSE(rules_evaluated(*profile).rules.empty());
}

TEST_CASE("a recording that many events stretch is diagnosed") {
  std::string spread;
  for (int i = 1; i <= 15; ++i) spread += "," + kernel_event("late", kNow + i * 100'000'000'000'000, 5);
  for (const std::string& late : {spread, "," + kernels(kLate, 50)}) {
    const auto profile = load_events(kernels(kNow, 50) + late);
    CHECK(profile->diagnostics.count("mostly-gaps") == 1);
    CHECK(profile->diagnostics.all().size() == 1);
  }
  CHECK(load_events(kernels(kNow, 50) + "," + kernels(kNow + 80'000'000'000, 50))->diagnostics.all().empty());
}

TEST_CASE("a stray step or counter sample is diagnosed") {
  const auto counter = [](std::int64_t time) {
    return R"({"ph":"C","name":"queue","pid":1,"ts":)" + std::to_string(time) + R"(,"args":{"length":3}})";
  };
  const auto step = [](std::int64_t time, std::int64_t duration) {
    return R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":)" + std::to_string(time) +
           R"(,"dur":)" + std::to_string(duration) + "}";
  };
  const auto profile = load_events(kernels(kNow, 20) + "," + counter(kNow) + "," + counter(kLate) + "," +
                                   step(kNow, kLate - kNow) + "," + step(kLate, 10));
  CHECK(profile->span.length() == 100'000);
  CHECK(profile->steps.empty());
  CHECK(profile->diagnostics.count("stray-sample") == 1);
  CHECK(profile->diagnostics.count("stray-slice") == 1);
  CHECK(profile->diagnostics.count("absurd-duration") == 1);
  REQUIRE(profile->ranks[0]->counters.size() == 1);
  CHECK(profile->ranks[0]->counters[0].size() == 1);
}

TEST_CASE("recordings that are decades apart have a bounded number of samples and bins") {
  const auto profile = load_events(kernels(kNow, 20) + "," + kernels(kLate, 20));
  CHECK(profile->diagnostics.count("mostly-gaps") == profile->diagnostics.all().size());
  CHECK(profile->span.length() > 900'000'000'000'000'000);
  CHECK(most_rows(rules_evaluated(*profile)) <= analysis::kMostTimeBins);
  for (const analysis::Analysis& each : analysis::analyses()) {
    CAPTURE(each.name);
    const auto tables = analysis::run_analysis(each, *profile, {}, {});
    if (!tables) continue;
    for (const Table& table : *tables) CHECK(table.rows() <= analysis::kMostTimeBins);
  }
}

TEST_CASE("rows of GPU activity are separated by device in their order") {
  constexpr std::uint32_t kDevices = 5;
  std::vector<analysis::GpuRow> rows(1'000);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].time = {static_cast<Ns>(i), static_cast<Ns>(i + 1)};
    rows[i].device = static_cast<std::uint32_t>(i * i % kDevices);
  }
  const analysis::RowsByDevice by_device(rows);
  std::size_t seen = 0;
  by_device.for_each([&](std::uint32_t device, std::span<const analysis::GpuRow> own) {
    seen += own.size();
    CHECK(std::ranges::all_of(own, [&](const auto& row) { return row.device == device; }));
    CHECK(std::ranges::is_sorted(own, {}, [](const auto& row) { return row.time.begin; }));
    CHECK(own.size() == static_cast<std::size_t>(std::ranges::count(rows, device, &analysis::GpuRow::device)));
  });
  CHECK(seen == rows.size());
  CHECK(by_device.of(kDevices).empty());
}

TEST_CASE("each of thousands of devices is evaluated") {
  constexpr int kDevices = 3'000;
  TinyEvents events;
  for (int i = 0; i < kDevices; ++i) events.run({.begin = 3.0 * i, .length = 2, .device = i});
  const auto profile = load_events(events.text());
  CHECK(rules_evaluated(*profile).window.starts_with("Evaluated: " + counted(std::size_t{kDevices}, "GPU", "GPUs")));
}

TEST_CASE("the bins of all series together are bounded") {
  CHECK(analysis::most_time_bins(0) == analysis::kMostTimeBins);
  CHECK(analysis::most_time_bins(1) == analysis::kMostTimeBins);
  CHECK(analysis::most_time_bins(50'000) == analysis::kMostBinValues / 50'000);
  CHECK(analysis::most_time_bins(10 * analysis::kMostBinValues) == 1);
  analysis::TimeBins bins{{0, std::numeric_limits<Ns>::max()}, 1};
  bins.widen(50'000);
  CHECK(bins.size() <= analysis::most_time_bins(50'000));
  CHECK(bins[bins.size() - 1].end == std::numeric_limits<Ns>::max());
}
