// bench_annotations: measures what a call of the library for annotations costs the annotated thread, from one thread
// and from eight, and checks that all annotations are in the file. Measures CPU time of the threads, not wall time,
// because the machine may be busy.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "core/record/annotations/warpscope_annotations.h"
#include "core/trace/profile.hpp"
#include "tests/bench/options.hpp"
#include "tests/load_profile.hpp"
#include "tests/test_folder.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;

constexpr std::uint64_t kAnnotations = 1'000'000;
constexpr double kMostNsPerCall = 100;
constexpr int kSteps = 1000;  // each with annotations in it, as in a training loop

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Makes `count` annotations, in steps; returns the CPU seconds that this took.
double annotate(std::uint64_t count) {
  const double began = thread_cpu_seconds();
  const std::uint64_t in_step = count / kSteps - 1;
  for (int step = 0; step < kSteps; ++step) {
    warpscope_annotation_begin("step_1");
    for (std::uint64_t i = 0; i < in_step; ++i) {
      warpscope_annotation_begin("Forward");
      warpscope_annotation_end();
    }
    warpscope_annotation_end();
  }
  return thread_cpu_seconds() - began;
}

struct Measured {
  double ns_per_call = 0;
  double stop_seconds = 0;
  double lost = 0;
};

Measured measure(std::size_t threads) {
  const tests::TestFolder folder;
  Measured measured;
  if (warpscope_annotations_start(folder.path().c_str()) != 0) return measured;
  std::vector<double> seconds(threads);
  std::vector<std::thread> running;
  for (double& each : seconds) running.emplace_back([&] { each = annotate(kAnnotations / threads); });
  for (std::thread& thread : running) thread.join();
  const auto stopped = std::chrono::steady_clock::now();
  warpscope_annotations_stop();
  measured.stop_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - stopped).count();
  for (const double each : seconds) measured.ns_per_call += 1e9 * each / (2 * kAnnotations);
  const auto profile = tests::load_profile(folder.path());
  std::uint64_t read = 0;
  if (profile)
    for (const auto& rank : (*profile)->ranks)
      for (const auto& [family, count] : rank->annotations) read += count;
  measured.lost = static_cast<double>(kAnnotations) - static_cast<double>(read);
  return measured;
}

int run(int argc, char** argv) {
  Options options;
  CommandLine line("Measures the cost of annotations in programs without a framework", options);
  if (const auto status = line.parse(argc, argv)) return *status;
  Report report{
      .name = "annotations", .title = "CPU time of a call that starts or ends an annotation", .runs = options.runs};
  Table table("calls", fmt::format("{} annotations, recorded into a file", kAnnotations),
              {{"threads", "", ColumnKind::integer},
               {"call (ns)", "", ColumnKind::real},
               {"stop", "", ColumnKind::duration},
               {"lost", "", ColumnKind::integer}});
  for (const std::size_t threads : {std::size_t{1}, std::size_t{8}}) {
    std::vector<double> calls;
    std::vector<double> stops;
    double lost = 0;
    for (int i = 0; i < options.runs; ++i) {
      const Measured measured = measure(threads);
      calls.push_back(measured.ns_per_call);
      stops.push_back(measured.stop_seconds);
      lost = std::max(lost, measured.lost);
    }
    const double call = median(calls);
    table.add_row(
        {static_cast<std::int64_t>(threads), call, duration_cell(median(stops)), static_cast<std::int64_t>(lost)});
    const std::string from = threads == 1 ? "from one thread" : fmt::format("from {} threads", threads);
    report.requirements.push_back({"a call " + from, call, kMostNsPerCall, "ns"});
    report.requirements.push_back({"annotations lost " + from, lost, 0, ""});
  }
  report.tables.push_back(std::move(table));
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&] { return run(argc, argv); });
}
