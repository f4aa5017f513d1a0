// trace_diff, ops_diff and the comparison of `warpscope diff`.
#include <fmt/format.h>

#include "core/analysis/diff/slowdown.hpp"
#include "core/analysis/shared/hta.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

std::vector<Table> diff_of(const trace::Profile& control, const trace::Profile& test, std::string_view name,
                           const std::vector<Setting>& settings = {}) {
  auto tables = run_analysis(*find_analysis(name), control, {}, settings, nullptr, &test);
  INFO((tables ? std::string() : tables.error().message()));
  REQUIRE(tables);
  return std::move(*tables);
}

/// Two steps, each with an operator that launches one kernel, which runs after the step.
TinyEvents job(double op, double kernel, std::string_view kernel_name = "void gemm<4>(int*)", int steps = 2) {
  TinyEvents events;
  for (int i = 0; i < steps; ++i) {
    const double at = 100.0 * i;
    events.step(7 + i, at, 50).op("aten::mm", at + 1, op).launch(at + 2, i + 1);
    events.run({.name = kernel_name, .begin = at + 60, .length = kernel, .correlation = i + 1});
  }
  return events;
}

}  // namespace

TEST_CASE("diff lists names of both profiles side by side, largest difference first") {
  const auto control = load_events(job(10, 4).text());
  const auto test = load_events(job(12, 7, "void gemm<4>(int*)", 3).op("aten::new", 400, 1).text());
  CHECK(row_texts(diff_of(*control, *test, "trace_diff", {{"device_type", "GPU"}})[0]) ==
        Rows{"void gemm<4>(int*) 2 8000 3 21000 1 13000 + 4000 7000 0.75"});
  CHECK(row_texts(diff_of(*control, *test, "trace_diff", {{"device_type", "CPU"}})[0]) ==
        Rows{"ProfilerStep#9 0 0 1 50000 1 50000 + - 50000 -", "aten::mm 2 20000 3 36000 1 16000 + 10000 12000 0.2",
             "aten::new 0 0 1 1000 1 1000 + - 1000 -", "cudaLaunchKernel 2 1000 3 1500 1 500 + 500 500 0",
             "ProfilerStep#7 1 50000 1 50000 0 0 = 50000 50000 0",
             "ProfilerStep#8 1 50000 1 50000 0 0 = 50000 50000 0"});
  CHECK(diff_of(*control, *test, "trace_diff")[0].rows() == 7);
  CHECK(row_texts(diff_of(*control, *test, "ops_diff")[0]) ==
        Rows{"added ProfilerStep#9 0 1", "added aten::new 0 1", "increased aten::mm 2 3",
             "increased void gemm<4>(int*) 2 3", "increased cudaLaunchKernel 2 3", "unchanged ProfilerStep#7 1 1",
             "unchanged ProfilerStep#8 1 1"});
  CHECK(row_texts(diff_of(*test, *control, "ops_diff")[1]) ==
        Rows{"added 0", "deleted 2", "increased 0", "decreased 3", "unchanged 2"});
}

TEST_CASE("steps restrict a profile to activity that starts or is launched in them") {
  const auto control = load_events(job(10, 4).text());
  const auto test = load_events(job(10, 4, "void gemm<4>(int*)", 3).text());
  const auto gpu = [&](std::vector<Setting> settings) {
    settings.emplace_back("device_type", "GPU");
    return row_texts(diff_of(*control, *test, "trace_diff", settings)[0]);
  };
  CHECK(gpu({{"control_iteration", "first"}, {"test_iteration", "8-9"}}) ==
        Rows{"void gemm<4>(int*) 1 4000 2 8000 1 4000 + 4000 4000 0"});
  CHECK(gpu({{"control_iteration", "7-8"}, {"test_iteration", "all"}}) ==
        Rows{"void gemm<4>(int*) 2 8000 3 12000 1 4000 + 4000 4000 0"});
  CHECK(gpu({{"hta", "true"}}) == Rows{"void gemm<4>(int*) 1 4000 1 4000 0 0 = 4000 4000 0"});
  const auto wrong = run_analysis(*find_analysis("trace_diff"), *control, {},
                                  std::vector<Setting>{{"test_iteration", "3"}}, nullptr, test.get());
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().where == "steps 3");
  CHECK(wrong.error().advice == "its steps are 7 to 9");
  CHECK_FALSE(run_analysis(*find_analysis("ops_diff"), *control, {}, std::vector<Setting>{{"test_rank", "3"}}, nullptr,
                           test.get()));
}

