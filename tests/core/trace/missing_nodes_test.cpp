// Nodes of a job without system metrics.
#include <fmt/format.h>

#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// The example of the diagnostic for a job with system metrics of these nodes; "" without it.
std::string missing_of(const std::vector<int>& nodes, int instances = 0) {
  const TestFolder folder;
  for (const int node : nodes)
    folder.write(
        fmt::format("system/incremental/2026071003/1783653720.algo-{}.json", node),
        fmt::format(R"({{"Type":"gpu","Name":"gpu0","Dimension":"GPUUtilization","Value":1,"NodeId":"algo-{}",)"
                    R"("Timestamp":1783653721.0}})"
                    "\n",
                    node));
  if (instances > 0)
    folder.write("job.json", fmt::format(R"({{"TrainingJobName": "job", "TrainingJobArn": "arn", "TrainingJobStatus":)"
                                         R"( "Completed", "ResourceConfig": {{"InstanceType": "ml.p4d.24xlarge",)"
                                         R"( "InstanceCount": {}}}}})",
                                         instances));
  const auto profile = load(folder.path());
  for (const Diagnostic& one : profile->diagnostics.all())
    if (one.code == "nodes-missing") return fmt::format("{} ({})", one.example, one.count);
  return "";
}

}  // namespace

TEST_CASE("missing nodes are inferred from the numbers of the others") {
  CHECK(missing_of({1, 2}).empty());
  CHECK(missing_of({1, 3, 5}) == "algo-2, algo-4 of 5 (2)");
  CHECK(missing_of({9}) == "algo-1, algo-2, algo-3, algo-4, algo-5, algo-6, … of 9 (8)");
}

TEST_CASE("missing nodes are inferred from the job's configuration") {
  CHECK(missing_of({1, 2}, 2).empty());
  CHECK(missing_of({1, 2}, 4) == "algo-3, algo-4 of 4 (2)");
}

TEST_CASE("a clock that runs backward is reported and its samples are sorted") {
  const auto reversed = [](const char* second) {
    const TestFolder folder;
    std::string text;
    for (const char* const time : {"1783653721.0", second, "1783653722.0"})
      text += fmt::format(
          R"({{"Type":"gpu","Name":"gpu0","Dimension":"GPUUtilization","Value":1,"NodeId":"algo-1","Timestamp":{}}})"
          "\n",
          time);
    folder.write("system/incremental/2026071003/1783653720.algo-1.json", text);
    const auto profile = load(folder.path());
    CHECK(profile->metrics.front()->samples() == 3);
    return profile->diagnostics.count("metrics-clock-reversed");
  };
  CHECK(reversed("1783653721.5") == 0);
  CHECK(reversed("1783653720.5") == 1);
}
