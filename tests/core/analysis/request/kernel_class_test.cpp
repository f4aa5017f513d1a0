// Classification into communication, computation and memory: ours, HTA's, and the user's.
#include "core/analysis/request/kernel_class.hpp"

#include <fmt/format.h>

#include <map>

#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

TEST_CASE("HTA's classes follow its first matching expression") {
  using enum KernelClass;
  const std::map<std::string_view, KernelClass> expected{
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", communication},
      {"void ncclKernel_SendRecv", communication},
      {"void nccl_symmetric", computation},
      {"hipMemcpyAsync", communication},
      {"hccl_all_reduce", communication},
      {"Memcpy DtoH (Device -> Pageable)", memory},
      {"Memset (Device)", memory},
      {"dma_request", memory},
      {"void at::native::vectorized_elementwise_kernel", computation},
      {"sync_batch_norm", computation},
      {"void SyncBatchNorm", other},
      {"my_Memcpy_kernel", other},
      {"admam_kernel", other},
      {"Stream Wait Event", other},
      {"cudaLaunchKernel", other},
      {"void cudaLaunchKernel", computation},
      {"runFunction - job", other},
      {"deep_ep::intranode::dispatch", computation},
      {"cross_device_reduce_1stage", computation},
  };
  for (const auto& [name, kind] : expected) {
    INFO(name);
    CHECK(hta_class(name) == kind);
  }
}

namespace {

std::string on_stream(std::string_view category, std::string_view name, std::string_view more = "", int begin = 1000) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "tid": 7, "ts": {}, "dur": 10,
          "args": {{"device": 0, "stream": 7{}}}}})",
      category, name, begin, more);
}

/// Returns the class of the slice with that name on the profile's streams.
KernelClass class_of(const trace::Profile& profile, const KernelClasses::Choice& choice, std::string_view name) {
  const KernelClasses classes(profile, choice);
  const trace::Rank& rank = *profile.ranks[0];
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (profile.names().view(lane.name(i)) == name)
        return classes.of(0, l, i, profile.categories().role(lane.category(i)));
  }
  FAIL("no such name: " << name);
  return KernelClass::other;
}

}  // namespace

TEST_CASE("a kernel's class comes from the trace, from HTA or from the user") {
  const auto profile = load_events(fmt::format(
      "{},{},{},{},{}", on_stream("kernel", "deep_ep::dispatch"),
      on_stream("kernel", "ncclDevKernel_AllReduce", "", 1100), on_stream("kernel", "my_ring_step", "", 1200),
      on_stream("kernel", "hipfft_kernel", "", 1300), on_stream("gpu_memcpy", "Memcpy DtoD", "", 1400)));
  const auto of = [&](const KernelClasses::Choice& choice, std::string_view name) {
    return class_of(*profile, choice, name);
  };
  CHECK(of({}, "deep_ep::dispatch") == KernelClass::communication);
  CHECK(of({}, "ncclDevKernel_AllReduce") == KernelClass::communication);
  CHECK(of({}, "my_ring_step") == KernelClass::computation);
  CHECK(of({}, "hipfft_kernel") == KernelClass::computation);
  CHECK(of({}, "Memcpy DtoD") == KernelClass::memory);
  CHECK(of({.hta = true}, "deep_ep::dispatch") == KernelClass::computation);
  CHECK(of({.hta = true}, "hipfft_kernel") == KernelClass::communication);
  CHECK(of({.rules = "communication=other;communication=my_ring"}, "my_ring_step") == KernelClass::communication);
  CHECK(of({.rules = "memory=ring_s; communication=my_ring"}, "my_ring_step") == KernelClass::memory);
  CHECK(of({.rules = "computation=nccl*Reduce"}, "ncclDevKernel_AllReduce") == KernelClass::computation);
  CHECK(of({.hta = true, .rules = "computation=hipfft"}, "hipfft_kernel") == KernelClass::computation);
  CHECK(of({.rules = "communication=Memcpy"}, "Memcpy DtoD") == KernelClass::memory);
}

TEST_CASE("a kernel with a collective's arguments is communication, regardless of its name") {
  const std::string_view collective = R"(, "Collective name": "allreduce", "In msg nelems": 64, "Group size": 8)";
  const auto profile =
      load_events(fmt::format("{},{},{},{},{}", on_stream("kernel", "fused_ring", collective),
                              on_stream("kernel", "copy_kernel", R"(, "Out msg nelems": 64)", 1100),
                              on_stream("kernel", "quoting", R"(, "note": "no \"Collective name\": here")", 1200),
                              on_stream("kernel", "nested", R"(, "other": {"Collective name": "x"})", 1300),
                              on_stream("gpu_memcpy", "Memcpy PtoP", collective, 1400)));
  const auto of = [&](const KernelClasses::Choice& choice, std::string_view name) {
    return class_of(*profile, choice, name);
  };
  CHECK(of({}, "fused_ring") == KernelClass::communication);
  CHECK(of({}, "copy_kernel") == KernelClass::communication);
  CHECK(of({}, "quoting") == KernelClass::computation);
  CHECK(of({}, "nested") == KernelClass::computation);
  CHECK(of({}, "Memcpy PtoP") == KernelClass::memory);
  CHECK(of({.hta = true}, "fused_ring") == KernelClass::computation);
  CHECK(of({.rules = "computation=fused"}, "fused_ring") == KernelClass::computation);
}