TEST_CASE("kernels with the same short name share a row on request") {
  const auto control = load_events(job(10, 4, "void gemm<4>(int*)").text());
  const auto test = load_events(job(10, 4, "void gemm<8>(long*)").text());
  const std::vector<Setting> gpu{{"device_type", "GPU"}};
  CHECK(diff_of(*control, *test, "trace_diff", gpu)[0].rows() == 2);
  CHECK(row_texts(diff_of(*control, *test, "trace_diff", {{"device_type", "GPU"}, {"short_names", "true"}})[0]) ==
        Rows{"gemm 2 8000 2 8000 0 0 = 4000 4000 0"});
}

TEST_CASE("kernels of different functions have separate rows under short names") {
  const char* const name = "void at::native::vectorized_elementwise_kernel<4, at::native::{}_kernel_cuda(int)>(int)";
  const auto control = load_events(job(10, 4, fmt::format(fmt::runtime(name), "sqrt")).text());
  const auto test = load_events(job(10, 4, fmt::format(fmt::runtime(name), "exp")).text());
  const Table table = diff_of(*control, *test, "trace_diff", {{"device_type", "GPU"}, {"short_names", "true"}})[0];
  REQUIRE(table.rows() == 2);
  CHECK(table.at(0, 0).text() == "exp · vectorized_elementwise_kernel");
  CHECK(table.at(1, 0).text() == "sqrt · vectorized_elementwise_kernel");
  const std::vector<Setting> hta{{"device_type", "GPU"}, {"short_names", "true"}, {"hta", "true"}};
  CHECK(diff_of(*control, *test, "trace_diff", hta)[0].rows() == 1);
}

TEST_CASE("HTA's short names") {
  CHECK(hta_short_name("aten::mm") == "aten::mm");
  CHECK(hta_short_name("void at::native::f<4, g(int)::{lambda()#1}>(int, float*)") == "at::native::f");
  CHECK(hta_short_name("Memcpy HtoD (Pinned -> Device)") == "Memcpy HtoD (Pinned -> Device)");
  CHECK(hta_short_name("f(a)->b") == "fb");
  CHECK(hta_short_name("a(b)>after") == "after");
  CHECK(hta_short_name("f<g") == "f<g");
  CHECK(hta_short_name("").empty());
}

TEST_CASE("diff reports a missing second profile, and profiles without data") {
  const auto profile = load_events(job(10, 4).text());
  for (const char* name : {"trace_diff", "ops_diff"}) {
    REQUIRE(find_analysis(name)->compares);
    const auto alone = tables_of(*profile, name);
    CHECK(alone[0].rows() == 0);
    CHECK(alone[0].note == "No second profile given; use warpscope analyze NAME A B.");
  }
  const auto host = load_events(TinyEvents().op("aten::mm", 0, 4).text());
  CHECK(diff_of(*host, *host, "trace_diff", {{"device_type", "GPU"}})[0].note ==
        "Neither profile has matching host calls or GPU activity.");
}

