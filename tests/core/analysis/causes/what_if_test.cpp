// Faults of small jobs where culprit, cause and saving follow directly from the numbers, and of generated ones.
#include <algorithm>
#include <functional>

#include "core/analysis/causes/fault_text.hpp"
#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
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
        job_.collective(
            r, {.begin = at, .length = last + 1 - at, .ranks = "[0, 1, 2, 3]", .sequence = s, .launch = loaded + 0.06});
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

TEST_CASE("a rank with one slow kernel is late because of that kernel, and the saving is its excess") {
  Steps steps(6);
  steps.first = [](std::size_t rank, int) { return rank == 2 ? 3.5 : 2.0; };
  RanksJob& job = steps.job();
  const Table faults = job.tables("what_if").front();
  REQUIRE(faults.rows() > 0);
  CHECK(text(faults, 0, "culprit") == "Rank 2");
  CHECK(text(faults, 0, "cause") == "some kernels 1.8× slower");
  CHECK(integer(faults, 0, "saving") == Approx(1.5e6).epsilon(0.05));
  const Table late = job.tables("late_ranks").front();
  CHECK(integer(late, 0, "rank") == 2);
  CHECK(integer(late, 0, "times last") == 6);
  CHECK(text(late, 0, "cause") == text(faults, 0, "cause"));
  CHECK(late.note.starts_with("Rank 2: "));
  for (std::size_t row = 1; row < late.rows(); ++row) CHECK(cell(late, row, "cause").missing());
}

TEST_CASE("a rank whose kernels are all slow is reported as slow overall") {
  Steps steps(6);
  steps.copy = [](std::size_t rank, int) { return rank == 1 ? 0.65 : 0.5; };
  steps.first = [](std::size_t rank, int) { return rank == 1 ? 2.6 : 2.0; };
  steps.second = [](std::size_t rank, int) { return rank == 1 ? 3.9 : 3.0; };
  const Table faults = steps.job().tables("what_if").front();
  CHECK(text(faults, 0, "culprit") == "Rank 1");
  CHECK(text(faults, 0, "cause") == "kernels 1.3× slower");
}

TEST_CASE("slow copies are not called slow kernels") {
  tracegen::Options options = small_job(4);
  options.layout = tracegen::Layout::minified;
  options.layers = 4;
  options.steps = 6;
  options.faults = {*tracegen::parse_fault("slow-copies@3=8")};
  const GeneratedSet set(options);
  const Table faults = tables_of(set.profile(), "what_if").front();
  std::size_t row = 0;
  while (row < faults.rows() && text(faults, row, "culprit") != "Rank 3") ++row;
  REQUIRE(row < faults.rows());
  CHECK(text(faults, row, "cause").starts_with("memory operations "));
}

TEST_CASE("savings of two causes add up to what the job takes without both") {
  Steps steps(6);
  steps.first = [](std::size_t rank, int) { return rank == 0 ? 3.0 : 2.0; };
  steps.loader = [](std::size_t rank, int step) { return rank == 3 && step == 2 ? 8.0 : 1.0; };
  const Table faults = steps.job().tables("what_if").front();
  REQUIRE(faults.rows() >= 2);
  Ns step = 0;
  for (std::size_t row = faults.rows(); row-- > 0;) {
    if (row + 1 < faults.rows())
      CHECK(integer(faults, row, "step with all above fixed") == step + integer(faults, row + 1, "saving"));
    step = integer(faults, row, "step with all above fixed");
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
  const Table faults = job.tables("what_if").front();
  CHECK(text(faults, 0, "culprit") == "Rank 1");
}

TEST_CASE("sends and receives do not make a rank late") {
  RanksJob job(2);
  for (int i = 0; i < 6; ++i) {
    const std::string more = R"("Src Rank":0,"Dst Rank":1)";
    job.collective(0, {.begin = 10.0 * i + 5, .length = 1, .operation = "send", .more = more});
    job.collective(1, {.begin = 10.0 * i + 1, .length = 5, .operation = "recv", .more = more});
  }
  const auto tables = job.tables("late_ranks");
  REQUIRE(tables.front().rows() == 2);
  for (const std::size_t row : {0U, 1U}) {
    CHECK(integer(tables.front(), row, "collectives") == 0);
    CHECK(cell(tables.front(), row, "cause").missing());
  }
  CHECK(tables.back().rows() == 0);
  CHECK(says(tables.front().note, "6 collectives and transfers between ranks with different roles"));
}

TEST_CASE("a pipeline stage with too much work is the cause in late_ranks") {
  const auto shared = shared_dir();
  if (!shared) return;
  const auto profile = load(*shared / "cases" / "simulated" / "pp4_unbalanced");
  const Table faults = tables_of(*profile, "what_if").front();
  const Table late = tables_of(*profile, "late_ranks").front();
  REQUIRE(late.rows() == 4);
  CHECK(integer(late, 0, "rank") == 2);
  CHECK(text(late, 0, "cause") == text(faults, 0, "cause"));
  CHECK(late.note.starts_with(text(faults, 0, "culprit")));
}

TEST_CASE("members of a slow process group are not late") {
  analysis::JobFaults faults;
  faults.faults.push_back({.kind = analysis::FaultKind::slow_group, .ranks = {0, 1}, .group = 0});
  CHECK(fault_of(faults, 0) == nullptr);
  faults.faults.push_back({.kind = analysis::FaultKind::slow_gpu, .ranks = {1}});
  CHECK(fault_of(faults, 0) == nullptr);
  CHECK(fault_of(faults, 1) == &faults.faults.back());
}

TEST_CASE("one rank cannot be late") {
  RanksJob job(1, 4);
  job.collective(0, {.begin = 1, .length = 1, .sequence = 1});
  CHECK(job.tables("late_ranks").front().note ==
        "Finding late ranks requires at least two ranks; only 1 of 4 ranks has a trace.");
}

TEST_CASE("savings agree with the true gains of generated jobs") {
  const GoldenRows golden = golden_rows("whatif_tracegen.csv");
  if (golden.empty()) return;
  const GeneratedSet set(golden_job(true, false));
  const Table faults = tables_of(set.profile(), "what_if").front();
  REQUIRE(faults.rows() > 0);
  CHECK(text(faults, 0, "culprit") == fmt::format("Rank {}", whole(golden[2], "rank_made_as_its_peers")));
  const double share =
      static_cast<double>(whole(golden[2], "true_gain_ns")) / static_cast<double>(whole(golden[2], "span_ns"));
  CHECK(figure(faults, 0, "saving share") == Approx(share).epsilon(0.1));
  const GeneratedSet healthy(golden_job(false, false));
  for (const Table ranks = tables_of(healthy.profile(), "late_ranks").front(); const std::size_t row : {0U, 1U})
    CHECK(cell(ranks, row, "cause").missing());
}
