#include "core/analysis/request/shared_results.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/table_writers.hpp"
#include "core/ingest/load/loader.hpp"
#include "tests/catch.hpp"
#include "tests/load_profile.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

/// A generated job whose files are kept, because some analyses read arguments from them.
struct Job {
  TestFolder folder;
  std::shared_ptr<const trace::Profile> profile;

  Job() {
    write_set(folder, tracegen::generate_in_memory(small_job()));
    auto loaded = tests::load_profile(folder.path().string());
    REQUIRE(loaded);
    profile = std::move(*loaded);
  }
};

std::string answer(const Analysis& analysis, const trace::Profile& profile, const Scope& scope,
                   const std::vector<Setting>& settings, SharedResults* shared, const CancelToken* cancel = nullptr) {
  const auto tables =
      run_analysis(analysis, profile, scope, settings, cancel, analysis.compares ? &profile : nullptr, nullptr, shared);
  if (!tables) return "error: " + tables.error().message();
  std::string text;
  write_json(text, named_tables("t", *tables));
  return text;
}

/// Settings that select other rows, classes or calls; each analysis gets those it supports.
std::vector<Setting> settings_of(const Analysis& analysis, int variant) {
  static const std::array<std::vector<Setting>, 5> kVariants{
      std::vector<Setting>{},
      {{"hta", "true"}},
      {{"hta", "true"}, {"hta_rounding", "true"}},
      {{"kernel_class", "communication=gemm"}},
      {{"kernel_class", "memory=gemm"}, {"include_memory", "true"}},
  };
  std::vector<Setting> settings = kVariants.at(static_cast<std::size_t>(variant));
  std::erase_if(settings, [&](const Setting& each) { return !has_parameter(analysis, each.first); });
  return settings;
}
constexpr int kVariants = 5;

std::vector<Scope> scopes_of(const trace::Profile& profile) {
  const Ns third = profile.span.length() / 3;
  const Interval middle{profile.span.begin + third, profile.span.begin + 2 * third};
  return {{}, {{1}, {}}, {{}, middle}, {{0}, middle}};
}

auto size_of_int = [](int) { return sizeof(int); };

}  // namespace

TEST_CASE("a shared result is computed once") {
  const trace::Profile profile;
  SharedResults shared(profile);
  int made = 0;
  const auto make = [&] { return ++made; };
  CHECK(*shared.get("a", nullptr, make, size_of_int) == 1);
  CHECK(*shared.get("a", nullptr, make, size_of_int) == 1);
  CHECK(*shared.get("b", nullptr, make, size_of_int) == 2);
  CHECK(*shared.get(
            "a", nullptr, [] { return std::string("of another type"); },
            [](const std::string& text) { return text.size(); }) == "of another type");
  CHECK(shared.bytes() == 2 * sizeof(int) + std::string("of another type").size());
  CHECK(*get_shared(nullptr, "a", nullptr, make, size_of_int) == 3);
}

TEST_CASE("a shared result is computed only once for concurrent threads") {
  const trace::Profile profile;
  SharedResults shared(profile);
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int key = 0; key < 50; ++key)
        static_cast<void>(shared.get(
            std::to_string(key), nullptr, [&] { return ++made; }, size_of_int));
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(made == 50);
}

TEST_CASE("a shared result is not kept if its computation was cancelled") {
  const trace::Profile profile;
  SharedResults shared(profile);
  CancelToken cancel;
  const auto half_done = [&] {
    cancel.cancel();
    return 1;
  };
  CHECK(*shared.get("a", &cancel, half_done, size_of_int) == 1);
  CHECK(shared.bytes() == 0);
  CHECK(*shared.get(
            "a", nullptr, [] { return 2; }, size_of_int) == 2);
  CHECK(*shared.get("a", &cancel, half_done, size_of_int) == 2);
}

TEST_CASE("a shared result above the memory limit is not kept") {
  const trace::Profile profile;
  SharedResults shared(profile, 10);
  int made = 0;
  const auto make = [&] { return ++made; };
  const auto six = [](int) { return std::size_t{6}; };
  CHECK(*shared.get("fits", nullptr, make, six) == 1);
  CHECK(*shared.get("too much", nullptr, make, six) == 2);
  CHECK(*shared.get("too much", nullptr, make, six) == 3);
  CHECK(*shared.get("fits", nullptr, make, six) == 1);
  CHECK(shared.bytes() == 6);
}

