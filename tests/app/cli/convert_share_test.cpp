// Shares of a job: converted alone, they open as the whole job, whatever was lost on the way.
#include <sys/wait.h>

#include <csignal>
#include <set>

#include "core/analysis/request/registry.hpp"
#include "core/ingest/listing/share.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/environment.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

Outcome convert(const std::string& traces, const std::string& share, const fs::path& out) {
  return run({"convert", traces, "--share", share, "--out", out.string(), "--no-store"});
}

void convert_all(const std::string& traces, int shares, const fs::path& out) {
  for (int i = 1; i <= shares; ++i) {
    const Outcome one = convert(traces, std::to_string(i) + "/" + std::to_string(shares), out);
    INFO(one.err);
    REQUIRE(one.status == cli::kDone);
    CHECK_FALSE(contains(one.err, "ranks missing"));
  }
}

/// Everything that the program says about a job.
std::string answers(const std::string& path) {
  std::string all = run({"rules", path, "--no-store", "--json"}).out;
  for (const analysis::Analysis& each : analysis::analyses())
    if (!each.compares) all += run({"analyze", std::string(each.name), path, "--no-store", "--json"}).out;
  return all;
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("shards of a job give the answers of its traces", "[cli]") {
  const TestFolder folder;
  std::vector<std::string> jobs;
  write_set(folder, tracegen::generate_in_memory(small_job(2, 2)), "job");
  jobs.push_back(folder.path() / "job");
  if (const auto shared = shared_dir()) jobs.push_back(*shared / "traces/dlrm8");
  for (const std::string& job : jobs) {
    const std::string expected = answers(job);
    CHECK(expected.size() > 10'000);
    for (const int shares : {1, 3, 16}) {
      const fs::path out = folder.path() / ("shares" + std::to_string(shares) + fs::path(job).filename().string());
      convert_all(job, shares, out);
      INFO(job << ", " << shares);
      CHECK(answers(out) == expected);
    }
  }
  // Shards join into one file, and move together.
  const std::string moved = folder.path() / "moved";
  fs::rename(folder.path() / "shares3job", moved);
  const std::string joined = folder.path() / "joined.wscope";
  REQUIRE(run({"convert", moved, "--out", joined}).status == cli::kDone);
  CHECK(run({"rules", joined, "--json"}).out == run({"rules", jobs[0], "--no-store", "--json"}).out);
}

TEST_CASE("a missing or cut shard is reported, and the same command completes the job", "[cli]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job(4)), "job");
  const std::string job = folder.path() / "job";
  const fs::path out = folder.path() / "out.wscope";
  convert_all(job, 3, out);
  const std::string expected = run({"rules", job, "--no-store", "--json"}).out;
  CHECK(names_in(out) == std::set<std::string>{"001-of-003.wscope", "002-of-003.wscope", "003-of-003.wscope"});

  const fs::path second = out / "002-of-003.wscope";
  const auto written = fs::last_write_time(second);
  CHECK(contains(convert(job, "2/3", out).err, "nothing to do"));
  CHECK(fs::last_write_time(second) == written);

  fs::remove(second);
  Outcome info = run({"info", out.string(), "--json"});
  CHECK(info.status == cli::kDone);
  CHECK(contains(info.out, "shard-missing"));
  CHECK(contains(info.out, "002-of-003.wscope"));
  CHECK(contains(info.out, "ranks-missing"));

  REQUIRE(convert(job, "2/3", out).status == cli::kDone);
  fs::resize_file(second, fs::file_size(second) / 2);
  info = run({"info", out.string(), "--json"});
  CHECK(info.status == cli::kDone);
  CHECK(contains(info.out, "store-damaged"));

  REQUIRE(convert(job, "2/3", out).status == cli::kDone);
  CHECK(run({"rules", out.string(), "--json"}).out == expected);
  CHECK(convert(job, "1/4", out).status == cli::kUsage);  // the folder is of another division

  // A trace that is gone moves others to other shares.
  fs::directory_iterator traces(job);
  fs::remove(traces->path());
  convert_all(job, 3, out);
  CHECK(run({"rules", out.string(), "--json"}).out == run({"rules", job, "--no-store", "--json"}).out);
}

TEST_CASE("killed processes leave whole shards, and the next run the whole job", "[cli]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job(4)), "job");
  const std::string job = folder.path() / "job";
  const fs::path out = folder.path() / "out";
  for (int i = 1; i <= 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(convert(job, std::to_string(i) + "/4", out).status);
    REQUIRE(child > 0);
    ::usleep(static_cast<useconds_t>(3000 * i));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
  }
  convert_all(job, 4, out);
  CHECK(names_in(out).size() == 4);  // and no drafts
  CHECK(run({"rules", out.string(), "--json"}).out == run({"rules", job, "--no-store", "--json"}).out);
}

TEST_CASE("more shares than files, and wrong ones", "[cli]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job(2)), "job");
  const std::string job = folder.path() / "job";
  const fs::path out = folder.path() / "out";
  convert_all(job, 5, out);
  CHECK(names_in(out) == std::set<std::string>{"001-of-002.wscope", "002-of-002.wscope"});
  CHECK(contains(convert(job, "5/5", out).err, "nothing to do: 2 trace files for 5 shares"));
  for (const std::string wrong : {"", "0/3", "4/3", "1", "x/3", "1/", "-1/3", "auto/"}) {
    INFO(wrong);
    CHECK(convert(job, wrong, out).status == cli::kUsage);
  }
  CHECK(run({"convert", job, "--share", "1/2", "--rank", "0", "--out", out.string()}).status == cli::kUsage);
  CHECK(convert(job, "1/2", folder.write("file", "x")).status == cli::kUsage);
}

TEST_CASE("a launcher's place is a share", "[cli]") {
  const auto share = [](std::string_view text, std::map<std::string, const char*> set) {
    return ingest::parse_share(text, [&](const char* name) {
      const auto found = set.find(name);
      return found == set.end() ? nullptr : found->second;
    });
  };
  using ingest::Share;
  CHECK(*share("auto", {{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "16"}}) == Share{3, 16});
  CHECK(*share("auto", {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"SLURM_PROCID", "0"}}) ==
        Share{1, 4});
  CHECK(*share("auto", {{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}}) == Share{4, 4});
  CHECK(*share("auto", {{"SLURM_ARRAY_TASK_ID", "7"},
                        {"SLURM_ARRAY_TASK_MIN", "5"},
                        {"SLURM_ARRAY_TASK_COUNT", "8"},
                        {"SLURM_PROCID", "0"},
                        {"SLURM_NTASKS", "1"}}) == Share{3, 8});
  CHECK(*share("auto/8", {{"JOB_COMPLETION_INDEX", "7"}}) == Share{8, 8});
  CHECK(contains(share("auto", {{"JOB_COMPLETION_INDEX", "7"}}).error().message(), "--share auto/16"));
  CHECK_FALSE(share("auto/8", {{"JOB_COMPLETION_INDEX", "8"}}));
  CHECK(contains(share("auto", {}).error().message(), "--share 3/16"));
}

TEST_CASE("shares are disjoint, complete and of similar size", "[cli]") {
  std::vector<trace::SourceFile> files(100);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i].path = std::to_string(i);
    files[i].size = 1000 + i * i % 37 * 100;
    total += files[i].size;
  }
  for (const std::size_t of : {1, 3, 16, 100, 200}) {
    std::set<std::string> seen;
    for (std::size_t number = 1; number <= of; ++number) {
      std::uint64_t bytes = 0;
      for (const auto& file : ingest::sources_of({number, of}, files)) {
        CHECK(seen.insert(file.path).second);
        bytes += file.size;
      }
      if (of <= 16) CHECK(bytes <= total / of + 5000);
    }
    CHECK(seen.size() == files.size());
  }
}
