// The critical path of a job: the longest path in small jobs, found by exhaustive search; the slow ranks of generated
// jobs; times that add up.
#include "core/analysis/critical_path/job_path.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using analysis::TimeLabel;

namespace {

analysis::JobPath job_path_of(const trace::Profile& profile, std::vector<analysis::Setting> settings = {},
                              const analysis::Scope& scope = {}) {
  auto values = analysis::ParameterValues::parse(analysis::find_analysis("critical_path")->parameters, settings);
  REQUIRE(values);
  return analysis::find_job_path({.profile = profile, .scope = scope, .values = std::move(*values)});
}

Ns time_on_path(const analysis::JobPath& path, std::uint32_t rank, TimeLabel what) {
  const auto sums = path.sums();
  const auto own = sums.find(rank);
  return own == sums.end() ? 0 : own->second[static_cast<std::size_t>(what)];
}

Ns time_on_path(const analysis::JobPath& path, std::uint32_t rank) {
  Ns sum = 0;
  for (std::size_t k = 0; k < analysis::kTimeLabels; ++k) sum += time_on_path(path, rank, static_cast<TimeLabel>(k));
  return sum;
}

Ns host_time_on_path(const analysis::JobPath& path, std::uint32_t rank) {
  Ns sum = 0;
  for (std::size_t k = 0; k < analysis::kTimeLabels; ++k)
    if (analysis::is_host_delay(static_cast<TimeLabel>(k))) sum += time_on_path(path, rank, static_cast<TimeLabel>(k));
  return sum;
}

/// Segments follow each other without gaps or overlap, and add up to the span.
void check_path_tiled(const analysis::JobPath& path) {
  INFO(path.reason);
  REQUIRE_FALSE(path.segments.empty());
  CHECK(path.segments.front().time.begin == path.span.begin);
  CHECK(path.segments.back().time.end == path.span.end);
  Ns sum = 0;
  bool follow = true;
  for (std::size_t i = 0; i < path.segments.size(); ++i) {
    const Interval& time = path.segments[i].time;
    sum += time.length();
    follow &= time.begin < time.end && (i == 0 || time.begin == path.segments[i - 1].time.end);
  }
  CHECK(follow);
  CHECK(sum == path.span.length());
}

constexpr std::size_t kPathRanks = 3;
constexpr std::size_t kPathSteps = 5;
constexpr double kPathTransfer = 0.3;  // ms

/// Work in ms of each rank and step before it arrives at the step's collective.
using PathWork = std::array<std::array<double, kPathRanks>, kPathSteps>;

/// Steps of host work, two kernels and an all-reduce, after which the host of each rank waits for the GPU. `ahead`: how
/// far each clock is ahead, in ms.
RanksJob& path_job(RanksJob& job, const PathWork& host, const PathWork& kernels,
                   std::array<double, kPathRanks> ahead = {}) {
  for (std::size_t r = 0; r < kPathRanks; ++r) job.clock(r, ahead[r]);
  double start = 1;
  for (std::size_t s = 0; s < kPathSteps; ++s) {
    double last = 0;
    for (std::size_t r = 0; r < kPathRanks; ++r) last = std::max(last, start + host[s][r] + kernels[s][r]);
    for (std::size_t r = 0; r < kPathRanks; ++r) {
      const double launched = start + host[s][r] - 0.05;
      const double half = kernels[s][r] / 2;
      job.step(r, static_cast<int>(s), start, last + kPathTransfer - start);
      job.kernel(r, "gemm", launched + 0.05, half, 7, "", launched);
      job.kernel(r, "softmax", launched + 0.05 + half, half, 7, "", launched + 0.01);
      const double arrived = start + host[s][r] + kernels[s][r];
      job.collective(r, {.begin = arrived,
                         .length = last + kPathTransfer - arrived,
                         .ranks = "[0, 1, 2]",
                         .sequence = static_cast<int>(s),
                         .stream = 7});
      job.events(r).launch(1000 * (launched + 0.03 + ahead[r]), 0, "cudaDeviceSynchronize",
                           1000 * (last + kPathTransfer - launched - 0.03));
    }
    start = last + kPathTransfer;
  }
  return job;
}

}  // namespace