TEST_CASE("diff compares times per step, largest difference first") {
  const auto control = load_events(job(10, 4).op("aten::tiny", 40, 0.1).text());
  const auto test = load_events(job(12, 7, "void gemm<4>(int*)", 3).op("aten::tiny", 40, 0.6).text());
  const Slowdowns found = slowdowns(*control, *test, 0.01);
  CHECK(found.per_step);
  CHECK(found.control_steps == 2);
  CHECK(found.test_steps == 3);
  REQUIRE(found.rows.size() == 4);
  // Two steps of 64 and 100 µs, and three of 67, 100 and 100 µs, from the end of one kernel to that of the next.
  CHECK(found.rows[0].kind == Slowdown::Kind::step);
  CHECK(found.rows[0].by() == Approx(89.0 / 82 - 1));
  CHECK(found.rows[1].kind == Slowdown::Kind::kernel);
  CHECK(found.rows[1].by() == Approx(0.75));
  CHECK(found.rows[1].difference() == Approx(3000));
  CHECK(found.rows[1].share == 1);
  CHECK(found.rows[2].name == "aten::mm");
  CHECK(found.rows[2].by() == Approx(0.2));
  CHECK(found.rows[3].name == "aten::tiny");
  CHECK(found.rows[3].control_time == Approx(50));
  CHECK(found.rows[3].test_time == Approx(200));
  CHECK(uncompared_text(found) ==
        "every kernel and operator name is in both profiles, so the comparison covers all of their time");
  const Table table = slowdown_table(found, 0.5, 2);
  CHECK(table.rows() == 2);
  CHECK(table.note == "Shows the first 2 of 4.");
  CHECK(row_texts(table)[1] == "kernel void gemm<4>(int*) 2 3 4000 7000 0.75 4000 7000 3000 1 slower yes");
  CHECK(row_texts(slowdown_table(found, {}, 2))[1] ==
        "kernel void gemm<4>(int*) 2 3 4000 7000 0.75 4000 7000 3000 1 slower");
}

TEST_CASE("diff lists and counts renamed, new and more frequent kernels") {
  const auto with_second = [](std::string_view first, std::string_view second, double length) {
    TinyEvents events = job(10, 4, first);
    for (int i = 0; i < 2; ++i) {
      events.launch(100.0 * i + 5, 10 + i);
      events.run({.name = second, .begin = 100.0 * i + 70, .length = length, .correlation = 10 + i});
    }
    return load_events(events.text());
  };
  const auto control = with_second("gemm", "relu", 6);
  SECTION("renamed: the time only moved") {
    const Slowdowns found = slowdowns(*control, *with_second("gemm", "relu_v2", 6), 0.01);
    CHECK(count_over(found, 0.05) == 0);
    CHECK(added_over(found, 0.05).empty());
    CHECK(uncompared_text(found) ==
          "not compared by name: 6.00 µs per step of kernels only in the test (1 name); 6.00 µs per step of kernels "
          "only in the control (1 name)");
    const auto rows = row_texts(slowdown_table(found, 0.05, 0));
    const auto told = [&](const char* change) {
      return std::ranges::count_if(rows, [&](const std::string& row) { return row.find(change) != std::string::npos; });
    };
    CHECK(told(" added") == 1);
    CHECK(told(" removed") == 1);
  }
  SECTION("renamed and slower") {
    const Slowdowns found = slowdowns(*control, *with_second("gemm", "relu_v2", 7), 0.01);
    CHECK(added_over(found, 0.05) == std::vector{Slowdown::Kind::kernel});  // 1 µs of 10
    CHECK(added_over(found, 0.11).empty());
  }
  SECTION("launched twice as often") {
    const Slowdowns found = slowdowns(*control, *with_second("gemm", "gemm", 6), 0.01);
    const auto gemm = std::ranges::find(found.rows, "gemm", &Slowdown::name);
    REQUIRE(gemm != found.rows.end());
    CHECK(gemm->by() == Approx(1.5));  // 4 µs a step, then 4 + 6
    CHECK(gemm->difference() == Approx(6000));
  }
  SECTION("activity outside steps is reported") {
    TinyEvents events = job(10, 4, "gemm");
    events.launch(300, 30).run({.name = "gemm", .begin = 310, .length = 2, .correlation = 30});
    const Slowdowns found = slowdowns(*control, *load_events(events.text()), 0.01);
    CHECK(uncompared_text(found).find("outside steps in the control, 2.00 µs in the test") != std::string::npos);
  }
}

