// SageMaker files recognized by name.
#include "core/ingest/listing/debugger_files.hpp"

#include "tests/catch.hpp"

using namespace warpscope::ingest;

TEST_CASE("files of SageMaker Profiler are recognized by process id and time in their names") {
  CHECK(is_sealed_file("smpfile_123_1700000000.raw"));
  CHECK(is_sealed_file("/job/profiler-output/smpfile_1_2.raw"));
  for (const char* other : {"smpfile_123_.raw", "smpfile__1700000000.raw", "smpfile_123.raw", "smpfile_123-4.raw",
                            "smpfile_123_4.json", "my_smpfile_123_4.raw"})
    CHECK_FALSE(is_sealed_file(other));
}