TEST_CASE("the path of the job is the longest of all paths through its ranks") {
  std::uint32_t state = 7;
  const auto random = [&](double least, double most) {
    state = state * 1664525 + 1013904223;
    return least + (most - least) * std::round(static_cast<double>(state >> 8U) / 16777216.0 * 1000) / 1000;
  };
  for (int round = 0; round < 3; ++round) {
    PathWork host{};
    PathWork kernels{};
    for (auto& step : host)
      for (double& each : step) each = random(0.2, 2);
    for (auto& step : kernels)
      for (double& each : step) each = random(0.2, 3);
    // Tries every way to move from rank to rank at the collectives.
    double longest = 0;
    std::array<std::size_t, kPathSteps> best{};
    for (std::size_t way = 0; way < 3 * 3 * 3 * 3 * 3; ++way) {
      std::array<std::size_t, kPathSteps> through{};
      double length = 0;
      for (std::size_t s = 0, rest = way; s < kPathSteps; ++s, rest /= kPathRanks) {
        through[s] = rest % kPathRanks;
        length += host[s][through[s]] + kernels[s][through[s]] + kPathTransfer;
      }
      if (length <= longest) continue;
      longest = length;
      best = through;
    }
    std::array<double, kPathRanks> on_host{};
    std::array<double, kPathRanks> in_kernels{};
    for (std::size_t s = 0; s < kPathSteps; ++s) {
      on_host[best[s]] += host[s][best[s]];
      in_kernels[best[s]] += kernels[s][best[s]];
    }
    RanksJob job(kPathRanks);
    const analysis::JobPath path = job_path_of(path_job(job, host, kernels).profile());
    check_path_tiled(path);
    const auto within = [](double milliseconds) { return Approx(1e6 * milliseconds).margin(20); };
    CHECK(static_cast<double>(path.span.length()) == within(longest));
    Ns transfers = 0;
    for (std::uint32_t r = 0; r < kPathRanks; ++r) {
      INFO("round " << round << ", rank " << r);
      CHECK(static_cast<double>(time_on_path(path, r, TimeLabel::computation)) == within(in_kernels[r]));
      CHECK(static_cast<double>(host_time_on_path(path, r) + time_on_path(path, r, TimeLabel::latency)) ==
            within(on_host[r]));
      transfers += time_on_path(path, r, TimeLabel::transfer);
    }
    CHECK(static_cast<double>(transfers) == within(kPathTransfer * kPathSteps));
    std::size_t changes = 0;
    for (std::size_t s = 1; s < kPathSteps; ++s) changes += best[s] != best[s - 1];
    CHECK(path.changes_of_rank() == changes);
  }
}

TEST_CASE("a rank change leads from the last rank's kernel in the collective to the next rank's") {
  PathWork host{};
  PathWork kernels{};
  for (std::size_t s = 0; s < kPathSteps; ++s) {
    host[s].fill(0.5);
    kernels[s].fill(1);
    kernels[s][s % 2] = 2;
  }
  RanksJob job(kPathRanks);
  const trace::Profile& profile = path_job(job, host, kernels).profile();
  const analysis::JobPath path = job_path_of(profile);
  REQUIRE(path.changes_of_rank() == kPathSteps - 1);
  for (std::size_t i = 0; i + 1 < path.segments.size(); ++i) {
    const analysis::JobPathSegment& segment = path.segments[i];
    CHECK(segment.met.has_value() == (segment.rank != path.segments[i + 1].rank));
    if (!segment.met) continue;
    CHECK(segment.what == TimeLabel::transfer);
    CHECK(segment.met->rank == path.segments[i + 1].rank);
    CHECK(profile.name(*segment.met) == "ncclDevKernel_Generic");
    CHECK(profile.begin(*segment.met) < segment.recorded.begin);
  }
  const Table segments = table_of(job.tables("critical_path"), "segments");
  std::size_t marked = 0;
  for (std::size_t row = 0; row < segments.rows(); ++row) {
    marked += !cell(segments, row, "rank before").missing();
    const auto rank = static_cast<std::uint32_t>(integer(segments, row, "rank"));
    const trace::SliceRef slice{rank, static_cast<trace::SliceOrdinal>(integer(segments, row, "slice"))};
    if (text(segments, row, "class") == "computation")
      CHECK(profile.begin(slice) - profile.span.begin == integer(segments, row, "start"));
  }
  CHECK(marked == kPathSteps - 1);
}

