// Phases of framework timelines become steps, annotations, operators, GPU activity with launches, or marks.
#include <algorithm>

#include "core/analysis/request/registry.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "tests/core/ingest/formats/pevents/timeline_files.hpp"
#include "tests/tracegen/framework_timelines.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::shared_ptr<const trace::Profile> load_timeline(const std::string& text) {
  const TestFolder folder;
  return load(folder.write("1594662605430000_905-algo-1_pythontimeline.json", text));
}

std::string operator_at(std::int64_t begin, int thread, const std::string& name = "aten::mm") {
  return timeline_slice(name, begin, 20, 1, "\"tid\": " + std::to_string(thread));
}

std::string kernel_of(std::int64_t begin, int thread, std::int64_t launch, const std::string& operator_name) {
  return timeline_slice("sgemm", begin, 30, 2,
                        R"("event_name": ")" + operator_name + R"(", "start_cpu_thread": )" + std::to_string(thread) +
                            R"(, "cpu_thread_start_time": )" + std::to_string(kTimelineBase + launch));
}

std::shared_ptr<const trace::Profile> load_functions(const std::string& events) {
  return load_timeline(
      timeline_of(R"({"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "gpu_functions-dev:3"}},)"
                  "\n" +
                      events,
                  "cpu_functions"));
}

}  // namespace

TEST_CASE("a generated job has steps, data loading and launches in every process") {
  const TestFolder folder;
  tracegen::TimelineOptions options;
  options.slow_step = 4;
  tracegen::write_framework_timelines(options, tracegen::files_under(folder.path()));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 8);
  CHECK(profile->nodes.size() == 2);
  CHECK(profile->gpus == 8);
  CHECK(profile->diagnostics.empty());
  for (const auto& rank : profile->ranks) {
    CHECK(rank->counts.slices == static_cast<std::uint64_t>(options.steps * tracegen::kTimelineSlicesPerStep));
    CHECK(rank->counts.runs == static_cast<std::uint64_t>(options.steps));
    CHECK(rank->launches.size() == static_cast<std::size_t>(options.steps));
    REQUIRE(rank->steps.size() == static_cast<std::size_t>(options.steps));
    CHECK(rank->process == 300 + rank->number);
    const auto length = [&](std::size_t step) { return rank->steps[step].time.end - rank->steps[step].time.begin; };
    CHECK(length(4) == 3 * length(0));
    const auto slices = shown_slices(*profile, *rank);
    CHECK(std::ranges::count(slices, std::string("DataLoaderIter · worker 0"), &ShownSlice::track) == options.steps);
  }
}

TEST_CASE("the numbers of steps are part of their names, and training steps win over evaluation") {
  std::string events;
  for (int step = 0; step < 3; ++step)
    events +=
        timeline_slice("Step:ModeKeys.TRAIN", 100 * step, 50, 1, R"("step_num": ")" + std::to_string(step) + "\"") +
        ",\n";
  for (int step = 0; step < 9; ++step)
    events += timeline_slice("Step:ModeKeys.EVAL", 1000 + 100 * step, 50, 2,
                             R"("step_num": ")" + std::to_string(step) + "\"") +
              (step < 8 ? ",\n" : "");
  const auto profile = load_timeline(
      timeline_of(R"({"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "Step:ModeKeys.EVAL"}},)"
                  "\n" +
                      events,
                  "Step:ModeKeys.TRAIN"));
  const trace::Rank& rank = *profile->ranks.front();
  REQUIRE(rank.steps.size() == 3);
  CHECK(profile->names().view(rank.steps[2].name) == "Step:ModeKeys.TRAIN#2");
  CHECK(rank.annotations.at("Step:ModeKeys.EVAL") == 9);
}

