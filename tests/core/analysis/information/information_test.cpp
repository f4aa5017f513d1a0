// The tables of the Information page, on real traces.
#include "core/analysis/information/information.hpp"

#include <filesystem>
#include <set>

#include "core/analysis/information/profile_summary.hpp"
#include "core/analysis/information/rank_values.hpp"
#include "core/ingest/load/loader.hpp"
#include "tests/catch.hpp"
#include "tests/find_column.hpp"
#include "tests/load_profile.hpp"
#include "tests/shared_dir.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::analysis;

namespace {

std::shared_ptr<const trace::Profile> load_shared(const char* name) {
  const auto shared = tests::shared_dir();
  if (!shared) {
    WARN("skipped: the folder with real traces is not there");
    return nullptr;
  }
  auto profile = tests::load_profile((*shared / "traces" / name).string(), {.threads = 2});
  REQUIRE(profile);
  return *profile;
}

/// Text of `column` in the first row whose first cell is `name`; "(none)" if there is none.
std::string told(const Table& table, std::string_view name, std::size_t column = 1) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(row, 0).text() == name) return std::string(table.at(row, column).text());
  return "(none)";
}

}  // namespace

TEST_CASE("memory use is formatted consistently") {
  constexpr std::size_t kMiB = 1u << 20;
  CHECK(MemoryUse{24 * kMiB, 24 * kMiB}.text() == "24.0 MiB");
  CHECK(MemoryUse{25 * kMiB, 24 * kMiB}.text() == "25.0 MiB");  // includes spare capacity
  CHECK(MemoryUse{kMiB, 24 * kMiB}.text() == "1.00 MiB of 24.0 MiB loaded");
  const auto profile = load_shared("sampled2");
  if (!profile) return;
  CHECK(memory_use(*profile).now == profile->resident_bytes());
  CHECK(told(overview_table(*profile), "Memory") == memory_use(*profile).text());
}

TEST_CASE("numbers are listed as ranges") {
  CHECK(number_ranges({}).empty());
  CHECK(number_ranges({3}) == "3");
  CHECK(number_ranges({0, 1}) == "0, 1");
  CHECK(number_ranges({0, 1, 2, 5, 7, 8, 9}) == "0–2, 5, 7–9");
  CHECK(number_ranges({-1, 0, 1}) == "-1–1");
}

TEST_CASE("values that ranks agree on are listed once") {
  RankValues values;
  values.add("cuda", "12.4", 0);
  values.add("nccl", "2.22", 0);
  values.add("cuda", "12.1", 1);
  values.add("cuda", "12.4", 2);
  const auto rows = values.rows();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].value == "12.1");
  CHECK(rows[1].ranks == std::set<std::int64_t>{0, 2});
  CHECK(rows[2].name == "nccl");
}

TEST_CASE("information about eight ranks of a recommender") {
  const auto profile = load_shared("dlrm8");
  if (!profile) return;
  const Table overview = overview_table(*profile);
  CHECK(told(overview, "Ranks") == "8");
  CHECK(told(overview, "GPUs") == "8 × Tesla V100-SXM2-32GB");
  CHECK(told(overview, "Communication") == "nccl");
  const Table devices = devices_table(*profile);
  CHECK(devices.rows() == 8);
  CHECK(devices.at(0, *find_column(devices, "memory")).integer() == 34'079'899'648);
  CHECK(devices.at(0, *find_column(devices, "compute capability")).text() == "7.0");
  CHECK(devices.at(7, *find_column(devices, "multiprocessors")).integer() == 80);
  CHECK(told(profiler_options_table(*profile), "Input shapes (record_shapes)") == "on");
  CHECK(told(software_table(*profile), "Trace format", 3) == "all");
  const Table groups = process_groups_table(*profile);
  REQUIRE(groups.rows() == 1);
  CHECK(groups.at(0, 3).integer() == 8);
  const Table files = files_table(*profile);
  REQUIRE(files.rows() == 8);
  CHECK(files.at(0, *find_column(files, "read")).text() == "complete");
  CHECK(job_table(*profile).rows() == 0);
  CHECK(job_table(*profile).note.find("describe-training-job") != std::string::npos);
}

TEST_CASE("information about an AMD trace") {
  const auto profile = load_shared("mi300_resnet_ddp");
  if (!profile) return;
  const Table software = software_table(*profile);
  CHECK(told(software, "HIP runtime") == "6.4.43483");
  CHECK(told(software, "NCCL") == "2.22.3");
  CHECK(told(software, "roctracer") == "4.1");
  const Table groups = process_groups_table(*profile);
  REQUIRE(groups.rows() == 1);
  CHECK(groups.at(0, 1).text() == "default_pg");
  CHECK(groups.at(0, 4).text() == "0–7");
  CHECK(told(profiler_options_table(*profile), "Python stacks (with_stack)") == "on");
  CHECK(told(overview_table(*profile), "Ranks") == "1 of 8");
}

TEST_CASE("information about an inference trace with custom metadata") {
  const auto profile = load_shared("h100_inference");
  if (!profile) return;
  CHECK(told(software_table(*profile), "CUDA runtime") == "12.4");
  CHECK(told(software_table(*profile), "CUDA driver") == "12.9");
  const Table metadata = metadata_table(*profile);
  CHECK(told(metadata, "metadata.profiler.repeats") == "1");
  CHECK(told(metadata, "metadata.system.uname.system") == "Linux");
  for (const char* name : {"Allocations (profile_memory)", "Modules (with_modules)"})
    CHECK(told(profiler_options_table(*profile), name) == "on");
}

TEST_CASE("information about a host-only trace") {
  const auto profile = load_shared("cpu_only");
  if (!profile) return;
  CHECK(devices_table(*profile).rows() == 0);
  CHECK_FALSE(devices_table(*profile).note.empty());
  CHECK(process_groups_table(*profile).rows() == 11);
  CHECK(told(process_groups_table(*profile), "0", 4) == "0–299");
  CHECK(told(overview_table(*profile), "Ranks") == "1 of 300");
  CHECK(told(metadata_table(*profile), "INFO").find("CuptiActivityProfiler") != std::string::npos);
}

TEST_CASE("the values of job documents are listed with their files") {
  const tests::TestFolder folder;
  folder.write("rank0.json", R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7,
    "ts": 100, "dur": 10, "args": {"device": 0, "stream": 7}}], "deviceProperties": "none", "pg": 7})");
  folder.write("job.json", R"({"HyperParameters": {"lr": "0.1"}, "TrainingJobName": "a", "CreationTime": 1596668565,
    "Tags": 3, "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1}})");
  const auto loaded = tests::load_profile(folder.path().string(), {.threads = 1});
  REQUIRE(loaded);
  const trace::Profile& profile = **loaded;
  const Table job = job_table(profile);
  REQUIRE(job.rows() == 6);
  CHECK(told(job, "HyperParameters.lr") == "0.1");
  CHECK(told(job, "CreationTime") == "2020-08-05 23:02:45 UTC");
  CHECK(told(job, "ResourceConfig.InstanceType", 2) == "job.json");
  CHECK(told(overview_table(profile), "Job") == "a");
  CHECK(told(overview_table(profile), "Instances") == "1 × ml.g5.xlarge");
  CHECK(files_table(profile).rows() == 2);
  CHECK(devices_table(profile).rows() == 1);
  std::set<std::string> ids;
  for (const Table& table : information_tables(profile)) {
    CHECK(ids.insert(table.id).second);
    CHECK_FALSE(table.title.empty());
  }
}