TEST_CASE("the path of a job with one slow rank runs through that rank") {
  for (const int slow : {1, 2}) {
    tracegen::Options options = *tracegen::preset("small");
    options.layout = tracegen::Layout::minified;
    options.nodes = 2;
    options.gpus = 2;
    options.layers = 1;
    options.steps = 4;
    options.clocks = {{1, 2'500'000, 0}};
    options.faults = {*tracegen::parse_fault(fmt::format("slow-kernels@{}=1.3", slow))};
    const GeneratedSet set(options);
    const analysis::JobPath path = job_path_of(set.profile());
    check_path_tiled(path);
    CHECK(path.clocks.starts_with("Clocks are aligned to within ±"));
    Ns kernels = 0;
    for (std::uint32_t r = 0; r < 4; ++r) kernels += time_on_path(path, r, TimeLabel::computation);
    const auto rank = static_cast<std::uint32_t>(slow);
    CHECK(2 * time_on_path(path, rank) > path.span.length());
    CHECK(10 * time_on_path(path, rank, TimeLabel::computation) > 9 * kernels);
    const Table sums = tables_of(set.profile(), "critical_path").front();
    CHECK(integer(sums, 0, "rank") == slow);
    CHECK(says(sums.note, fmt::format("on rank {} (computation", slow)));
    double share = 0;
    for (std::size_t row = 0; row < sums.rows(); ++row) share += figure(sums, row, "share");
    CHECK(share == Approx(1));
  }
}

TEST_CASE("the path of one rank needs no clocks") {
  tracegen::Options options = *tracegen::preset("small");
  options.layout = tracegen::Layout::minified;
  options.nodes = 1;
  options.gpus = 1;
  options.steps = 3;
  const GeneratedSet set(options);
  const analysis::JobPath path = job_path_of(set.profile());
  check_path_tiled(path);
  CHECK(path.clocks.empty());
  CHECK(path.changes_of_rank() == 0);
}

TEST_CASE("waiting for a rank outside the scope is no transfer") {
  RanksJob job(4);
  for (std::size_t r = 0; r < 4; ++r) {
    const double kernel = r == 2 ? 6 : 2;  // ms; the others wait 4 ms for rank 2, then all transfer for 1 ms
    for (int s = 0; s < 4; ++s) {
      const double start = 1 + 20.0 * s;
      job.step(r, s, start, 19);
      job.kernel(r, "gemm", start + 1, kernel, 7, "", start + 0.3);
      job.collective(r, {.begin = start + 1 + kernel, .length = 7 - kernel, .ranks = "[0, 1, 2, 3]", .sequence = s});
    }
  }
  const trace::Profile& profile = job.profile();
  const auto time_of = [&](std::vector<std::uint32_t> ranks, std::string_view what) {
    const Table sums = tables_of(profile, "critical_path", {}, {std::move(ranks), std::nullopt}).front();
    double time = 0;
    for (std::size_t row = 0; row < sums.rows(); ++row)
      if (text(sums, row, "class") == what) time += figure(sums, row, "time") / 1e6;
    return time;
  };
  // The host never waits for the GPU, so the path passes through the last step's collective only.
  CHECK(time_of({0}, "waiting for other ranks") == Approx(4));
  CHECK(time_of({0}, "communication") == Approx(1));
  CHECK(time_of({0, 1}, "waiting for other ranks") == Approx(4));
  CHECK(time_of({}, "waiting for other ranks") == 0);
  const Table time = tables_of(profile, "where_time_goes", {}, {{0}, std::nullopt}).front();
  CHECK(figure(time, 0, "waiting_for_ranks") / 1e6 == Approx(4 * 4));
  CHECK(figure(time, 0, "transfer") / 1e6 == Approx(4 * 1));
}

