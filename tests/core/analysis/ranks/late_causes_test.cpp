// Late ranks and their causes in small jobs where both follow directly from the numbers.
#include <algorithm>
#include <functional>

#include "tests/core/analysis/ranks/ranks_job.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr double kPeriod = 20;  // ms

/// Steps of a copy, two kernels and an all-reduce on four ranks, all launched at once; then the host waits.
class Steps {
 public:
  explicit Steps(int steps, std::size_t ranks = 4) : job_(ranks), steps_(steps), ranks_(ranks) {}

  /// Lengths in ms by rank and step.
  std::function<double(std::size_t, int)> copy = [](auto, auto) { return 0.5; };
  std::function<double(std::size_t, int)> first = [](auto, auto) { return 2.0; };
  std::function<double(std::size_t, int)> second = [](auto, auto) { return 3.0; };
  /// Time of the data loader.
  std::function<double(std::size_t, int)> loader = [](auto, auto) { return 1.0; };

  RanksJob& job() {
    for (int s = 0; s < steps_; ++s) {
      std::vector<double> arrivals;
      const double begin = 1 + kPeriod * s;
      double last = 0;
      for (std::size_t r = 0; r < ranks_; ++r) {
        arrivals.push_back(begin + loader(r, s) + 0.1 + copy(r, s) + first(r, s) + second(r, s) + 0.003);
        last = std::max(last, arrivals.back());
      }
      for (std::size_t r = 0; r < ranks_; ++r) {
        const double loaded = begin + loader(r, s);
        job_.step(r, s, begin, kPeriod - 1);
        job_.events(r).annotation("load_data", 1000 * begin, 1000 * loader(r, s));
        double at = loaded + 0.1;
        const auto run = [&](std::string_view name, double length) {
          job_.kernel(r, name, at, length, 7, "", loaded + 0.05);
          at += length + 0.001;
        };
        run("copy_kernel", copy(r, s));
        run("gemm", first(r, s));
        run("softmax", second(r, s));
        job_.collective(r, {.begin = at, .length = last + 1 - at, .ranks = "[0, 1, 2, 3]", .sequence = s});
        job_.events(r).launch(1000 * (loaded + 0.2), 0, "cudaDeviceSynchronize", 1000 * (last + 1.01 - loaded - 0.2));
      }
    }
    return job_;
  }

 private:
  RanksJob job_;
  int steps_;
  std::size_t ranks_;
};

}  // namespace

TEST_CASE("leads of 20 us and more are explained") {
  for (const bool enough : {false, true}) {
    RanksJob job(2);
    for (std::size_t r = 0; r < 2; ++r) {
      const double late = r == 0 ? 0 : enough ? 0.02 : 0.019'9;
      job.step(r, 1, 0, 10);
      job.kernel(r, "gemm", 1, 3 + late).collective(r, {.begin = 4 + late, .length = 2 - late, .sequence = 1});
    }
    const auto tables = tables_of(job.profile(), "late_causes", {{"clocks", "recorded"}});
    CHECK(row_texts(table_of(tables, "leads")).size() == (enough ? 1U : 0U));
  }
}

TEST_CASE("a rank with one slow kernel is late because of that kernel") {
  Steps steps(4);
  steps.first = [](std::size_t rank, int) { return rank == 2 ? 3.5 : 2.0; };
  RanksJob& job = steps.job();
  const auto tables = job.tables("late_causes");
  const Table& causes = tables.front();
  REQUIRE(causes.rows() > 0);
  CHECK(integer(causes, 0, "rank") == 2);
  CHECK(text(causes, 0, "cause") == "kernel");
  CHECK(text(causes, 0, "name") == "gemm");
  CHECK(text(causes, 0, "stands out") == "yes");
  CHECK(text(causes, 0, "sentence") == "rank 2: gemm ×1.75");
  CHECK(figure(causes, 0, "GPU time lost") == Approx(4 * 3 * 1.5e6).epsilon(0.01));
  const auto late = job.tables("late_ranks");
  const Table& ranks = late.front();
  CHECK(integer(ranks, 0, "rank") == 2);
  const auto lost = [](const Table& table) {
    double sum = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) sum += figure(table, row, "GPU time lost");
    return sum;
  };
  CHECK(figure(ranks, 0, "GPU time lost") == Approx(4 * 3 * 1.5e6).epsilon(0.01));
  CHECK(lost(ranks) == Approx(lost(causes)));
  CHECK(lost(late[1]) == Approx(lost(causes)));
  CHECK(integer(ranks, 0, "times last") == 4);
  CHECK(text(ranks, 0, "cause") == "rank 2: gemm ×1.75");
}

TEST_CASE("a rank whose kernels are all slow is reported as slow overall") {
  Steps steps(4);
  steps.copy = [](std::size_t rank, int) { return rank == 1 ? 0.65 : 0.5; };
  steps.first = [](std::size_t rank, int) { return rank == 1 ? 2.6 : 2.0; };
  steps.second = [](std::size_t rank, int) { return rank == 1 ? 3.9 : 3.0; };
  const Table causes = steps.job().tables("late_causes").front();
  CHECK(text(causes, 0, "sentence") == "rank 1: all kernels ×1.30");
}

