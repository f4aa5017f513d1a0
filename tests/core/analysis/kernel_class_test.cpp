// What counts as communication, computation and memory: ours, HTA's, and a user's.
#include "core/analysis/kernel_class.hpp"

#include <fmt/format.h>

#include <map>

#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

TEST_CASE("HTA's classes go by the first of its expressions that matches") {
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

/// The class of the slice of that name on the profile's streams.
KernelClass class_of(const trace::Profile& profile, const KernelClasses::Choice& choice, std::string_view name) {
  const KernelClasses classes(profile, choice);
  const trace::Rank& rank = *profile.ranks[0];
  for (const trace::Lane& lane : rank.lanes)
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (profile.names().view(lane.name(i)) == name)
        return classes.of(lane, i, profile.categories().role(lane.category(i)));
  FAIL("no such name: " << name);
  return KernelClass::other;
}

}  // namespace

TEST_CASE("a kernel's class is the trace's, HTA's or the user's") {
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
  CHECK(of({.communication = "other*, my_ring_*"}, "my_ring_step") == KernelClass::communication);
  CHECK(of({.communication = "my_ring"}, "my_ring_step") == KernelClass::computation);
  CHECK(of({.rules = "communication=other;communication=my_ring"}, "my_ring_step") == KernelClass::communication);
  CHECK(of({.rules = "memory=ring_s; communication=my_ring"}, "my_ring_step") == KernelClass::memory);
  CHECK(of({.rules = "computation=nccl*Reduce"}, "ncclDevKernel_AllReduce") == KernelClass::computation);
  CHECK(of({.hta = true, .rules = "computation=hipfft"}, "hipfft_kernel") == KernelClass::computation);
  CHECK(of({.rules = "communication=Memcpy"}, "Memcpy DtoD") == KernelClass::memory);
}

TEST_CASE("a kernel with a collective's arguments communicates, whatever it is called") {
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

TEST_CASE("rules for kernels are read with a class and a part of the names") {
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