TEST_CASE("the path of a step is that of the activity it launched, even if the GPU runs behind") {
  TinyEvents events;
  events.step(1, 0, 100).step(2, 100, 100);
  events.launch(10, 1).launch(20, 2).launch(110, 3);
  events.run({.name = "first", .begin = 50, .length = 70, .correlation = 1});
  events.run({.name = "behind", .begin = 121, .length = 60, .correlation = 2});
  events.run({.name = "next", .begin = 182, .length = 10, .correlation = 3});
  const auto profile = load_events(events.text());
  const analysis::JobPath path = job_path_of(*profile, {}, {{}, profile->ranks[0]->steps[0].time});
  std::vector<std::string_view> kernels;
  for (const analysis::JobPathSegment& segment : path.segments)
    if (segment.what == TimeLabel::computation) kernels.push_back(profile->names().view(segment.name));
  CHECK(kernels == std::vector<std::string_view>{"first", "behind"});
}

TEST_CASE("the paths of two ranges add up to that of both") {
  const GeneratedSet set(golden_job());
  const trace::Profile& profile = set.profile();
  const analysis::JobPath whole = job_path_of(profile);
  check_path_tiled(whole);
  const Ns middle = profile.span.begin + profile.span.length() / 3;
  const analysis::JobPath early = job_path_of(profile, {}, {{}, Interval{profile.span.begin, middle}});
  const analysis::JobPath late = job_path_of(profile, {}, {{}, Interval{middle, profile.span.end}});
  check_path_tiled(early);
  check_path_tiled(late);
  CHECK(early.span.end == late.span.begin);
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r)
    for (std::size_t k = 0; k < analysis::kTimeLabels; ++k) {
      const auto what = static_cast<TimeLabel>(k);
      CHECK(time_on_path(early, r, what) + time_on_path(late, r, what) == time_on_path(whole, r, what));
    }
  CHECK(job_path_of(profile, {}, {{}, Interval{profile.span.begin - 100, profile.span.begin - 50}}).reason ==
        "The job's critical path does not pass through this range.");
}