TEST_CASE("a rank that waits for its data in one step is late because of that call") {
  Steps steps(5);
  steps.loader = [](std::size_t rank, int step) { return rank == 3 && step == 2 ? 8.0 : 1.0; };
  const Table causes = steps.job().tables("late_causes").front();
  CHECK(integer(causes, 0, "rank") == 3);
  CHECK(text(causes, 0, "cause") == "host");
  CHECK(text(causes, 0, "name") == "load_data");
  CHECK(text(causes, 0, "sentence") == "rank 3: load_data takes 7.00 ms longer in ProfilerStep#2");
}

TEST_CASE("two causes are charged separately, and charges add up to the waits") {
  Steps steps(6);
  steps.first = [](std::size_t rank, int) { return rank == 0 ? 3.0 : 2.0; };
  steps.loader = [](std::size_t rank, int step) { return rank == 3 && step == 2 ? 8.0 : 1.0; };
  RanksJob& job = steps.job();
  const auto tables = job.tables("late_causes");
  double lost = 0;
  for (std::size_t row = 0; row < tables.front().rows(); ++row) lost += figure(tables.front(), row, "GPU time lost");
  const Table kinds = job.tables("collectives").front();
  CHECK(lost == Approx(figure(kinds, 0, "waiting")).epsilon(0.001));
  CHECK(text(tables.front(), 0, "sentence") == "rank 3: load_data takes 7.00 ms longer in ProfilerStep#2");
  CHECK(text(tables.front(), 1, "sentence") == "rank 0: gemm ×1.50");
}

TEST_CASE("the parts of a lead add up to it with any clocks") {
  Steps steps(5);
  steps.second = [](std::size_t rank, int step) { return 3.0 + 0.1 * static_cast<double>((rank * 7 + step * 3) % 5); };
  RanksJob& job = steps.job();
  for (const char* clocks : {"aligned", "recorded", "durations"}) {
    const Table leads = table_of(job.tables("late_causes", {{"clocks", clocks}}), "leads");
    REQUIRE(leads.rows() > 0);
    for (std::size_t row = 0; row < leads.rows(); ++row) {
      Ns sum = 0;
      for (const char* part : {"kernels", "host", "launch", "copies", "transfers", "gaps", "before the step"})
        sum += integer(leads, row, part);
      CHECK(sum == integer(leads, row, "lead"));
    }
  }
}

TEST_CASE("a rank that receives more data in all-to-alls is not reported as slow") {
  RanksJob job(4);
  for (int i = 0; i < 6; ++i) {
    const double begin = 1 + 20.0 * i;
    for (std::size_t rank = 0; rank < 4; ++rank) {
      const bool loaded = rank == 1;
      job.step(rank, i, begin, 19);
      job.kernel(rank, "router", begin + 1, 1);
      const double arrived = begin + 2.1;
      job.collective(rank, {.begin = arrived,
                            .length = 1,
                            .operation = "all_to_all",
                            .ranks = "[0, 1, 2, 3]",
                            .sequence = 2 * i,
                            .elements = loaded ? 2'000'000 : 1'000'000});
      const double work = loaded ? 6 : 3;
      job.kernel(rank, "expert_gemm", begin + 3.2, work);
      job.collective(
          rank,
          {.begin = begin + 3.21 + work, .length = 4 - work + 3.5, .ranks = "[0, 1, 2, 3]", .sequence = 2 * i + 1});
    }
  }
  const Table causes = job.tables("late_causes").front();
  CHECK(integer(causes, 0, "rank") == 1);
  CHECK(text(causes, 0, "name") == "expert_gemm");
  CHECK(says(text(causes, 0, "sentence"), "imbalance: it receives more all-to-all data"));
}

TEST_CASE("sends and receives do not make a rank late") {
  RanksJob job(2);
  for (int i = 0; i < 6; ++i) {
    const std::string more = R"("Src Rank":0,"Dst Rank":1)";
    job.collective(0, {.begin = 10.0 * i + 5, .length = 1, .operation = "send", .more = more});
    job.collective(1, {.begin = 10.0 * i + 1, .length = 5, .operation = "recv", .more = more});
  }
  const auto tables = job.tables("late_ranks");
  CHECK(tables.front().rows() == 0);
  CHECK(says(tables.front().note, "6 collectives and transfers between ranks with different roles"));
}

TEST_CASE("one rank cannot be late") {
  RanksJob job(1, 4);
  job.collective(0, {.begin = 1, .length = 1, .sequence = 1});
  for (const char* name : {"late_ranks", "late_causes"})
    CHECK(job.tables(name).front().note ==
          "Finding late ranks requires at least two ranks; only 1 of 4 ranks has a trace.");
}

TEST_CASE("the Dashboard and late_ranks report the same rank, even without process groups") {
  tracegen::Options options = small_job(4, 2);
  options.layout = tracegen::Layout::minified;
  options.layers = 2;
  options.steps = 6;
  options.writer = tracegen::Writer::jax;
  options.faults = {*tracegen::parse_fault("slow-kernels@5=2")};
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  const auto profile = load(folder.path());
  const Table dominates = tables_of(*profile, "what_dominates").front();
  REQUIRE(integer(tables_of(*profile, "late_ranks").front(), 0, "rank") == 5);
  std::size_t row = 0;
  while (row < dominates.rows() && text(dominates, row, "analysis") != "late_causes") ++row;
  REQUIRE(row < dominates.rows());
  CHECK(integer(dominates, row, "rank") == 5);
  CHECK(text(dominates, row, "answer").starts_with("Rank 5: kernels "));
}
