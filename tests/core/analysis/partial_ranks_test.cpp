// Results of a truncated rank cover only the recorded time: the missing time is not idle time.
#include "core/trace/partial_ranks.hpp"

#include <fmt/format.h>

#include "core/analysis/diff/slowdown.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/samples.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

std::vector<Table> answer(const trace::Profile& profile, std::string_view name, Scope scope = {}) {
  auto tables = run_analysis(*find_analysis(name), profile, std::move(scope), {});
  REQUIRE(tables.ok());
  return std::move(*tables);
}

/// A host event on thread 1 of process 1, in µs.
std::string host_event(const std::string& category, const std::string& name, int begin, int duration, int call = 0) {
  return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": {}, )"
                     R"("args": {{"correlation": {}}}}})",
                     category, name, begin, duration, call);
}

std::string launched_kernel(const std::string& name, int begin, int duration, int call) {
  std::string event = kernel_event(name, begin, duration);
  event.insert(event.size() - 2, fmt::format(R"(, "correlation": {})", call));
  return event;
}

/// A file as written by the profiler, with host events first: three steps of 1 000 µs, starting at 1 000 µs, each with
/// a 400 µs kernel that starts 100 µs into the step. Truncated after `kernels` kernels.
std::string rank_text(int rank, int kernels = 3) {
  std::string events = host_event("cpu_op", "aten::run", 1000, 3000);
  for (int step = 0; step < 3; ++step) {
    events += ", " + host_event("user_annotation", fmt::format("ProfilerStep#{}", step), 1000 + 1000 * step, 1000);
    events += ", " + host_event("cuda_runtime", "cudaLaunchKernel", 1010 + 1000 * step, 10, step + 1);
  }
  for (int step = 0; step < kernels; ++step) events += ", " + launched_kernel("k", 1100 + 1000 * step, 400, step + 1);
  const std::string text =
      trace_of(events, fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 2}}, "host_name": "a")", rank));
  return kernels == 3 ? text : text.substr(0, text.size() - 2) + R"(, {"ph": "X", "cat": "ker)";
}

/// Rank 0 has a kernel in each of three steps; rank 1 has lost all but the first two.
struct OneCut {
  OneCut() {
    folder.write("r0.json", rank_text(0));
    folder.write("r1.json", rank_text(1, 2));
    profile = load(folder.path());
  }
  TestFolder folder;
  std::shared_ptr<const trace::Profile> profile;
};

}  // namespace

TEST_CASE("a truncated rank covers the time up to its last GPU activity; the others cover all of it") {
  const OneCut job;
  const trace::Profile& profile = *job.profile;
  const trace::CoveredTime covered(profile);
  REQUIRE(covered.partial().size() == 1);
  CHECK(covered.find(0) == nullptr);
  REQUIRE(covered.find(1) != nullptr);
  CHECK(covered.find(1)->why == trace::EarlyEnd::truncated);
  CHECK(covered.find(1)->until - profile.span.begin == 1'500'000);  // 2 500 of 1 000 … 4 000 µs
  CHECK(covered.of(0, profile.span).length() == 3'000'000);
  CHECK(covered.of(1, profile.span).length() == 1'500'000);
  CHECK(covered.of(1, {profile.span.begin + 2'000'000, profile.span.end}).length() == 0);
  CHECK(trace::partial_note(profile) == "Rank 1 is truncated after 1.50 ms; values cover only that part.");
  CHECK(trace::partial_note(profile, {}, profile.span.begin + 1'000'000).empty());  // nothing is missing before
  const std::vector<std::uint32_t> whole{0};
  CHECK(trace::partial_note(profile, whole, profile.span.end).empty());
}

