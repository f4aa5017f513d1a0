// GPUs are counted once, and shares of GPU time stay within 0…1 for any input.
#include "core/analysis/shared/gpu_time.hpp"

#include <fmt/format.h>

#include "core/analysis/information/information.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

std::string of_rank(int rank, const std::string& events) {
  return trace_of(events,
                  fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 64}}, "host_name": "a")", rank));
}

std::vector<Table> answer(const trace::Profile& profile, std::string_view name) {
  auto tables = run_analysis(*find_analysis(name), profile, {}, {});
  REQUIRE(tables.ok());
  return std::move(*tables);
}

/// Checks that all shares are between 0 and 1 and that those of the first table add up to 1, except for utilization.
void check_shares(const trace::Profile& profile) {
  for (const char* name :
       {"gpu_active_time", "gpu_activity", "gpu_utilization", "cpu_active_time", "cpu_utilization"}) {
    INFO(name);
    const std::vector<Table> tables = answer(profile, name);
    double sum = 0;
    for (const Table& table : tables)
      for (std::size_t column = 0; column < table.columns().size(); ++column) {
        if (table.columns()[column].kind != ColumnKind::share) continue;
        for (std::size_t row = 0; row < table.rows(); ++row) {
          if (table.at(row, column).missing()) continue;
          const double share = table.at(row, column).number();
          INFO(table.columns()[column].name << ", row " << row << ": " << share);
          CHECK(share >= 0);
          CHECK(share <= 1);
          if (&table == &tables.front() && table.columns()[column].role == ColumnRole::share) sum += share;
        }
      }
    if (!std::string_view(name).ends_with("utilization") && tables.front().rows() > 0) CHECK(sum == Approx(1));
  }
}

}  // namespace

TEST_CASE("a union of rows joins intervals that touch") {
  std::vector<GpuRow> rows;
  for (const Interval time : {Interval{0, 10}, Interval{10, 20}, Interval{15, 18}, Interval{21, 30}}) {
    rows.emplace_back();
    rows.back().time = time;
  }
  const auto all = union_of(rows, [](const GpuRow&) { return true; });
  CHECK(all == std::vector<Interval>{{0, 20}, {21, 30}});
}

TEST_CASE("files of one rank share a GPU; the same device on two ranks is two GPUs") {
  const TestFolder folder;
  folder.write("a/r0.json", of_rank(0, kernel_event("k", 100, 50)));
  folder.write("b/r0.json", of_rank(0, kernel_event("k", 120, 80)));
  folder.write("a/r1.json", of_rank(1, kernel_event("k", 100, 100)));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 3);
  CHECK(profile->gpus == 2);
  CHECK(profile->nodes[0].gpus == 2);
  CHECK(gpus_in(*profile, {}).size() == 2);
  const Table overview = overview_table(*profile);
  for (std::size_t row = 0; row < overview.rows(); ++row)
    if (overview.at(row, 0).text() == "GPUs") CHECK(overview.at(row, 1).text().starts_with("2 "));

  const std::vector<Table> active = answer(*profile, "gpu_active_time");
  CHECK(contains(active[0].note, "2 GPUs"));
  CHECK(active[0].at(0, 1).integer() == 200'000);  // 100 to 200 µs on each; time recorded in both files counts once
  CHECK(active[1].rows() == 2);
  CHECK(answer(*profile, "gpu_activity")[0].at(0, 2).integer() == 200'000);
  check_shares(*profile);
}

TEST_CASE("shares stay exact even if the total time is centuries") {
  const TestFolder folder;
  for (int rank = 0; rank < 12; ++rank) {
    const std::string launched =
        R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 90, "dur": 5, )"
        R"("args": {"correlation": 1}}, {"ph": "X", "cat": "kernel", "name": "near", "pid": 0, "tid": 7, "ts": 100, )"
        R"("dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}})";
    folder.write(fmt::format("r{}.json", rank),
                 of_rank(rank, launched + "," + kernel_event("far", 1'700'000'000'000'000) + "," +
                                   kernel_event("far", 1'700'000'000'000'020)));
  }
  const auto profile = load(folder.path());
  REQUIRE(static_cast<double>(profile->span.length()) * 12 > 9.3e18);
  CHECK(answer(*profile, "cpu_active_time").front().rows() == 2);
  check_shares(*profile);
}

TEST_CASE("GPUs of corrupt traces are counted once, and shares stay within 0 to 1") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("skipped: the folder with real traces is not there");
    return;
  }
  const auto profile = load(*shared / "traces" / "malformed");
  CHECK(gpus_in(*profile, {}).size() == profile->gpus);
  CHECK(contains(answer(*profile, "gpu_active_time")[0].note, fmt::format("{} GPU", profile->gpus)));
  check_shares(*profile);
}