TEST_CASE("analyses that share results report the same results as without sharing") {
  const Job job;
  const auto& profile = job.profile;
  for (const Scope& scope : scopes_of(*profile)) {
    for (const std::size_t limit : {SharedResults::kMostBytes, std::size_t{20'000}}) {
      SharedResults forward(*profile, limit);
      SharedResults backward(*profile, limit);
      std::vector<const Analysis*> all;
      for (const Analysis& each : analyses()) all.push_back(&each);
      for (int variant = 0; variant < kVariants; ++variant) {
        for (std::size_t i = 0; i < all.size(); ++i) {
          const Analysis& first = *all[i];
          const Analysis& last = *all[all.size() - 1 - i];
          INFO(first.name << " and " << last.name << ", variant " << variant);
          const auto first_settings = settings_of(first, variant);
          const auto last_settings = settings_of(last, variant);
          CHECK(answer(first, *profile, scope, first_settings, &forward) ==
                answer(first, *profile, scope, first_settings, nullptr));
          CHECK(answer(last, *profile, scope, last_settings, &backward) ==
                answer(last, *profile, scope, last_settings, nullptr));
        }
      }
    }
  }
}

TEST_CASE("analyses share the rows of GPU activity, launches, queues and call trees") {
  const Job job;
  const auto& profile = job.profile;
  SharedResults shared(*profile);
  const auto adds = [&](std::string_view name) {
    const std::size_t before = shared.bytes();
    static_cast<void>(answer(*find_analysis(name), *profile, {}, {}, &shared));
    return shared.bytes() > before;
  };
  CHECK(adds("cpu_active_time"));
  CHECK_FALSE(adds("cpu_utilization"));
  CHECK(adds("temporal_breakdown"));
  for (const char* of_rows : {"comm_comp_overlap", "gpu_kernel_breakdown", "gpu_kernels_with_user_annotations"}) {
    INFO(of_rows);
    CHECK_FALSE(adds(of_rows));
  }
  CHECK(adds("where_time_goes"));  // the collectives
  CHECK(adds("late_ranks"));  // the faults of the job
  CHECK(adds("cuda_kernel_launch_stats"));
  CHECK_FALSE(adds("critical_path"));
  CHECK(adds("queue_length_summary"));
  CHECK_FALSE(adds("queue_length_time_series"));
  CHECK_FALSE(adds("time_blocked_on_full_queue"));
  CHECK(adds("memory_bw_summary"));
  CHECK_FALSE(adds("memory_bw_time_series"));
  CHECK(adds("call_graph"));
  CHECK_FALSE(adds("aten_op_kernels_and_delay"));
  CHECK_FALSE(adds("frequent_cuda_kernel_sequences"));
}

TEST_CASE("analyses do not share results of another profile") {
  const Job job;
  const auto& profile = job.profile;
  const trace::Profile other;
  SharedResults shared(other);
  for (const Analysis& each : analyses()) {
    INFO(each.name);
    CHECK(answer(each, *profile, {}, {}, &shared) == answer(each, *profile, {}, {}, nullptr));
  }
  CHECK(shared.bytes() == 0);
}

TEST_CASE("a cancelled analysis shares no partial results") {
  const Job job;
  const auto& profile = job.profile;
  std::vector<std::string> alone;
  for (const Analysis& each : analyses()) alone.push_back(answer(each, *profile, {}, {}, nullptr));
  for (int round = 0; round < 20; ++round) {
    SharedResults shared(*profile);
    CancelToken cancel;
    if (round == 0) cancel.cancel();
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(300 * round));
      cancel.cancel();
    });
    for (const Analysis& each : analyses()) static_cast<void>(answer(each, *profile, {}, {}, &shared, &cancel));
    canceller.join();
    std::size_t i = 0;
    for (const Analysis& each : analyses()) {
      INFO(each.name << ", round " << round);
      CHECK(answer(each, *profile, {}, {}, &shared) == alone[i++]);
    }
  }
}

TEST_CASE("analyses on several threads share results") {
  const Job job;
  const auto& profile = job.profile;
  std::vector<std::string> alone;
  for (const Analysis& each : analyses()) alone.push_back(answer(each, *profile, {}, {}, nullptr));
  SharedResults shared(*profile);
  std::vector<std::string> together(alone.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < alone.size(); at = next++)
        together[at] = answer(analyses()[at], *profile, {}, {}, &shared);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(together == alone);
}