TEST_CASE("a profile compared with itself has no differences") {
  TinyEvents many;
  for (int i = 0; i < 300; ++i) many.op("op" + std::to_string(i), 10.0 * i, 1);
  const auto profile = load_events(many.text());
  const Slowdowns found = slowdowns(*profile, *profile, 0.01);
  CHECK_FALSE(found.per_step);
  REQUIRE(found.rows.size() == 1);
  CHECK(found.rows[0].name == "300 other operators");
  CHECK(found.rows[0].by() == 0);
  CHECK(found.title == "What became slower");
  CHECK(uncompared_text(found) == "not compared by name: counts, because at least one profile has no steps");
}

TEST_CASE("the title lists differences in devices, precision, world size and versions") {
  const auto made = [](const char* device, int world, int cuda, std::string_view kernel) {
    return load_events(job(10, 4, kernel).text(),
                       fmt::format(R"("deviceProperties": [{{"id": 0, "name": "{}"}}], "distributedInfo": )"
                                   R"({{"rank": 0, "world_size": {}}}, "cuda_runtime_version": {})",
                                   device, world, cuda));
  };
  const auto control = made("NVIDIA A100", 8, 12040, "ampere_bf16_gemm");
  const auto test = made("Tesla V100", 4, 11080, "volta_fp16_gemm");
  CHECK(slowdowns(*control, *test, 0).title ==
        "What became slower: NVIDIA A100 → Tesla V100, world size 8 → 4, mostly BF16 → FP16, CUDA runtime 12.4 → 11.8");
  CHECK(slowdowns(*control, *control, 0).title == "What became slower");
}

namespace {

/// Two jobs with mostly the same names but mostly different counts.
struct TwoJobs {
  TestFolder folder;
  std::shared_ptr<const trace::Profile> control = made("a", {});
  std::shared_ptr<const trace::Profile> test = made("b", 2);

 private:
  [[nodiscard]] std::shared_ptr<const trace::Profile> made(const char* name, std::optional<int> layers) const {
    tracegen::Options options = small_job(2);
    if (layers) {
      options.layers = *layers;
      options.seed += 1;
    }
    (void)tracegen::generate(options, folder.path() / name);
    return load(folder.path() / name);
  }
};

}  // namespace

TEST_CASE("diff agrees with counts by name from the text of both traces") {
  const TwoJobs jobs;
  const TestFolder& folder = jobs.folder;
  const auto& control = jobs.control;
  const auto& test = jobs.test;
  for (const bool gpu : {false, true}) {
    const auto counts = [&](const NaiveSlice& slice) {
      return gpu ? slice.run() : !slice.run() && !is_shadow(slice) && !is_wait(slice) && slice.category != "Trace";
    };
    const auto name = [](const NaiveSlice& slice) { return slice.name; };
    const auto before = Brute(folder.path() / "a").totals(counts, name);
    const auto after = Brute(folder.path() / "b").totals(counts, name);
    const Table table = std::move(diff_of(*control, *test, "trace_diff", {{"device_type", gpu ? "GPU" : "CPU"}})[0]);
    std::set<std::string> names;
    for (const auto& [each, total] : before) names.insert(each);
    for (const auto& [each, total] : after) names.insert(each);
    CHECK(table.rows() == names.size());
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string each(table.at(row, 0).text());
      INFO(each);
      const BruteTotal a = before.contains(each) ? before.at(each) : BruteTotal{};
      const BruteTotal b = after.contains(each) ? after.at(each) : BruteTotal{};
      CHECK(table.at(row, 1).integer() == a.count);
      CHECK(table.at(row, 2).integer() == a.total);
      CHECK(table.at(row, 3).integer() == b.count);
      CHECK(table.at(row, 4).integer() == b.total);
      CHECK(table.at(row, 6).integer() == b.total - a.total);
    }
  }
}

