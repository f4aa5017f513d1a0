// Profiles whose ranks are aligned to one clock.
#include "core/analysis/ranks/clock_alignment.hpp"

#include <cmath>

#include "core/analysis/ranks/clock_error.hpp"
#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

analysis::ClockAlignment alignment_of(const trace::Profile& profile) {
  const analysis::Analysis* const clocks = analysis::find_analysis("rank_clocks");
  return analysis::align_clocks(
      {.profile = profile, .scope = {}, .values = *analysis::ParameterValues::parse(clocks->parameters, {})});
}

/// 2 nodes with 4 ranks, one of which is slow; the clock of the second node is 3 ms ahead.
std::shared_ptr<const trace::Profile> two_nodes(const TestFolder& folder) {
  tracegen::Options options = small_job(4, 2);
  options.layout = tracegen::Layout::minified;
  options.steps = 4;
  options.python = true;
  options.faults = {*tracegen::parse_fault("slow-kernels@5=1.3")};
  options.clocks = {{1, 3'000'000, 0}};
  options.jitter_ns = 20'000;
  write_set(folder, tracegen::generate_in_memory(options));
  return load(folder.path());
}

}  // namespace

TEST_CASE("aligned ranks have times on one clock and share their columns with the recorded ranks") {
  const TestFolder folder;
  const auto recorded = two_nodes(folder);
  const analysis::ClockAlignment alignment = alignment_of(*recorded);
  REQUIRE(alignment.shifts.size() == 8);
  CHECK(std::abs(alignment.most - 1'500'000) <= 50'000);  // from the median of both nodes
  CHECK(alignment.error > 0);
  CHECK(alignment.error < 20'000);
  const auto aligned = trace::with_clock_shifts(*recorded, alignment.shifts);
  REQUIRE(aligned->ranks.size() == 8);
  std::size_t compared = 0;
  for (std::size_t r = 0; r < 8; ++r) {
    const trace::Rank& before = *recorded->ranks[r];
    const trace::Rank& after = *aligned->ranks[r];
    const Ns shift = alignment.shifts[r];
    CHECK(after.clock_shift == shift);
    CHECK(before.clock_shift == 0);
    CHECK(after.span.begin == before.span.begin + shift);
    CHECK(after.steps.back().time.end == before.steps.back().time.end + shift);
    for (std::size_t l = 0; l < before.lanes.size(); ++l)
      for (std::uint32_t i = 0; i < before.lanes[l].size(); ++i, ++compared) {
        if (after.lanes[l].time().begin(i) != before.lanes[l].time().begin(i) + shift) FAIL("lane " << l << " " << i);
        if (after.lanes[l].name(i) != before.lanes[l].name(i)) FAIL("lane " << l << " " << i);
        if (after.lanes[l].event(i) != before.lanes[l].event(i)) FAIL("lane " << l << " " << i);
      }
    CHECK(&after.launches.all().front() == &before.launches.all().front());
  }
  CHECK(compared > 1'000);
  // Steps of all ranks now start within the jitter of the job, not 3 ms apart.
  CHECK(recorded->steps.front().time.length() - aligned->steps.front().time.length() >= 2'900'000);
  CHECK(aligned->span.length() < recorded->span.length());
}

TEST_CASE("results for aligned ranks equal those for recorded ones and include the recorded offsets") {
  const TestFolder folder;
  const auto recorded = two_nodes(folder);
  const auto aligned = trace::with_clock_shifts(*recorded, alignment_of(*recorded).shifts);
  const Table before = tables_of(*recorded, "rank_clocks").front();
  const Table after = tables_of(*aligned, "rank_clocks").front();
  REQUIRE(after.rows() == before.rows());
  for (std::size_t row = 0; row < before.rows(); ++row) {
    CHECK(std::abs(integer(after, row, "offset") - integer(before, row, "offset")) <= 2);
  }
  const Table causes = tables_of(*aligned, "late_ranks").front();
  INFO(causes.note);
  CHECK(says(causes.note, "Rank 5: "));
  CHECK(causes.note == tables_of(*recorded, "late_ranks").front().note);
  CHECK(says(causes.note, "they were up to "));
  CHECK(says(causes.note, "to within " + analysis::clock_error_text(alignment_of(*recorded).error) + " using"));
  // With recorded clocks, an aligned profile has the same wait times as the recorded profile.
  const std::vector<analysis::Setting> as_recorded{{"clocks", "recorded"}};
  const Table old_waits = tables_of(*recorded, "late_ranks", as_recorded).front();
  const Table new_waits = tables_of(*aligned, "late_ranks", as_recorded).front();
  REQUIRE(new_waits.rows() == old_waits.rows());
  for (std::size_t row = 0; row < old_waits.rows(); ++row)
    CHECK(integer(new_waits, row, "waited per step") == integer(old_waits, row, "waited per step"));
}

TEST_CASE("the error of aligned clocks is rounded up to whole µs") {
  CHECK(analysis::clock_error_text(0) == "±1 µs");
  CHECK(analysis::clock_error_text(1'001) == "±2 µs");
  CHECK(analysis::clock_error_text(1'204'000) == "±1.20 ms");
}

TEST_CASE("clocks that agree, or cannot be compared, stay as recorded") {
  const TestFolder folder;
  tracegen::Options options = small_job(2);
  options.layout = tracegen::Layout::minified;
  write_set(folder, tracegen::generate_in_memory(options));
  const analysis::ClockAlignment agree = alignment_of(*load(folder.path()));
  CHECK(agree.shifts.empty());
  CHECK(agree.refused.empty());

  RanksJob scattered(2);
  for (int i = 0; i < 20; ++i) {
    scattered.collective(0, {.begin = 10.0 + 10 * i, .length = 2, .sequence = i});
    scattered.collective(1, {.begin = 10.0 + 10 * i + 0.45 * (i % 4), .length = 2, .sequence = i});
  }
  const analysis::ClockAlignment refused = alignment_of(scattered.profile());
  CHECK(refused.shifts.empty());
  CHECK_FALSE(refused.refused.empty());
}