TEST_CASE("the path of a step is the same for any clocks of the ranks") {
  PathWork host{};
  PathWork kernels{};
  for (std::size_t s = 0; s < kPathSteps; ++s) {
    host[s] = {0.5, 0.6, 0.4};
    kernels[s] = {1, 0.5, 2};
  }
  std::vector<analysis::JobPath> paths;
  for (const auto& ahead : {std::array<double, kPathRanks>{}, std::array<double, kPathRanks>{0, 4, -0.5}}) {
    RanksJob job(kPathRanks);
    const trace::Profile& profile = path_job(job, host, kernels, ahead).profile();
    const auto step = analysis::range_of_steps(profile, {}, 2, 2);
    REQUIRE(step);
    const analysis::JobPath path = job_path_of(profile, {}, {{}, step});
    check_path_tiled(path);
    paths.push_back(path);
  }
  CHECK(time_on_path(paths[0], 2, TimeLabel::computation) == 2'000'000);
  for (std::uint32_t r = 0; r < kPathRanks; ++r)
    for (std::size_t k = 0; k < analysis::kTimeLabels; ++k)
      CHECK(std::abs(time_on_path(paths[0], r, static_cast<TimeLabel>(k)) -
                     time_on_path(paths[1], r, static_cast<TimeLabel>(k))) < 1'000);
}

TEST_CASE("the host waits for a copy from pageable memory, and one pass waits for the other") {
  RanksJob job(1, 4);
  TinyEvents& events = job.events(0);
  job.step(0, 0, 0, 30);
  job.kernel(0, "long_kernel", 1, 10, 7, "", 0.5);
  // The copy starts after the kernel, and its call returns after it.
  events.launch(2'000, 901, "cudaMemcpyAsync", 10'000);
  events.run({.name = "Memcpy DtoH (Device -> Pageable)",
              .begin = 11'000,
              .length = 500,
              .correlation = 901,
              .category = "gpu_memcpy"});
  // Another thread runs the backward pass: nothing blocks it, but it starts after the copy.
  events.op("autograd::engine::evaluate_function: MulBackward0", 13'000, 2'000, 200);
  events.launch(14'000, 902, "cudaLaunchKernel", 5, 200);
  events.run({.name = "backward_kernel", .begin = 14'010, .length = 990, .correlation = 902});
  const analysis::JobPath path = job_path_of(job.profile());
  check_path_tiled(path);
  CHECK(time_on_path(path, 0, TimeLabel::computation) == 10'990'000);
  CHECK(time_on_path(path, 0, TimeLabel::memory) == 500'000);
  CHECK(host_time_on_path(path, 0) == 500'000 + 2'500'000);
  const auto host = std::ranges::find_if(path.segments, [](const auto& segment) {
    return segment.what == TimeLabel::host && segment.time.length() == 2'500'000;
  });
  REQUIRE(host != path.segments.end());
  // From the return of the copy on, the forward thread has only its step.
  CHECK(job.profile().names().view(host->name) == "ProfilerStep#0");
}

TEST_CASE("the host's part of the path is split by what the host does") {
  TinyEvents events;
  events.step(0, 0, 40'000);
  events.launch(100, 1);
  events.run({.name = "first", .begin = 110, .length = 8'000, .correlation = 1});
  events.launch(200, 99, "cudaStreamSynchronize", 7'950);  // until 8150
  events.op("aten::add", 8'200, 2'000);
  events.op("enumerate(DataLoader)#_Iter.__next__", 20'000, 3'000);
  events.launch(24'000, 2);
  events.run({.name = "second", .begin = 24'010, .length = 5'000, .correlation = 2});
  const auto profile = load_events(events.text());
  const analysis::JobPath path = job_path_of(*profile);
  check_path_tiled(path);
  CHECK(time_on_path(path, 0, TimeLabel::data_loader) == 3'000'000);
  CHECK(time_on_path(path, 0, TimeLabel::sync) > 7'900'000);  // as long as the host waited
  CHECK(time_on_path(path, 0, TimeLabel::sync) < 8'100'000);
  const auto loading = std::ranges::find(path.segments, TimeLabel::data_loader, &analysis::JobPathSegment::what);
  REQUIRE(loading != path.segments.end());
  CHECK(profile->names().view(loading->name) == "enumerate(DataLoader)#_Iter.__next__");
}

TEST_CASE("a path across ranks needs a common clock and collectives") {
  RanksJob scattered(2);
  RanksJob strangers(2);
  for (int i = 0; i < 20; ++i) {
    scattered.collective(0, {.begin = 10.0 + 10 * i, .length = 2, .sequence = i});
    scattered.collective(1, {.begin = 10.0 + 10 * i + 0.45 * (i % 4), .length = 2, .sequence = i});
    for (std::size_t rank = 0; rank < 2; ++rank) strangers.kernel(rank, "gemm", 10.0 + 10 * i, 2);
  }
  const auto refused = scattered.tables("critical_path");
  CHECK(refused.front().rows() == 0);
  CHECK(says(refused.front().note, "the clocks cannot be aligned"));
  CHECK(says(refused[1].note, "the clocks cannot be aligned"));
  const auto recorded = scattered.tables("critical_path", {{"clocks", "recorded"}});
  CHECK(recorded.front().rows() > 0);
  CHECK(says(recorded.front().note, "Times are as recorded"));
  CHECK(says(strangers.tables("critical_path").front().note, "No collectives match across ranks"));
  CHECK_FALSE(job_path_of(strangers.profile(), {}, {{1}, {}}).segments.empty());
}

TEST_CASE("ranks that share no collective with the path are listed") {
  RanksJob job(5);
  for (int i = 0; i < 5; ++i)
    for (std::size_t rank = 0; rank < 5; ++rank)
      job.collective(rank, {.begin = 10.0 + 10 * i,
                            .length = 2,
                            .group = "tp",
                            .ranks = rank < 3 ? "[0, 1, 2]" : "[3, 4]",
                            .sequence = i});
  const analysis::JobPath path = job_path_of(job.profile());
  check_path_tiled(path);
  CHECK(path.ranks == 3);
  CHECK(path.left_out == "2 ranks are not connected by collectives to rank 0 and the other ranks on the path.");
}

TEST_CASE("the path of a real job adds up") {
  const auto folder = real_traces("dlrm8");
  if (!folder) return;
  const analysis::JobPath path = job_path_of(*load(*folder));
  check_path_tiled(path);
  CHECK(path.ranks == 8);
}
