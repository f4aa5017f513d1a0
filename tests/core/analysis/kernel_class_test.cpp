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

std::string on_stream(std::string_view category, std::string_view name) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "tid": 7, "ts": 1000, "dur": 10,
          "args": {{"device": 0, "stream": 7}}}})",
      category, name);
}

}  // namespace

TEST_CASE("a name's class is the trace's, HTA's or the user's") {
  const auto profile =
      load_events(fmt::format("{},{},{},{},{}", on_stream("kernel", "deep_ep::dispatch"),
                              on_stream("kernel", "ncclDevKernel_AllReduce"), on_stream("kernel", "my_ring_step"),
                              on_stream("kernel", "hipfft_kernel"), on_stream("gpu_memcpy", "Memcpy DtoD")));
  const auto of = [&](const KernelClasses::Choice& choice, std::string_view name, trace::Role role) {
    const KernelClasses classes(*profile, choice);
    for (NameId id = 0; id < profile->names().size(); ++id)
      if (profile->names().view(id) == name) return classes.of(id, role);
    FAIL("no such name: " << name);
    return KernelClass::other;
  };
  using trace::Role;
  CHECK(of({}, "deep_ep::dispatch", Role::kernel) == KernelClass::communication);
  CHECK(of({}, "ncclDevKernel_AllReduce", Role::kernel) == KernelClass::communication);
  CHECK(of({}, "my_ring_step", Role::kernel) == KernelClass::computation);
  CHECK(of({}, "hipfft_kernel", Role::kernel) == KernelClass::computation);
  CHECK(of({}, "Memcpy DtoD", Role::memory_copy) == KernelClass::memory);
  CHECK(of({.hta = true}, "deep_ep::dispatch", Role::kernel) == KernelClass::computation);
  CHECK(of({.hta = true}, "hipfft_kernel", Role::kernel) == KernelClass::communication);
  CHECK(of({.communication = "other*, my_ring_*"}, "my_ring_step", Role::kernel) == KernelClass::communication);
  CHECK(of({.communication = "my_ring"}, "my_ring_step", Role::kernel) == KernelClass::computation);
}