namespace {

std::string on_thread(int thread, std::string_view category, std::string_view name, int begin, int duration,
                      int correlation = 0) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}, "args": {{"correlation": {}}}}},)",
      category, name, thread, begin, duration, correlation);
}

std::string launched(std::string_view name, int correlation) {
  return on_stream("kernel", name, fmt::format(R"(, "correlation": {})", correlation), 5000 + 100 * correlation) + ",";
}

}  // namespace

TEST_CASE("a kernel launched inside a collective's host call is communication, regardless of its name") {
  std::string events = launched("in_params", 1) + launched("in_annotation", 2) + launched("in_c10d", 3) +
                       launched("on_other_thread", 4) + launched("after", 5) + launched("in_async", 6) +
                       launched("in_lookalike", 7) + launched("sgemm", 8) + launched("sgemm", 9) +
                       launched("below_older", 10);
  const auto launch = [&](int thread, int begin, int correlation) {
    events += on_thread(thread, "cuda_runtime", "cudaLaunchKernel", begin, 5, correlation);
  };
  events += on_thread(1, "cpu_op", "record_param_comms", 1000, 50);
  launch(1, 1010, 1);
  launch(2, 1010, 4);
  events += on_thread(1, "user_annotation", "nccl:all_reduce", 1100, 50);
  events += on_thread(1, "cpu_op", "aten::copy_", 1110, 20);
  launch(1, 1115, 2);
  events += on_thread(1, "cpu_op", "c10d::allgather_", 1200, 50);
  launch(1, 1200, 3);
  launch(1, 1250, 5);
  // Asynchronous, so it outlives the call in which it starts.
  events += on_thread(1, "cpu_op", "aten::all_to_all", 1300, 50);
  events += on_thread(1, "user_annotation", "nccl:all_to_all", 1310, 200);
  launch(1, 1400, 6);
  events += on_thread(1, "cpu_op", "my_nccl:op", 1600, 50);
  launch(1, 1610, 7);
  // Inside a call, but also inside an annotation that started before the call.
  events += on_thread(1, "cpu_op", "aten::wait", 1800, 10);
  events += on_thread(1, "user_annotation", "waiting", 1805, 45);
  events += on_thread(1, "cpu_op", "c10d::send", 1820, 80);
  launch(1, 1830, 10);
  events += on_thread(1, "cpu_op", "c10d::reduce_", 1700, 50);
  launch(1, 1710, 8);
  launch(1, 1760, 9);
  events.pop_back();
  const auto profile = load_events(events);
  const auto of = [&](std::string_view name, const KernelClasses::Choice& choice = {}) {
    return class_of(*profile, choice, name);
  };
  CHECK(of("in_params") == KernelClass::communication);
  CHECK(of("in_annotation") == KernelClass::communication);
  CHECK(of("in_c10d") == KernelClass::communication);
  CHECK(of("on_other_thread") == KernelClass::computation);
  CHECK(of("below_older") == KernelClass::communication);
  CHECK(of("after") == KernelClass::computation);
  CHECK(of("in_async") == KernelClass::computation);
  CHECK(of("in_lookalike") == KernelClass::computation);
  CHECK(of("in_params", {.hta = true}) == KernelClass::computation);
  CHECK(of("in_params", {.rules = "memory=in_par"}) == KernelClass::memory);
  // One name, two classes.
  const KernelClasses classes(*profile, {});
  const trace::Rank& rank = *profile->ranks[0];
  std::vector<KernelClass> sgemm;
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l)
    for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i)
      if (profile->names().view(rank.lanes[l].name(i)) == "sgemm")
        sgemm.push_back(classes.of(0, l, i, trace::Role::kernel));
  CHECK(sgemm == std::vector{KernelClass::communication, KernelClass::computation});
}

TEST_CASE("kernel class rules have a class and part of the name") {
  const auto rules = parse_kernel_rules(" communication = my_ring ; memory=a<b, c=d>;; ");
  REQUIRE(rules);
  REQUIRE(rules->size() == 2);
  CHECK((*rules)[0].kind == KernelClass::communication);
  CHECK((*rules)[0].pattern.matches("void my_ring_step"));
  CHECK((*rules)[1].kind == KernelClass::memory);
  CHECK((*rules)[1].pattern.matches("gather<a<b, c=d>>"));
  CHECK(parse_kernel_rules("")->empty());
  for (const std::string_view wrong : {"my_ring", "communication", "communication=", "=x", "other=x", "magic=x"}) {
    INFO(wrong);
    REQUIRE_FALSE(parse_kernel_rules(wrong));
    CHECK(parse_kernel_rules(wrong).error().where == wrong);
  }
}
