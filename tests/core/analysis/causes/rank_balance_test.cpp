// Comparison of the steps of ranks, in small jobs whose times are known by construction.
#include <functional>

#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr int kBalancedSteps = 4;
constexpr double kBalancedCopy = 0.5;  // ms

/// Steps of a copy, a kernel and an all-reduce of 1 ms, whose data arrives last from the slowest rank.
class BalanceJob {
 public:
  explicit BalanceJob(std::size_t ranks, const std::function<double(std::size_t)>& kernel) : job_(ranks) {
    std::string list;
    double slowest = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      list += (r == 0 ? "[" : ", ") + std::to_string(r);
      slowest = std::max(slowest, kernel(r));
    }
    list += "]";
    for (std::size_t r = 0; r < ranks; ++r)
      for (int s = 0; s < kBalancedSteps; ++s) {
        const double start = 1 + 20.0 * s;
        job_.step(r, s, start, 19);
        job_.events(r).annotation("enumerate(DataLoader)#Iter.__next__", 1000 * start, 100);
        job_.events(r).launch(1000 * (start + 0.2), 5'000 + s, "cudaMemcpyAsync");
        job_.events(r).run({.name = "Memcpy HtoD (Pinned -> Device)",
                            .begin = 1000 * (start + 1),
                            .length = 1000 * kBalancedCopy,
                            .correlation = 5'000 + s,
                            .device = static_cast<int>(r),
                            .category = "gpu_memcpy"});
        const double begin = start + 1 + kBalancedCopy;
        job_.kernel(r, "gemm", begin, kernel(r), 7, "", start + 0.3);
        job_.collective(r,
                        {.begin = begin + kernel(r), .length = slowest - kernel(r) + 1, .ranks = list, .sequence = s});
      }
  }
  std::vector<Table> tables() { return job_.tables("rank_balance"); }

 private:
  RanksJob job_;
};

double balance_bar(const Table& table, std::string_view name, std::string_view use) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (text(table, row, "ranks") == name) return figure(table, row, use) / 1e6;
  FAIL("no bar " << name);
  return 0;
}

}  // namespace

TEST_CASE("a slow rank computes more and waits less than its peers") {
  BalanceJob job(4, [](std::size_t rank) { return rank == 2 ? 6.0 : 2.0; });
  const auto tables = job.tables();
  const Table& bars = tables.front();
  REQUIRE(bars.rows() == 5);
  CHECK(text(bars, 1, "ranks") == "rank 2");  // first, so that it is visible among many
  CHECK(balance_bar(bars, "mean of 4 ranks", "compute") == Approx(3));
  CHECK(balance_bar(bars, "mean of 4 ranks", "wait") == Approx(3));
  CHECK(balance_bar(bars, "rank 2", "compute") == Approx(6));
  CHECK(balance_bar(bars, "rank 2", "wait") == Approx(0).margin(1e-3));
  for (const char* rank : {"rank 0", "rank 2"}) {
    CHECK(balance_bar(bars, rank, "memory") == Approx(kBalancedCopy));
    CHECK(balance_bar(bars, rank, "exposed transfer") == Approx(1));
    CHECK(balance_bar(bars, rank, "time") == Approx(19.75));
    CHECK(balance_bar(bars, rank, "idle") == Approx(19.75 - kBalancedCopy - 6 - 1));
  }
  CHECK(bars.note.starts_with("Rank 2: kernels 3× slower, "));
  const Table ranks = table_of(tables, "ranks");
  CHECK(text(ranks, 2, "cause") == "kernels 3× slower");
  CHECK(cell(ranks, 1, "cause").missing());
  CHECK(table_of(tables, "steps").rows() == 4 * kBalancedSteps);
}

TEST_CASE("the parts of a step add up to its duration") {
  const GeneratedSet set(golden_job());
  const Table steps = table_of(tables_of(set.profile(), "rank_balance"), "steps");
  REQUIRE(steps.rows() == 8 * 6);
  for (std::size_t row = 0; row < steps.rows(); ++row) {
    Ns sum = 0;
    for (const char* use : {"compute", "exposed transfer", "wait", "memory", "idle"}) {
      CHECK(integer(steps, row, use) >= 0);
      sum += integer(steps, row, use);
    }
    CHECK(sum == integer(steps, row, "time"));
  }
}

TEST_CASE("with many ranks, the bars are the mean, the ranks at fault and the extremes") {
  BalanceJob job(70, [](std::size_t rank) { return rank == 41 ? 4.0 : 2 + 0.001 * static_cast<double>(rank % 10); });
  const Table bars = job.tables().front();
  REQUIRE(bars.rows() == 4);
  CHECK(text(bars, 0, "ranks") == "mean of 70 ranks");
  CHECK(text(bars, 1, "ranks") == "rank 41");
  CHECK(balance_bar(bars, "rank 41", "compute") == Approx(4));
  CHECK(balance_bar(bars, "mean of 70 ranks", "compute") == Approx(2.033).margin(0.001));
  CHECK(figure(bars, 2, "compute") < figure(bars, 3, "compute"));
}

TEST_CASE("a single rank has no peers to compare with") {
  BalanceJob job(1, [](std::size_t) { return 2.0; });
  const auto tables = job.tables();
  CHECK(tables.front().rows() == 1);
  CHECK(tables.front().note.starts_with("Comparing ranks requires at least two ranks"));
  CHECK(cell(table_of(tables, "ranks"), 0, "cause").missing());
}