namespace {

/// Counts calls and GPU activity by name; with `steps`, only those that started or were launched in one of them.
std::map<std::string, std::int64_t> brute_counts(const Brute& brute, const std::set<std::string>& steps) {
  std::map<std::string, std::int64_t> counts;
  for (const NaiveFile* file : brute.files()) {
    const auto in_step = [&](std::int64_t time) {
      return steps.empty() || std::ranges::any_of(file->slices, [&](const NaiveSlice& step) {
               return is_annotation(step) && steps.contains(step.name) && step.begin <= time && time < step.end();
             });
    };
    std::map<std::int64_t, std::int64_t> launched;  // launch times by correlation id
    for (const NaiveSlice& slice : file->slices)
      if (slice.call() && slice.correlation > 0) launched.emplace(slice.correlation, slice.begin);
    for (const NaiveSlice& slice : file->slices) {
      if (is_shadow(slice) || is_wait(slice) || slice.category == "Trace") continue;
      const auto launch = launched.find(slice.correlation);
      if (!slice.run() ? in_step(slice.begin) : steps.empty() || (launch != launched.end() && in_step(launch->second)))
        ++counts[slice.name];
    }
  }
  return counts;
}

std::string brute_change(std::int64_t control, std::int64_t test) {
  if (control == 0) return "added";
  if (test == 0) return "deleted";
  return control == test ? "unchanged" : control < test ? "increased" : "decreased";
}

}  // namespace

TEST_CASE("diff of operators agrees with counts from the text, including within steps") {
  const TwoJobs jobs;
  const TestFolder& folder = jobs.folder;
  const auto& control = jobs.control;
  const auto& test = jobs.test;
  const auto step = [](const trace::Profile& profile, std::size_t i) {
    return std::string(profile.names().view(profile.steps.at(i).name));
  };
  const std::string last = step(*test, test->steps.size() - 1);
  for (const bool some : {false, true}) {
    const auto before =
        brute_counts(Brute(folder.path() / "a"), some ? std::set{step(*control, 0)} : std::set<std::string>{});
    const auto after = brute_counts(Brute(folder.path() / "b"), some ? std::set{last} : std::set<std::string>{});
    std::vector<Setting> settings;
    if (some) settings = {{"control_iteration", "first"}, {"test_iteration", last.substr(last.find('#') + 1)}};
    const std::vector<Table> tables = diff_of(*control, *test, "ops_diff", settings);
    std::map<std::string, std::string> expected;
    std::map<std::string, std::int64_t> numbers{
        {"added", 0}, {"deleted", 0}, {"increased", 0}, {"decreased", 0}, {"unchanged", 0}};
    const auto add = [&](const std::string& name) {
      const std::int64_t a = before.contains(name) ? before.at(name) : 0;
      const std::int64_t b = after.contains(name) ? after.at(name) : 0;
      if (expected.try_emplace(name, fmt::format("{} {} {} {}", brute_change(a, b), name, a, b)).second)
        ++numbers[brute_change(a, b)];
    };
    for (const auto& [name, count] : before) add(name);
    for (const auto& [name, count] : after) add(name);
    CHECK(tables[0].rows() == expected.size());
    for (std::size_t row = 0; row < tables[0].rows(); ++row)
      CHECK(row_text(tables[0], row) == expected[std::string(tables[0].at(row, 1).text())]);
    for (std::size_t row = 0; row < tables[1].rows(); ++row)
      CHECK(tables[1].at(row, 1).integer() == numbers.at(std::string(tables[1].at(row, 0).text())));
    CHECK(tables[1].rows() == numbers.size());
    CHECK(numbers.at("decreased") + numbers.at("increased") > 0);
  }
}