TEST_CASE("time missing from a truncated file is not idle time") {
  const OneCut job;
  const std::vector<Table> active = answer(*job.profile, "gpu_active_time");
  CHECK(active[0].note.starts_with("Rank 1 is truncated after 1.50 ms"));
  CHECK(active[0].at(0, 1).integer() == 2'000'000);  // five kernels of 400 µs
  CHECK(active[0].at(1, 1).integer() == 2'500'000);  // of 3 000 and 1 500 µs
  CHECK(active[0].at(0, 2).number() == Approx(2000.0 / 4500));
  REQUIRE(active[1].rows() == 2);
  CHECK(active[1].at(1, 3).integer() == 800'000);
  CHECK(active[1].at(1, 4).integer() == 700'000);
  CHECK(active[1].at(1, 5).number() == Approx(800.0 / 1500));

  const Table activity = answer(*job.profile, "gpu_activity")[0];
  CHECK(activity.at(3, 0).text() == "idle");
  CHECK(activity.at(3, 1).integer() == 2'500'000);

  const std::vector<Table> kernels = answer(*job.profile, "kernel_time");
  REQUIRE(kernels[2].columns()[2].name == "share of gpu time");
  CHECK(kernels[2].at(0, 2).number() == Approx(2000.0 / 4500));
  // Nothing is missing in the part that the file covers.
  const Ns zero = job.profile->span.begin;
  const std::vector<Table> part = answer(*job.profile, "gpu_active_time", {{1}, Interval{zero, zero + 1'000'000}});
  CHECK(part[0].note == "1 GPU over 1.00 ms.");
  CHECK(part[0].at(0, 2).number() == Approx(0.4));
}

TEST_CASE("utilization over time covers only GPUs whose traces reach that time") {
  const OneCut job;
  const std::vector<Setting> bins{{"bin", "500us"}};
  const auto tables = run_analysis(*find_analysis("gpu_utilization"), *job.profile, {}, bins);
  REQUIRE(tables.ok());
  const Table& node = tables->at(0);
  REQUIRE(node.rows() == 6);
  for (std::size_t bin = 0; bin < 6; ++bin) CHECK(node.at(bin, 3).number() == Approx(bin % 2 == 0 ? 0.8 : 0.0));
  const Table& gpus = tables->at(1);
  REQUIRE(gpus.rows() == 12);
  CHECK(gpus.at(6 + 2, 5).number() == Approx(0.8));
  for (std::size_t bin = 3; bin < 6; ++bin) CHECK(gpus.at(6 + bin, 5).missing());

  const auto classes = run_analysis(*find_analysis("where_time_goes"), *job.profile, {}, bins);
  REQUIRE(classes.ok());
  REQUIRE(classes->at(1).rows() == 6);
  for (std::size_t bin = 0; bin < 6; ++bin)
    CHECK(classes->at(1).at(bin, 2).number() == Approx(bin % 2 == 0 ? 0.8 : 0.0));

  const auto host = run_analysis(*find_analysis("cpu_active_time"), *job.profile, {}, {});
  REQUIRE(host.ok());
  CHECK(host->at(1).at(1, 3).integer() == 1'500'000);  // in aten::run the whole time
  CHECK(host->at(1).at(1, 4).integer() == 0);
}

TEST_CASE("an analysis built on other analyses shows the note on truncated ranks once") {
  const OneCut job;
  const std::string note = trace::partial_note(*job.profile);
  for (const char* name : {"where_time_goes", "idle_time_breakdown"}) {
    INFO(name);
    const std::string found = answer(*job.profile, name)[0].note;
    CHECK(found.starts_with(note));
    CHECK(found.find(note, 1) == std::string::npos);
  }
}

TEST_CASE("possibly incomplete steps of a truncated file have no time") {
  const OneCut job;
  const std::vector<StepSample> steps = step_samples(*job.profile, {});
  REQUIRE(steps.size() == 4);  // three of rank 0; the second of rank 1 may have had more kernels
  CHECK(steps[3].slice.rank == 1);
  CHECK(job.profile->names().view(steps[3].name) == "ProfilerStep#0");
}

TEST_CASE("diff excludes truncated ranks, and counts whole steps if all are truncated") {
  const OneCut job;
  const TestFolder whole;
  whole.write("r0.json", rank_text(0));
  whole.write("r1.json", rank_text(1));
  const auto before = load(whole.path());
  const Slowdowns found = slowdowns(*before, *job.profile, 0.01);
  CHECK(found.control_steps == 6);
  CHECK(found.test_steps == 3);
  for (const Slowdown& row : found.rows) CHECK(row.by() == Approx(0));
  CHECK(contains(slowdown_table(found, {}, 0).note, "In the test, 1 rank is excluded because the traces end early."));

  const TestFolder cut;
  cut.write("r1.json", rank_text(1, 2));
  const Slowdowns alone = slowdowns(*before, *load(cut.path()), 0.01);
  CHECK(alone.test_steps == 1);
  for (const Slowdown& row : alone.rows)
    if (row.kind == Slowdown::Kind::kernel) CHECK(row.by() == Approx(0));
  CHECK(contains(slowdown_table(alone, {}, 0).note, "only steps that are complete in all traces are compared"));
}

TEST_CASE("a file without GPU activity covers the time up to its last host event") {
  const TestFolder folder;
  folder.write("r0.json", rank_text(0));
  const std::string text = rank_text(1);
  folder.write("r1.json", text.substr(0, text.find("ProfilerStep#2")));
  const auto profile = load(folder.path());
  const trace::CoveredTime covered(*profile);
  REQUIRE(covered.find(1) != nullptr);
  CHECK(covered.find(1)->until - profile->span.begin == 1'010'000);  // the launch in the second step
}

TEST_CASE("analyses of a truncated rank cover its recorded time") {
  tracegen::Options options = *tracegen::preset("small");
  options.defects = {*tracegen::parse_defect("truncated@0")};
  const TestFolder folder;
  const tracegen::MemorySet set = tracegen::generate_in_memory(options);
  write_set(folder, set);
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 2);

  // The same from the text, closed after its last complete event.
  std::array<NaiveFile, 2> files;
  for (const auto& file : set.files) {
    std::string text = file.bytes;
    const bool cut = file.path == set.truth.ranks.at(0).file;
    if (cut) text = text.substr(0, text.rfind("\n  },\n")) + "\n  }]}";
    files.at(cut ? 0 : 1) = naive_read(text);
  }
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = 0;
  std::array<std::int64_t, 2> gpu_end{};
  for (std::size_t r = 0; r < 2; ++r)
    for (const NaiveSlice& slice : files.at(r).slices) {
      begin = std::min(begin, slice.begin);
      end = std::max(end, slice.end());
      if (slice.run()) gpu_end.at(r) = std::max(gpu_end.at(r), slice.end());
    }
  REQUIRE(gpu_end[0] < gpu_end[1]);
  const std::vector<Table> active = answer(*profile, "gpu_active_time");
  CHECK(active[1].at(0, 3).integer() == naive_busy(files[0]));
  CHECK(active[1].at(0, 3).integer() + active[1].at(0, 4).integer() == gpu_end[0] - begin);
  CHECK(active[1].at(1, 3).integer() + active[1].at(1, 4).integer() == end - begin);
  CHECK(active[0].at(0, 2).number() == Approx(static_cast<double>(naive_busy(files[0]) + naive_busy(files[1])) /
                                              static_cast<double>(gpu_end[0] - begin + end - begin)));
}