TEST_CASE("GPU functions are GPU activity, launched by the operator they contain") {
  const auto profile = load_functions(operator_at(100, 1) + ",\n" + operator_at(200, 1) + ",\n" + operator_at(100, 2) +
                                      ",\n" + kernel_of(150, 1, 101, "aten::mm") + ",\n" +
                                      kernel_of(250, 1, 200, "aten::mm") + ",\n" + kernel_of(350, 1, 500, "aten::mm"));
  const trace::Rank& rank = *profile->ranks.front();
  CHECK(rank.counts.runs == 3);
  REQUIRE(rank.devices.size() == 1);
  CHECK(rank.devices.front().id == 3);
  REQUIRE(rank.launches.size() == 2);  // no operator starts at 500
  for (const trace::Connection& launch : rank.launches.all())
    CHECK(rank.begin(launch.to) - rank.begin(launch.from) == 50 * kTimelineUnit);
  const auto slices = shown_slices(*profile, rank);
  CHECK(std::ranges::count(slices, std::string("cpu_functions · thread 1"), &ShownSlice::track) == 2);
  CHECK(std::ranges::count(slices, std::string("gpu_functions-dev:3"), &ShownSlice::track) == 3);
}

TEST_CASE("an ambiguous launch has no arrow") {
  const auto profile =
      load_functions(operator_at(100, 1) + ",\n" + operator_at(101, 1) + ",\n" + kernel_of(150, 1, 100, "aten::mm"));
  CHECK(profile->ranks.front()->launches.size() == 0);
  const auto named = load_functions(operator_at(100, 1, "aten::linear") + ",\n" + operator_at(100, 1) + ",\n" +
                                    kernel_of(150, 1, 100, "aten::mm"));
  CHECK(named->ranks.front()->launches.size() == 1);
}

TEST_CASE("nameless ends close the last open range of their phase") {
  const auto profile = load_timeline(timeline_of(
      R"({"name": "outer", "ph": "B", "pid": 1, "ts": 100},
{"name": "inner", "ph": "B", "pid": 1, "ts": 110},
{"name": "other", "ph": "B", "pid": 2, "ts": 115},
{"ph": "E", "pid": 1, "ts": 120},
{"ph": "E", "pid": 1, "ts": 150},
{"ph": "E", "pid": 2, "ts": 160},
{"name": "CYCLE_START", "ph": "i", "pid": 1, "ts": 130, "s": "g"})",
      "HorovodAllreduce_x"));
  const auto slices = shown_slices(*profile, *profile->ranks.front());
  CHECK(find_slice(slices, "outer")->duration == 50 * kTimelineUnit);
  CHECK(find_slice(slices, "inner")->duration == 10 * kTimelineUnit);
  CHECK(find_slice(slices, "other")->duration == 45 * kTimelineUnit);
  CHECK(find_slice(slices, "CYCLE_START")->duration == 0);
  CHECK(find_slice(slices, "other")->track == "pythontimeline");  // a phase without a name
  CHECK(profile->ranks.front()->counts.slices == 3);
}

TEST_CASE("a section that starts in the middle of a file can change the base and the phases") {
  const auto profile = load_timeline(timeline_of(timeline_slice("a", 100, 10) + R"(,
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": )" +
                                                 std::to_string(kTimelineBase + 1000) + R"(}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Dataset"}},
)" + timeline_slice("b", 100, 10)));
  const auto slices = shown_slices(*profile, *profile->ranks.front());
  CHECK(find_slice(slices, "a")->track == "Forward");
  CHECK(find_slice(slices, "b")->track == "Dataset");
  CHECK(find_slice(slices, "b")->begin - find_slice(slices, "a")->begin == 1000 * kTimelineUnit);
}

TEST_CASE("the window recognizes an event by the name of its slice") {
  const TestFolder folder;
  const auto path =
      folder.write("1594662605430000_905-algo-1_pythontimeline.json",
                   timeline_of(timeline_slice("Step:ModeKeys.TRAIN", 100, 10, 1, R"("step_num": "4", "pid": 905)") +
                                   ",\n" + timeline_slice("conv", 120, 10, 1, R"("layer_name": "layer1.0")"),
                               "Step:ModeKeys.TRAIN"));
  ingest::Loader loader(path.string());
  loader.wait();
  REQUIRE(loader.profile());
  const trace::Rank& rank = *loader.profile()->ranks.front();
  const auto& format = ingest::format_of(rank);
  CHECK(format.name() == "SageMaker Debugger timeline");
  for (const ShownSlice& slice : shown_slices(*loader.profile(), rank)) {
    const auto event = loader.events()->read(rank, slice.ordinal);
    REQUIRE(event.ok());
    CHECK(format.is_named(*event, slice.name));
    CHECK_FALSE(format.is_named(*event, "another"));
  }
}
