#include "core/analysis/request/samples.hpp"

#include <fmt/format.h>

#include "core/analysis/request/registry.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

std::string event(std::string_view category, std::string_view name, int pid, int tid, int begin, int duration,
                  std::string_view arguments = "") {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
      category, name, pid, tid, begin, duration, arguments);
}
std::string range(std::string_view name, int begin, int duration) {
  return event("user_annotation", name, 100, 100, begin, duration);
}
std::string launch(int id, int tid, int begin) {
  return event("cuda_runtime", "cudaLaunchKernel", 100, tid, begin, 1, fmt::format("\"correlation\": {}", id));
}
std::string kernel(int id, int begin, int duration) {
  return event("kernel", "k", 0, 7, begin, duration,
               fmt::format("\"device\": 0, \"stream\": 7, \"correlation\": {}", id));
}
std::string shadow(std::string_view name, int stream, int begin, int duration) {
  return event("gpu_user_annotation", name, 0, stream, begin, duration);
}

std::string joined(const std::vector<std::string>& events) {
  std::string text;
  for (const std::string& each : events) text += (text.empty() ? "" : ",") + each;
  return text;
}

std::shared_ptr<const trace::Profile> job() {
  return load_events(joined({
      range("ProfilerStep#1", 1000, 100),  // GPU-side copies on two streams
      range("ProfilerStep#2", 1100, 100),  // launches, also from another thread
      range("ProfilerStep#3", 1200, 100),  // nothing on the GPU
      range("ProfilerStep#1", 1300, 100),  // same name again, with its own GPU-side copy
      shadow("ProfilerStep#1", 7, 1050, 40),
      shadow("ProfilerStep#1", 8, 1040, 20),
      shadow("ProfilerStep#1", 7, 1350, 200),
      launch(1, 100, 1110),
      launch(2, 200, 1150),
      launch(3, 100, 1350),
      kernel(1, 1180, 10),
      kernel(2, 1230, 70),
      kernel(3, 1360, 10),
      range("forward_1", 1010, 30),
      range("forward_2", 1110, 50),
      range("Optimizer.step#Adam.step", 1180, 10),
  }));
}

std::vector<Ns> durations(const std::vector<Sample>& samples) {
  std::vector<Ns> result;
  for (const Sample& sample : samples) result.push_back(sample.duration / 1000);
  return result;
}

}  // namespace

TEST_CASE("a step lasts on the GPU from the end of the activity before it to the end of its own, or as on the host") {
  const auto profile = job();
  const std::vector<StepSample> steps = step_samples(*profile, {});
  REQUIRE(steps.size() == 4);
  const auto check = [&](std::size_t i, StepSource source, Ns begin, Ns duration) {
    CHECK(steps[i].source == source);
    CHECK(steps[i].begin == begin * 1000);
    CHECK(steps[i].duration == duration * 1000);
    CHECK(profile->names().view(steps[i].name) == profile->name(steps[i].slice));
  };
  check(0, StepSource::host, 1000, 100);
  check(1, StepSource::gpu, 1000, 300);
  check(2, StepSource::host, 1200, 100);
  check(3, StepSource::gpu, 1300, 100);  // to the end of the recording
}

