// Counts of profiles of the real traces match a plain JSON reader (the table in their README).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/analysis/information/profile_summary.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/load/loader.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/tracegen/naive_reader.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

struct ReadmeRow {
  std::string file;
  std::uint64_t events = 0;
  std::uint64_t complete = 0;
  std::uint64_t kernels = 0;
  std::uint64_t memory = 0;
  std::uint64_t calls = 0;
  std::uint64_t linked = 0;
  std::uint64_t streams = 0;
  std::uint64_t steps = 0;
  std::string rank_and_world;
};

// Rows "| file | bytes | events | X | kernels | memcpy+memset | runtime+driver | runs linked | streams | steps |
// rank/world | device |".
std::vector<ReadmeRow> read_table(const fs::path& readme) {
  std::vector<ReadmeRow> rows;
  std::ifstream in(readme);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ") || line.find(".json") == std::string::npos) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line.substr(1));
    for (std::string cell; std::getline(parts, cell, '|');) {
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    if (cells.size() < 11) continue;
    const auto number = [&](std::size_t i) { return static_cast<std::uint64_t>(std::stoull(cells[i])); };
    rows.push_back(
        {cells[0], number(2), number(3), number(4), number(5), number(6), number(7), number(8), number(9), cells[10]});
  }
  return rows;
}

std::uint64_t count_of(const analysis::ProfileSummary& summary, std::initializer_list<const char*> categories) {
  std::uint64_t sum = 0;
  for (const char* category : categories)
    if (const auto found = summary.slices_by_category.find(category); found != summary.slices_by_category.end())
      sum += found->second;
  return sum;
}

std::string text_of(const std::string& path) {
  auto stream = ingest::open_byte_stream(path);
  REQUIRE(stream.ok());
  std::string text;
  std::vector<char> block(1 << 20);
  for (;;) {
    const auto got = (*stream)->read(block);
    REQUIRE(got.ok());
    if (*got == 0) return text;
    text.append(block.data(), *got);
  }
}

/// Activity that accelerators record in their own categories, which the table omits; also counted by a plain JSON
/// reader.
struct JobCounts {
  std::uint64_t runs = 0;
  std::uint64_t linked = 0;
  std::uint64_t streams = 0;  ///< includes threads of jobs that are on no stream
};

JobCounts jobs_in(std::string_view file) {
  return file.starts_with("mtia") ? JobCounts{25'814, 3'453, 3} : JobCounts{};
}

#define REQUIRE_SHARED(name)                                      \
  const auto name = tests::shared_dir();                          \
  if (!name) {                                                    \
    WARN("skipped: the folder with the real traces is not here"); \
    return;                                                       \
  }

}  // namespace

TEST_CASE("each real trace has the counts of its table") {
  REQUIRE_SHARED(shared);
  const auto rows = read_table(*shared / "traces" / "README.md");
  REQUIRE(rows.size() > 20);
  for (const ReadmeRow& row : rows) {
    INFO(row.file);
    const auto profile = load(*shared / "traces" / row.file);
    const analysis::ProfileSummary summary = analysis::summarize(*profile);
    CHECK(summary.events == row.events);
    CHECK(summary.slices == row.complete);
    CHECK(count_of(summary, {"kernel", "Kernel"}) == row.kernels);
    CHECK(count_of(summary, {"gpu_memcpy", "gpu_memset", "Memcpy", "Memset"}) == row.memory);
    CHECK(count_of(summary, {"cuda_runtime", "cuda_driver", "Runtime"}) == row.calls);
    const JobCounts jobs = jobs_in(row.file);
    CHECK(summary.runs == row.kernels + row.memory + jobs.runs);
    CHECK(summary.connections == row.linked + jobs.linked);
    CHECK(summary.streams == row.streams + jobs.streams);
    CHECK(summary.steps == row.steps);
    CHECK(summary.ranks == 1);
    const std::string rank = row.rank_and_world.substr(0, row.rank_and_world.find('/'));
    if (rank != "-") CHECK(std::to_string(profile->ranks[0]->number) == rank);
    const std::string world = row.rank_and_world.substr(row.rank_and_world.find('/') + 1);
    if (world != "-") CHECK(std::to_string(profile->ranks[0]->world_size) == world);
    if (summary.slices > 10000) CHECK(summary.bytes_per_slice() < 40);
  }
}

