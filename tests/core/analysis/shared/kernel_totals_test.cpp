#include "core/analysis/shared/kernel_totals.hpp"

#include "core/analysis/shared/memory_operation.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::analysis;

TEST_CASE("top kernels and others add up to all kernels") {
  const std::vector<KernelTotal> kernels{{1, 50, 5}, {2, 30, 1}, {3, 10, 9}, {4, 5, 2}};
  const TopKernels two = top_kernels(kernels, 2);
  CHECK(two.top.size() == 2);
  CHECK(two.sum.total == 80);
  CHECK(two.sum.count == 6);
  CHECK(two.other_names == 2);
  CHECK(two.others.total == 15);
  CHECK(two.others.count == 11);
  for (const std::int64_t k : {0, 4, 99}) {
    const TopKernels all = top_kernels(kernels, k);
    CHECK(all.top.size() == 4);
    CHECK(all.other_names == 0);
    CHECK(all.sum.total == 95);
  }
  CHECK(top_kernels({}, 15).top.empty());
}

TEST_CASE("memcpy direction is recognized in the names of every vendor") {
  const auto direction = [](std::string_view name) { return to_string(copy_direction(name)); };
  CHECK(direction("Memcpy HtoD (Pageable -> Device)") == "HtoD");
  CHECK(direction("Memcpy DtoH (Device -> Pinned)") == "DtoH");
  CHECK(direction("Memcpy DtoD (Device -> Device)") == "DtoD");
  CHECK(direction("Memcpy PtoP (Device -> Device)") == "PtoP");
  CHECK(direction("Memcpy HtoH (Pageable -> Pageable)") == "HtoH");
  CHECK(direction("CopyHostToDevice") == "HtoD");
  CHECK(direction("hipMemcpyDeviceToHost") == "DtoH");
  CHECK(direction("Memcpy HtoA (Pageable -> Array)") == "other copy");
  CHECK(direction("") == "other copy");
}