TEST_CASE("activity launched between steps belongs to the step before it, and that before them to none") {
  const auto profile =
      load_events(joined({range("step_1", 1000, 100), range("step_2", 1200, 100), launch(1, 100, 990),
                          launch(2, 100, 1050), launch(3, 100, 1150), launch(4, 100, 1200), kernel(1, 1001, 2),
                          kernel(2, 1060, 10), kernel(3, 1160, 10), kernel(4, 1500, 5)}));
  const std::vector<StepSample> steps = step_samples(*profile, {});
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].begin == 1003'000);
  CHECK(steps[0].duration == 167'000);
  CHECK(steps[1].duration == 335'000);
}

TEST_CASE("partial steps do not count") {
  const auto profile = job();
  const Scope scope{{}, Interval{1'050'000, 1'350'000}};
  const std::vector<StepSample> steps = step_samples(*profile, scope);
  REQUIRE(steps.size() == 2);
  CHECK(profile->names().view(steps[0].name) == "ProfilerStep#2");
  CHECK(steps[0].duration == 300'000);
}

TEST_CASE("annotations are found by family, by name and by a part of names") {
  const auto profile = job();
  const auto find = [&](std::string_view typed, Side side = Side::cpu) {
    return annotation_samples(*profile, {}, typed, side);
  };
  CHECK(find("forward").match == AnnotationMatch::family);
  CHECK(durations(find("forward").samples) == std::vector<Ns>{30, 50});
  CHECK(durations(find("forward_#N").samples) == std::vector<Ns>{30, 50});
  CHECK(durations(find("ProfilerStep#N").samples) == std::vector<Ns>{100, 100, 100, 100});
  CHECK(find("forward_2").match == AnnotationMatch::name);
  CHECK(durations(find("forward_2").samples) == std::vector<Ns>{50});
  CHECK(find("FORW").match == AnnotationMatch::part);
  CHECK(durations(find("FORW").samples) == std::vector<Ns>{30, 50});
  CHECK(find("step").samples.size() == 5);  // the optimizer's too
  CHECK(find("backward").match == AnnotationMatch::none);
  CHECK(find("").match == AnnotationMatch::none);
  CHECK(find("forward", Side::gpu).match == AnnotationMatch::none);
  CHECK(find("ProfilerStep", Side::gpu).samples.size() == 3);
}

TEST_CASE("a partial match does not hide a later family with that name") {
  const auto profile = load_events(joined(
      {range("my step", 1000, 10), range("step_1", 2000, 20), range("step", 3000, 30), range("misstep_1", 4000, 40)}));
  const AnnotationSamples found = annotation_samples(*profile, {}, "step", Side::cpu);
  CHECK(found.match == AnnotationMatch::family);
  CHECK(durations(found.samples) == std::vector<Ns>{20, 30});
}

TEST_CASE("families are sorted by name, host before GPU") {
  const std::vector<AnnotationFamily> families = annotation_families(*job(), {});
  REQUIRE(families.size() == 4);
  CHECK(families[0].family == "Optimizer.step#Adam.step");
  CHECK(families[1].family == "ProfilerStep");
  CHECK(families[1].side == Side::cpu);
  CHECK(families[1].samples.size() == 4);
  CHECK(families[2].family == "ProfilerStep");
  CHECK(families[2].side == Side::gpu);
  CHECK(families[2].samples.size() == 3);
  CHECK(families[3].family == "forward");
}

TEST_CASE("notes describe the source of a table or what is missing") {
  const auto profile = job();
  const auto note = [&](const trace::Profile& of, std::string_view name, std::vector<Setting> settings = {}) {
    return run_analysis(*find_analysis(name), of, {}, settings)->front().note;
  };
  CHECK(note(*profile, "step_time") ==
        "2 steps on the GPU, each from the end of the previous step's GPU activity to the end of its own; 2 steps on "
        "the host, because no "
        "GPU activity was launched.");
  CHECK(note(*profile, "annotation_histogram", {{"name", "step"}}) ==
        "Annotations on the CPU with \"step\" in their names.");
  CHECK(note(*profile, "annotation_histogram", {{"name", "backward"}}) ==
        "No annotation on the CPU has \"backward\" in its name. Available annotations: ProfilerStep, forward, "
        "Optimizer.step#Adam.step.");
  CHECK(note(*profile, "memory_operations") == "No GPU memcpys or memsets in this selection.");
  const auto host_only = load_events(event("cpu_op", "aten::add", 1, 1, 1000, 10));
  CHECK(note(*host_only, "kernel_time") == "No GPU kernels in this selection.");
  CHECK(note(*host_only, "gpu_activity") == "No GPU activity in this selection.");
  CHECK(note(*host_only, "step_time").starts_with("No steps in this selection."));
  const auto none_whole = run_analysis(*find_analysis("step_time"), *profile, {{}, Interval{1'000'000, 1'001'000}}, {});
  CHECK(none_whole->front().note.starts_with("No step on these ranks lies entirely within this range."));
  CHECK(note(*host_only, "annotations").starts_with("No annotations in this selection"));
}

TEST_CASE("impossible slices never count, no matter how many overlap") {
  std::vector<std::string> events{launch(1, 100, 1000), kernel(1, 1010, 10)};
  for (int i = 0; i < 100; ++i)
    events.push_back(event("kernel", "endless", 0, 7, 1005 + i, 2'000'000'000, "\"device\": 0, \"stream\": 7"));
  const auto profile = load_events(joined(events));
  const auto tables = run_analysis(*find_analysis("kernel_time"), *profile, {}, {});
  REQUIRE(tables->front().rows() == 1);
  CHECK(tables->front().at(0, 0).text() == "k");
  CHECK(tables->front().note.find("Excludes 100 kernels with impossible times.") != std::string::npos);
  // More at a time than a track has lanes: even the folded ones count neither as busy nor toward the span.
  CHECK(profile->span == Interval{1'000'000, 1'020'000});
  const auto active = run_analysis(*find_analysis("gpu_active_time"), *profile, {}, {});
  CHECK(active->front().at(0, 1).integer() == 10'000);
}