TEST_CASE("sets of real traces have the sums of their files, on the right nodes") {
  REQUIRE_SHARED(shared);
  std::map<std::string, ReadmeRow> sums;
  std::map<std::string, std::size_t> files;
  for (const ReadmeRow& row : read_table(*shared / "traces" / "README.md")) {
    const std::string set = row.file.substr(0, row.file.find('/'));
    ReadmeRow& sum = sums[set];
    sum.events += row.events;
    sum.complete += row.complete;
    sum.linked += row.linked;
    sum.streams += row.streams;
    sum.kernels += row.kernels + row.memory;
    ++files[set];
  }
  for (const auto& [set, sum] : sums) {
    if (set == "memory_timeline") continue;  // no trace
    INFO(set);
    const auto profile = load(*shared / "traces" / set);
    const analysis::ProfileSummary summary = analysis::summarize(*profile);
    CHECK(profile->ranks.size() == files[set]);
    CHECK(summary.events == sum.events);
    CHECK(summary.slices == sum.complete);
    const JobCounts jobs = jobs_in(set);
    CHECK(summary.runs == sum.kernels + jobs.runs);
    CHECK(summary.connections == sum.linked + jobs.linked);
    CHECK(summary.streams == sum.streams + jobs.streams);
  }
  const auto dlrm = load(*shared / "traces" / "dlrm8");
  REQUIRE(dlrm->nodes.size() == 1);
  CHECK(dlrm->nodes[0].gpus == 8);
  CHECK(dlrm->nodes[0].label == "algo-1");
  CHECK(dlrm->gpus == 8);
  const auto sampled = load(*shared / "traces" / "sampled2");
  REQUIRE(sampled->nodes.size() == 1);
  CHECK(sampled->nodes[0].gpus == 2);
}

TEST_CASE("utilization of real traces is the union of kernels, memcpys and memsets") {
  REQUIRE_SHARED(shared);
  if (sanitized()) return;  // compares values of profiles that the first case loads
  // An AMD trace with two streams, some with many overlapping streams, and two with GPU annotations on the streams.
  for (const char* set : {"mi300_resnet_ddp", "dlrm8", "ns_resolution", "amd_mi250", "sampled2"}) {
    INFO(set);
    const auto profile = load(*shared / "traces" / set);
    for (const auto& rank : profile->ranks) {
      INFO(rank->source.path);
      // Rereads the file with another reader and sweeps over starts and ends: busy while any slice is open.
      std::map<std::int64_t, std::vector<std::pair<Ns, int>>> edges;
      for (const tests::NaiveSlice& slice : tests::naive_read(text_of(rank->source.path)).slices) {
        if (!slice.run() || !slice.possible()) continue;
        edges[slice.pid].emplace_back(slice.begin, -1);
        edges[slice.pid].emplace_back(slice.end(), 1);
      }
      REQUIRE(edges.size() == rank->devices.size());
      for (const trace::Device& device : rank->devices) {
        auto& of_device = edges.at(device.id);
        std::sort(of_device.begin(), of_device.end());
        Ns expected = 0;
        int open = 0;
        for (std::size_t i = 0; i < of_device.size(); ++i) {
          if (open > 0) expected += of_device[i].first - of_device[i - 1].first;
          open -= of_device[i].second;
        }
        REQUIRE(expected > 0);
        CHECK(device.busy.get().busy(rank->span.begin, rank->span.end) == expected);
      }
    }
  }
}

TEST_CASE("memcpys of real traces have their bytes") {
  REQUIRE_SHARED(shared);
  if (sanitized()) return;  // also compares values
  // The older AMD trace does not record bytes.
  const std::pair<const char*, bool> sets[] = {
      {"mi300_resnet_ddp", true}, {"v100_5steps", true}, {"dlrm8", true},
      {"ns_resolution", true},    {"amd_mi250", false},  {"resnet50_torch1.9", true}};
  for (const auto& [set, says] : sets) {
    INFO(set);
    const auto profile = load(*shared / "traces" / set);
    std::size_t found = 0;
    for (const auto& rank : profile->ranks) {
      std::multimap<std::pair<Ns, std::string>, std::int64_t> expected;
      for (const tests::NaiveSlice& slice : tests::naive_read(text_of(rank->source.path)).slices)
        if (slice.run() && slice.bytes >= 0) expected.emplace(std::pair(slice.begin, slice.name), slice.bytes);
      CHECK(rank->transfers.size() == expected.size());
      for (const trace::SliceOrdinal slice : rank->transfers.slices()) {
        const std::string name(profile->names().view(rank->name(slice)));
        const auto [first, last] = expected.equal_range({rank->begin(slice), name});
        const auto same = std::find_if(first, last, [&](const auto& entry) {
          return static_cast<std::uint64_t>(entry.second) == *rank->bytes(slice);
        });
        REQUIRE(same != last);
        expected.erase(same);
      }
      found += rank->transfers.size();
    }
    CHECK((found > 0) == says);
  }
}

TEST_CASE("all slices of real traces are in lanes without overlap") {
  REQUIRE_SHARED(shared);
  for (const char* set : {"mi300_resnet_ddp", "mtia", "h100_inference", "resnet50_torch1.9"}) {
    INFO(set);
    const auto profile = load(*shared / "traces" / set);
    for (const auto& rank : profile->ranks) {
      std::uint64_t slices = 0;
      for (const trace::Lane& lane : rank->lanes) {
        if (lane.kind() != trace::LaneKind::instant) slices += lane.size();
        if (lane.folded()) continue;
        for (std::uint32_t i = 1; i < lane.size(); ++i)
          if (lane.time().end(i - 1) > lane.time().begin(i)) FAIL("slices of a lane overlap");
      }
      CHECK(slices == rank->counts.slices);
    }
  }
}
