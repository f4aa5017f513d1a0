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

fs::path shard_in(const fs::path& folder, const std::string& begin) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(begin)) return entry.path();
  return {};
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
  CHECK(names_in(out).size() == 3);
  const fs::path second = shard_in(out, "002-of-003-");
  const auto written = fs::last_write_time(second);
  CHECK(contains(convert(job, "2/3", out).err, "nothing to do"));
  CHECK(fs::last_write_time(second) == written);

  fs::remove(second);
  Outcome info = run({"info", out.string(), "--json"});
  CHECK(info.status == cli::kDone);
  CHECK(contains(info.out, "shard-missing"));
  CHECK(contains(info.out, second.filename().string()));
  CHECK(contains(info.out, "ranks-missing"));

  REQUIRE(convert(job, "2/3", out).status == cli::kDone);
  fs::resize_file(second, fs::file_size(second) / 2);
  info = run({"info", out.string(), "--json"});
  CHECK(info.status == cli::kDone);
  CHECK(contains(info.out, "store-damaged"));

  REQUIRE(convert(job, "2/3", out).status == cli::kDone);
  CHECK(run({"rules", out.string(), "--json"}).out == expected);
  std::fstream(second, std::ios::in | std::ios::out | std::ios::binary).seekp(200).write("damage", 6);
  CHECK_FALSE(contains(convert(job, "2/3", out).err, "nothing to do"));
  CHECK(run({"rules", out.string(), "--json"}).out == expected);

  // What others leave in the folder.
  const std::string draft = second.string() + ".tmp-AbCdEf";
  std::ofstream(draft) << read_whole(second);
  fs::copy_file(second, out / "other.wscope");
  CHECK(run({"rules", out.string(), "--json"}).out == expected);
  CHECK(contains(run({"info", out.string(), "--json"}).out, "other.wscope"));
  fs::remove(second);
  REQUIRE(convert(job, "2/3", out).status == cli::kDone);
  CHECK_FALSE(fs::exists(draft));
}

TEST_CASE("shards of different files or divisions do not mix", "[cli]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job(4)), "job");
  const std::string job = folder.path() / "job";
  const fs::path out = folder.path() / "out";
  convert_all(job, 3, out);
  const Outcome four = convert(job, "1/4", out);
  CHECK(four.status == cli::kUsage);
  CHECK(contains(four.err, "is one of 3 shares"));
  const fs::path trace = fs::directory_iterator(job)->path();
  const std::string text = read_whole(trace);
  std::ofstream(trace) << text.substr(0, text.size() / 2);  // only its share is converted again
  convert_all(job, 3, out);
  CHECK(run({"rules", out.string(), "--json"}).out == run({"rules", job, "--no-store", "--json"}).out);
  fs::remove(trace);
  const Outcome fewer = convert(job, "1/3", out);
  CHECK(fewer.status == cli::kUsage);
  CHECK(contains(fewer.err, "files were added or removed"));
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
  CHECK(names_in(out).size() == 2);
  CHECK_FALSE(shard_in(out, "002-of-002-").empty());
  CHECK(contains(convert(job, "5/5", out).err, "nothing to do: 2 trace files for 5 shares"));
  for (const std::string wrong : {"", "0/3", "4/3", "1", "x/3", "1/", "-1/3", "auto/"}) {
    INFO(wrong);
    CHECK(convert(job, wrong, out).status == cli::kUsage);
  }
  CHECK(run({"convert", job, "--share", "1/2", "--rank", "0", "--out", out.string()}).status == cli::kUsage);
  CHECK(convert(job, "1/2", folder.write("file", "x")).status == cli::kUsage);
  CHECK(convert(job, "1/2", folder.path() / "part.json").status == cli::kUsage);
  const fs::path first = shard_in(out, "001-of-002-");
  std::ofstream(first) << "notes";
  CHECK(convert(job, "1/2", out).status == cli::kUsage);
  CHECK(read_whole(first) == "notes");
}

TEST_CASE("a launcher's place is a share", "[cli]") {
  const auto share = [](std::string_view text, std::map<std::string, const char*> set) {
    return ingest::parse_share(text, [&](const char* name) {
      const auto found = set.find(name);
      return found == set.end() ? nullptr : found->second;
    });
  };
  using ingest::Share;
  CHECK(*share("auto", {{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "16"}, {"SLURM_STEP_ID", "0"}}) == Share{3, 16});
  const auto script = share("auto", {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "16"}, {"SLURM_STEP_ID", "4294967291"}});
  CHECK(contains(script.error().message(), "srun"));
  CHECK(*share("auto", {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"SLURM_PROCID", "0"}}) ==
        Share{1, 4});
  CHECK(*share("auto", {{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}}) == Share{4, 4});
  const auto array = [&](std::string_view text, const char* task, const char* first, const char* last,
                         const char* count) {
    return share(text, {{"SLURM_ARRAY_TASK_ID", task},
                        {"SLURM_ARRAY_TASK_MIN", first},
                        {"SLURM_ARRAY_TASK_MAX", last},
                        {"SLURM_ARRAY_TASK_COUNT", count},
                        {"SLURM_PROCID", "0"},
                        {"SLURM_NTASKS", "1"}});
  };
  CHECK(*array("auto", "7", "5", "12", "8") == Share{3, 8});
  CHECK(*array("auto/16", "7", "7", "7", "1") == Share{7, 16});  // run again
  CHECK(contains(array("auto/16", "0", "0", "15", "16").error().message(), "--array=1-16"));
  CHECK(contains(array("auto", "7", "1", "7", "4").error().message(), "gaps"));
  CHECK(*share("auto/8", {{"JOB_COMPLETION_INDEX", "7"}}) == Share{8, 8});
  CHECK(contains(share("auto", {{"JOB_COMPLETION_INDEX", "7"}}).error().message(), "--share auto/16"));
  CHECK_FALSE(share("auto/8", {{"JOB_COMPLETION_INDEX", "8"}}));
  CHECK(contains(share("auto", {}).error().message(), "--share 3/16"));
}

TEST_CASE("shares are disjoint, complete and equal in number", "[cli]") {
  std::vector<trace::SourceFile> files(100);
  for (std::size_t i = 0; i < files.size(); ++i) files[i].path = "/traces/" + std::to_string(i);
  for (const std::size_t of : {1, 3, 16, 100, 200}) {
    std::set<std::string> seen;
    for (std::size_t number = 1; number <= of; ++number) {
      const auto own = ingest::sources_of({number, of}, "/traces", files);
      CHECK(own.size() <= (files.size() + of - 1) / of);
      for (const auto& file : own) CHECK(seen.insert(file.path).second);
    }
    CHECK(seen.size() == files.size());
  }
}
