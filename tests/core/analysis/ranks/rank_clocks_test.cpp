// Offsets and drift of clocks, and cases in which clocks are not aligned.
#include <array>
#include <cmath>

#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("clock offsets follow from the ends of collectives") {
  RanksJob job(3);
  job.clock(1, 2.5).clock(2, -1);
  for (int i = 0; i < 20; ++i)
    for (std::size_t rank = 0; rank < 3; ++rank)
      job.collective(rank, {.begin = 10.0 + 10 * i, .length = 2, .ranks = "[0, 1, 2]", .sequence = i});
  const Table clocks = job.tables("rank_clocks").front();
  REQUIRE(clocks.rows() == 3);
  CHECK(integer(clocks, 0, "offset") == 0);
  CHECK(integer(clocks, 1, "offset") == 2'500'000);
  CHECK(integer(clocks, 2, "offset") == -1'000'000);
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(cell(clocks, row, "refused").missing());
  }
}

TEST_CASE("ranks connected only by a chain of pairs get offsets") {
  RanksJob job(6);
  for (std::size_t rank = 0; rank < 6; ++rank) job.clock(rank, static_cast<double>(rank));
  for (int i = 0; i < 5; ++i)
    for (std::size_t rank = 0; rank < 5; ++rank)
      for (std::size_t member : {rank, rank + 1}) {
        const std::string ranks = fmt::format("[{}, {}]", rank, rank + 1);
        job.collective(member, {.begin = 100.0 * i + 10.0 * static_cast<double>(rank + 1),
                                .length = 2,
                                .group = "pair",
                                .ranks = ranks,
                                .sequence = i});
      }
  const Table clocks = job.tables("rank_clocks").front();
  REQUIRE(clocks.rows() == 6);
  for (std::size_t row = 1; row < 6; ++row)
    CHECK(std::abs(integer(clocks, row, "offset") - integer(clocks, row - 1, "offset") - 1'000'000) <= 20);
}

TEST_CASE("a clock that gains time is found if the recording is long enough") {
  RanksJob job(4);
  for (int i = 0; i < 200; ++i)
    for (std::size_t rank = 0; rank < 4; ++rank) {
      const double at = 10.0 + 10 * i;
      if (rank == 2) job.clock(rank, 1 + 50e-6 * at);
      job.collective(rank, {.begin = at, .length = 2, .ranks = "[0, 1, 2, 3]", .sequence = i});
    }
  const Table clocks = job.tables("rank_clocks").front();
  REQUIRE(clocks.rows() == 4);
  CHECK(figure(clocks, 2, "drift") == Approx(50).epsilon(0.05));
  CHECK(figure(clocks, 1, "drift") == 0);
  CHECK(std::abs(integer(clocks, 2, "offset") - 1'050'000) < 2'000);
}

TEST_CASE("unconnected sets of ranks have separate clocks") {
  RanksJob job(4);
  for (int i = 0; i < 5; ++i)
    for (std::size_t rank = 0; rank < 4; ++rank)
      job.collective(
          rank,
          {.begin = 10.0 + 10 * i, .length = 2, .group = "tp", .ranks = rank < 2 ? "[0, 1]" : "[2, 3]", .sequence = i});
  const Table clocks = job.tables("rank_clocks").front();
  CHECK(integer(clocks, 0, "set") == 1);
  CHECK(integer(clocks, 3, "set") == 2);
  CHECK(says(clocks.note, "connects the 2 sets of ranks"));
}

TEST_CASE("clocks are not aligned if the ends of collectives scatter") {
  RanksJob job(2);
  for (int i = 0; i < 20; ++i) {
    job.collective(0, {.begin = 10.0 + 10 * i, .length = 2, .sequence = i});
    job.collective(1, {.begin = 10.0 + 10 * i + 0.45 * (i % 4), .length = 2, .sequence = i});
  }
  const Table clocks = job.tables("rank_clocks").front();
  CHECK(says(clocks.note, "Do not trust these offsets"));
  CHECK(says(job.tables("collectives").front().note, "kernel durations"));
}

TEST_CASE("shifting the files of a real job by milliseconds changes no result") {
  const auto folder = real_traces("dlrm8");
  if (!folder) return;
  constexpr std::array<Ns, 8> kShifts{5'000'000, -5'000'000, 1'234'000, 0, -3'300'000, 4'100'000, -77'000, 2'500'000};
  const TestFolder shifted;
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(*folder)) files.push_back(file.path());
  std::ranges::sort(files);
  REQUIRE(files.size() == kShifts.size());
  for (std::size_t r = 0; r < files.size(); ++r) {
    std::string text = plain_text_of(files[r]);
    text.insert(text.find('{') + 1, fmt::format("\"baseTimeNanoseconds\": {},", 10'000'000 + kShifts[r]));
    shifted.write(fmt::format("rank{}.json", r), text);
  }
  const auto before = load(*folder);
  const auto after = load(shifted.path());
  const Table old_clocks = tables_of(*before, "rank_clocks").front();
  const Table new_clocks = tables_of(*after, "rank_clocks").front();
  std::vector<Ns> sorted(kShifts.begin(), kShifts.end());
  std::ranges::sort(sorted);
  REQUIRE(new_clocks.rows() == 8);
  // Offsets are relative to the median rank, whichever rank that is.
  const Ns base = integer(new_clocks, 3, "offset") - integer(old_clocks, 3, "offset");
  for (std::size_t r = 0; r < 8; ++r)
    CHECK(std::abs(integer(new_clocks, r, "offset") - integer(old_clocks, r, "offset") - base - kShifts[r]) <= 5'000);
  const Table old_each = table_of(tables_of(*before, "collectives"), "collectives");
  const Table new_each = table_of(tables_of(*after, "collectives"), "collectives");
  REQUIRE(new_each.rows() == old_each.rows());
  for (std::size_t row = 0; row < old_each.rows(); ++row) {
    CHECK(integer(new_each, row, "last rank") == integer(old_each, row, "last rank"));
    CHECK(std::abs(integer(new_each, row, "waited") - integer(old_each, row, "waited")) <= 8 * 5'000);
  }
}
