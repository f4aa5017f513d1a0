// Compares the calls with a given name with a plain search for them.
#include "core/analysis/operators/call_tables.hpp"

#include <algorithm>
#include <map>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/slices/slice_details.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

namespace warpscope::analysis {
namespace {

using namespace warpscope::tests;

struct Plain {
  std::uint64_t calls = 0;
  Ns total = 0;
  std::map<std::int64_t, Ns> by_rank;
  std::map<std::string, std::uint64_t> by_step;
};

/// Searches all slices of the profile.
Plain plain_calls(const trace::Profile& profile, std::string_view name) {
  Plain plain;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r) {
    const trace::Rank& rank = *profile.ranks[r];
    for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
      if (rank.lanes[l].kind() != trace::LaneKind::nested) continue;
      for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i) {
        if (profile.names().view(rank.lanes[l].name(i)) != name) continue;
        const Ns duration = rank.lanes[l].time().duration(i);
        ++plain.calls;
        plain.total += duration;
        plain.by_rank[rank.number] += duration;
        if (const auto step = slice_details(profile, {r, rank.ordinal({l, i})}).step)
          ++plain.by_step[std::string(profile.name(*step))];
      }
    }
  }
  return plain;
}

std::int64_t sum_of(const Table& table, ColumnRole role) {
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) sum += table.at(row, *table.find_role(role)).integer();
  return sum;
}

class CallsOfJob {
 public:
  CallsOfJob() {
    (void)tracegen::generate(small_job(), folder_.path());
    profile_ = load(folder_.path());
    REQUIRE(profile_);
  }
  [[nodiscard]] const trace::Profile& profile() const { return *profile_; }
  /// The main table of an analysis.
  [[nodiscard]] Table table(std::string_view analysis) const {
    auto tables = run_analysis(*find_analysis(analysis), *profile_, {}, {});
    REQUIRE(tables.ok());
    return std::move(tables->front());
  }

 private:
  TestFolder folder_;
  std::shared_ptr<const trace::Profile> profile_;
};

TEST_CASE("counts of calls by step and rank agree with a plain search", "[call_tables]") {
  const CallsOfJob job;
  const Table operators = job.table("operators");
  std::size_t compared = 0;
  for (std::size_t row = 0; row < operators.rows(); ++row) {
    const std::string name(operators.at(row, 0).text());
    if (operators.at(row, 1).text() != "CPU") continue;
    const CallTables calls = call_tables(job.profile(), {.name = name, .on_device = false, .scope = {}}, nullptr);
    const Plain plain = plain_calls(job.profile(), name);
    if (plain.calls == 0) continue;  // the row ProfilerStep* has slices of several names
    INFO(name);
    ++compared;
    CHECK(calls.slices.size() == plain.calls);
    CHECK(operators.at(row, *operators.find_role(ColumnRole::count)).integer() ==
          static_cast<std::int64_t>(plain.calls));
    CHECK(sum_of(calls.ranks, ColumnRole::total) == plain.total);
    REQUIRE(calls.ranks.rows() == plain.by_rank.size());
    for (std::size_t r = 0; r < calls.ranks.rows(); ++r)
      CHECK(calls.ranks.at(r, *calls.ranks.find_role(ColumnRole::total)).integer() ==
            plain.by_rank.at(calls.ranks.at(r, 0).integer()));
    REQUIRE(calls.steps.rows() == plain.by_step.size());
    for (std::size_t s = 0; s < calls.steps.rows(); ++s)
      CHECK(calls.steps.at(s, *calls.steps.find_role(ColumnRole::count)).integer() ==
            static_cast<std::int64_t>(plain.by_step.at(std::string(calls.steps.at(s, 0).text()))));
    CHECK(std::ranges::is_sorted(calls.slices, std::greater(), [&](trace::SliceRef slice) {
      const trace::Rank& rank = *job.profile().ranks[slice.rank];
      const trace::SlicePlace place = rank.locate(slice.slice);
      return rank.lanes[place.lane].time().duration(place.index);
    }));
  }
  CHECK(compared > 10);
}

TEST_CASE("calls of a kernel add up to its row in the table of kernels", "[call_tables]") {
  const CallsOfJob job;
  const Table kernels = job.table("kernels");
  REQUIRE(kernels.rows() > 3);
  const auto name = *kernels.find_role(ColumnRole::kernel);
  for (std::size_t row = 0; row < kernels.rows(); ++row) {
    const CallTables calls = call_tables(
        job.profile(), {.name = std::string(kernels.at(row, name).text()), .on_device = true, .scope = {}}, nullptr);
    INFO(kernels.at(row, name).text());
    CHECK(static_cast<std::int64_t>(calls.slices.size()) ==
          kernels.at(row, *kernels.find_role(ColumnRole::count)).integer());
    CHECK(sum_of(calls.ranks, ColumnRole::total) == kernels.at(row, *kernels.find_role(ColumnRole::total)).integer());
  }
}

TEST_CASE("calls are limited to the scope, and unknown names have no calls", "[call_tables]") {
  const CallsOfJob job;
  const Table kernels = job.table("kernels");
  const std::string name(kernels.at(0, *kernels.find_role(ColumnRole::kernel)).text());
  const CallTables all = call_tables(job.profile(), {.name = name, .on_device = true, .scope = {}}, nullptr);
  REQUIRE(all.ranks.rows() == 2);
  const CallTables one = call_tables(job.profile(), {.name = name, .on_device = true, .scope = {{1}, {}}}, nullptr);
  REQUIRE(one.ranks.rows() == 1);
  CHECK(one.ranks.at(0, 0).integer() == job.profile().ranks[1]->number);
  Scope first;
  first.range = range_of_steps(job.profile(), {}, 0, 0);
  REQUIRE(first.range);
  const CallTables early = call_tables(job.profile(), {.name = name, .on_device = true, .scope = first}, nullptr);
  CHECK(early.slices.size() < all.slices.size());
  CHECK(call_tables(job.profile(), {.name = "no such name", .on_device = false, .scope = {}}, nullptr).slices.empty());
  // Kernels are found even if the query does not specify the device.
  CHECK(call_tables(job.profile(), {.name = name, .on_device = false, .scope = {}}, nullptr).slices.size() ==
        all.slices.size());
}

}  // namespace
}  // namespace warpscope::analysis
