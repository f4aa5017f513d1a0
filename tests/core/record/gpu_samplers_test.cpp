// GPU samplers, tested with a library that replaces the drivers' libraries.
#include "core/record/gpu/gpu_samplers.hpp"

#include "tests/catch.hpp"
#include "tests/core/record/samples.hpp"
#include "tests/environment.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct GpuLibrary {
  const char* name;
  std::unique_ptr<record::Sampler> (*sampler)(const record::Say&, std::initializer_list<const char*>,
                                              const std::string&);
};

constexpr GpuLibrary kGpuLibraries[]{{"NVML", record::nvml_sampler}, {"ROCm SMI", record::rocm_sampler}};

}  // namespace

TEST_CASE("GPU samplers report utilization and memory", "[record]") {
  for (const GpuLibrary& library : kGpuLibraries) {
    Said said;
    const auto sampler = library.sampler(said.say(), {"libdoesnotexist.so", WARPSCOPE_STAND_IN_GPU}, "");
    REQUIRE(sampler);
    CHECK(sampled(*sampler, 0) == SampledValues{{"gpu/gpu0/GPUUtilization", 10},
                                                {"gpu/gpu0/GPUMemoryUtilization", 25},
                                                {"gpu/gpu1/GPUUtilization", 20},
                                                {"gpu/gpu1/GPUMemoryUtilization", 25}});
    CHECK(said.texts.empty());
  }
}

TEST_CASE("a missing GPU library is not a problem", "[record]") {
  Said said;
  for (const GpuLibrary& library : kGpuLibraries)
    CHECK(library.sampler(said.say(), {"libdoesnotexist.so"}, "") == nullptr);
  const Variable none("STAND_IN_GPUS", "0");
  for (const GpuLibrary& library : kGpuLibraries)
    CHECK(library.sampler(said.say(), {WARPSCOPE_STAND_IN_GPU}, "") == nullptr);
  CHECK(said.texts.empty());
}

TEST_CASE("a driver without its library is reported", "[record]") {
  const TestFolder folder;
  const std::string device = folder.write("device", "");
  for (const GpuLibrary& library : kGpuLibraries) {
    Said said;
    CHECK(library.sampler(said.say(), {"libdoesnotexist.so"}, device) == nullptr);
    REQUIRE(said.texts.size() == 1);
    CHECK(said.texts.front().find("GPUs are not recorded: " + std::string(library.name) + " (") != std::string::npos);
  }
}

TEST_CASE("an unrelated library gives no GPU samples", "[record]") {
  for (const GpuLibrary& library : kGpuLibraries) {
    Said said;
    CHECK(library.sampler(said.say(), {"libc.so.6"}, "") == nullptr);
    REQUIRE(said.texts.size() == 1);
    CHECK(said.texts.front().find("lacks required functions") != std::string::npos);
  }
}

TEST_CASE("a GPU library that does not start is reported", "[record]") {
  for (const char* failing : {"init", "count"}) {
    const Variable error("STAND_IN_ERROR", failing);
    for (const GpuLibrary& library : kGpuLibraries) {
      Said said;
      CHECK(library.sampler(said.say(), {WARPSCOPE_STAND_IN_GPU}, "") == nullptr);
      REQUIRE(said.texts.size() == 1);
      CHECK(said.texts.front().find("GPUs are not recorded: " + std::string(library.name)) != std::string::npos);
      CHECK(said.texts.front().find("Not Supported") != std::string::npos);
    }
  }
}

TEST_CASE("values that a GPU does not provide are reported once", "[record]") {
  for (const GpuLibrary& library : kGpuLibraries) {
    Said said;
    const auto sampler = library.sampler(said.say(), {WARPSCOPE_STAND_IN_GPU}, "");
    REQUIRE(sampler);
    const Variable error("STAND_IN_ERROR", "utilization");  // as on a GPU partitioned into instances
    for (int i = 0; i < 3; ++i)
      CHECK(sampled(*sampler, 0) ==
            SampledValues{{"gpu/gpu0/GPUMemoryUtilization", 25}, {"gpu/gpu1/GPUMemoryUtilization", 25}});
    CHECK(said.texts ==
          std::vector<std::string>{std::string(library.name) + " cannot read the utilization of gpu0: Not Supported",
                                   std::string(library.name) + " cannot read the utilization of gpu1: Not Supported"});
  }
}
