// The trace generator reports exactly what it writes, and equal options give equal output.
#include "tests/tracegen/tracegen.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "tests/catch.hpp"
#include "tests/core/tracegen/naive_reader.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope::tracegen;
using warpscope::tests::naive_busy;
using warpscope::tests::naive_read;
using warpscope::tests::NaiveFile;
using warpscope::tests::NaiveSlice;

namespace {

const std::string& bytes_of(const MemorySet& set, const std::string& path) {
  const auto file = std::find_if(set.files.begin(), set.files.end(), [&](const auto& f) { return f.path == path; });
  REQUIRE(file != set.files.end());
  return file->bytes;
}

void check_truth(const RankTruth& truth, const NaiveFile& file) {
  INFO(truth.file);
  std::map<std::string, std::int64_t> categories;
  std::set<std::int64_t> streams;
  std::set<std::int64_t> called;
  std::set<std::int64_t> started;
  std::set<std::string> steps;
  std::int64_t flagged = 0;
  std::int64_t begin = INT64_MAX;
  std::int64_t end = INT64_MIN;
  for (const NaiveSlice& slice : file.slices) {
    ++categories[slice.category];
    if (slice.run()) {
      streams.insert(slice.tid);
      started.insert(slice.correlation);
      if (!slice.possible()) ++flagged;
    }
    if (slice.call()) called.insert(slice.correlation);
    if (slice.name.starts_with("ProfilerStep#")) steps.insert(slice.name);
    if (slice.category == "Trace" || slice.category == "overhead" || !slice.possible()) continue;
    begin = std::min(begin, slice.begin);
    end = std::max(end, slice.end());
  }
  const auto linked = [&](const NaiveSlice& s) { return s.run() && called.contains(s.correlation); };
  const auto launching = [&](const NaiveSlice& s) { return s.call() && started.contains(s.correlation); };
  const auto is_run = [](const NaiveSlice& s) { return s.run(); };
  CHECK(truth.events == file.events);
  CHECK(truth.slices == static_cast<std::int64_t>(file.slices.size()));
  CHECK(truth.slices_by_category == categories);
  CHECK(truth.runs() == std::count_if(file.slices.begin(), file.slices.end(), is_run));
  CHECK(truth.connections == std::count_if(file.slices.begin(), file.slices.end(), linked));
  CHECK(truth.launches == std::count_if(file.slices.begin(), file.slices.end(), launching));
  CHECK(truth.fwdbwd == file.fwdbwd);
  CHECK(truth.steps == static_cast<std::int64_t>(steps.size()));
  CHECK(truth.streams == static_cast<std::int64_t>(streams.size()));
  CHECK(truth.flagged == flagged);
  CHECK(truth.busy_ns == naive_busy(file));
  CHECK(truth.begin_ns == begin);
  CHECK(truth.end_ns == end);
  CHECK(truth.busy_ns > 0);
  if (file.rank >= 0) CHECK(truth.rank == file.rank);
  if (!file.host.empty()) CHECK(truth.host == file.host);
}

void check_all(const Options& options) {
  const MemorySet set = generate_in_memory(options);
  REQUIRE(set.truth.ranks.size() == static_cast<std::size_t>(options.world()));
  for (const RankTruth& rank : set.truth.ranks) check_truth(rank, naive_read(bytes_of(set, rank.file)));
}

std::string inflated(const std::string& bytes) {
  std::string text(64U << 20U, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

}  // namespace

TEST_CASE("Equal options produce equal bytes; another seed produces different ones", "[tracegen]") {
  Options options = *preset("small");
  const MemorySet first = generate_in_memory(options);
  const MemorySet second = generate_in_memory(options);
  REQUIRE(first.files.size() == 2);
  for (std::size_t i = 0; i < first.files.size(); ++i) {
    CHECK(first.files[i].path == second.files[i].path);
    CHECK(first.files[i].bytes == second.files[i].bytes);
  }
  CHECK(first.truth.json() == second.truth.json());
  options.seed = 2;
  const MemorySet other = generate_in_memory(options);
  CHECK(other.files[0].bytes != first.files[0].bytes);
}

TEST_CASE("The ground truth equals what a naive reader finds", "[tracegen]") {
  Options options = *preset("small");
  SECTION("as Kineto writes") {}
  SECTION("minified") { options.layout = Layout::minified; }
  SECTION("one line, with shapes and frames") {
    options.layout = Layout::oneline;
    options.shapes = true;
    options.python = true;
  }
  SECTION("indented, with shapes and frames") {
    options.layout = Layout::indented;
    options.shapes = true;
    options.python = true;
  }
  SECTION("2023") { options.generation = Generation::y2023; }
  SECTION("torch 1.8") { options.generation = Generation::torch_1_8; }
  SECTION("one rank") { options.gpus = 1; }
  SECTION("two nodes, a straggler, a stall") {
    options.nodes = 2;
    options.stragglers = {{3, 160}};
    options.stalls = {{0, 1}};
    options.layers = 5;
  }
  check_all(options);
}

TEST_CASE("Compressed files contain the same text", "[tracegen]") {
  Options options = *preset("small");
  const MemorySet plain = generate_in_memory(options);
  options.format = Format::gz;
  const MemorySet gz = generate_in_memory(options);
  options.format = Format::zst;
  const MemorySet zst = generate_in_memory(options);
  for (std::size_t i = 0; i < plain.files.size(); ++i) {
    const std::string& text = plain.files[i].bytes;
    CHECK(gz.files[i].path == plain.files[i].path + ".gz");
    CHECK(inflated(gz.files[i].bytes) == text);
    CHECK(zst.files[i].path == plain.files[i].path + ".zst");
    std::string out(text.size() + 1, '\0');
    const std::string& packed = zst.files[i].bytes;
    REQUIRE(ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size()) == text.size());
    out.resize(text.size());
    CHECK(out == text);
  }
}

TEST_CASE("Files on disk equal those in memory", "[tracegen]") {
  Options options = *preset("small");
  options.nodes = 2;
  options.host_folders = true;
  const warpscope::tests::TestFolder folder;
  const Truth truth = generate(options, folder.path());
  const MemorySet set = generate_in_memory(options);
  CHECK(truth.json() == set.truth.json());
  for (const MemorySet::File& file : set.files) {
    std::ifstream in(folder.path() / file.path, std::ios::binary);
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == file.bytes);
    CHECK(std::filesystem::path(file.path).parent_path().string().starts_with("ip-10-0-"));
  }
}

TEST_CASE("Collectives end together and wait for stragglers", "[tracegen]") {
  Options options = *preset("small");
  options.nodes = 2;
  options.layers = 6;
  options.stragglers = {{2, 180}};
  const MemorySet set = generate_in_memory(options);
  std::vector<std::vector<NaiveSlice>> collectives;
  for (const RankTruth& rank : set.truth.ranks) {
    std::vector<NaiveSlice>& mine = collectives.emplace_back();
    for (NaiveSlice& slice : naive_read(bytes_of(set, rank.file)).slices) {
      if (slice.run() && slice.name.starts_with("ncclDevKernel_AllReduce")) mine.push_back(std::move(slice));
    }
  }
  REQUIRE(collectives.front().size() >= 9);
  std::size_t waited = 0;
  for (std::size_t i = 0; i < collectives.front().size(); ++i) {
    std::size_t shortest = 0;
    for (std::size_t rank = 0; rank < collectives.size(); ++rank) {
      REQUIRE(collectives[rank].size() == collectives.front().size());
      CHECK(collectives[rank][i].end() == collectives.front()[i].end());
      CHECK(collectives[rank][i].tid == 20);
      if (collectives[rank][i].duration < collectives[shortest][i].duration) shortest = rank;
    }
    if (shortest == 2) ++waited;
  }
  CHECK(waited * 10 >= collectives.front().size() * 7);
  const auto in_truth = std::count_if(set.truth.collectives.begin(), set.truth.collectives.end(),
                                      [](const CollectiveTruth& c) { return c.group == Group::world; });
  CHECK(static_cast<std::size_t>(in_truth) == collectives.front().size());
}

TEST_CASE("Python stacks have the requested depth, and none by default", "[tracegen]") {
  const auto deepest = [](const Options& options) {
    const MemorySet set = generate_in_memory(options);
    const NaiveFile file = naive_read(bytes_of(set, set.truth.ranks[0].file));
    std::map<std::int64_t, std::vector<const NaiveSlice*>> frames;
    for (const NaiveSlice& slice : file.slices)
      if (slice.category == "python_function") frames[slice.tid].push_back(&slice);
    std::size_t depth = 0;
    for (auto& [thread, slices] : frames) {
      std::ranges::stable_sort(slices, {}, [](const NaiveSlice* s) { return std::pair(s->begin, -s->duration); });
      std::vector<std::int64_t> open;
      for (const NaiveSlice* slice : slices) {
        while (!open.empty() && open.back() <= slice->begin) open.pop_back();
        open.push_back(slice->begin + slice->duration);
        depth = std::max(depth, open.size());
      }
    }
    return depth;
  };
  Options options = *preset("small");
  CHECK(deepest(options) == 0);
  options.python = true;
  CHECK(deepest(options) == kModelDepth);
  options.python_depth = 40;
  CHECK(deepest(options) == 40);
  options.python_depth = kDeepestPython + 1;
  CHECK_THROWS_AS(generate_in_memory(options), std::invalid_argument);
}

TEST_CASE("Slices nest on threads; GPU activity is sequential on streams and starts after its launch", "[tracegen]") {
  Options options = *preset("small");
  options.python = true;
  options.layers = 8;
  const MemorySet set = generate_in_memory(options);
  const NaiveFile file = naive_read(bytes_of(set, set.truth.ranks[1].file));
  std::map<std::int64_t, std::int64_t> called;
  std::map<std::tuple<std::int64_t, std::int64_t, bool>, std::vector<const NaiveSlice*>> tracks;
  for (const NaiveSlice& slice : file.slices) {
    if (slice.category == "Trace") continue;
    if (slice.call()) called[slice.correlation] = slice.begin;
    tracks[{slice.pid, slice.tid, slice.category == "gpu_user_annotation"}].push_back(&slice);
  }
  std::int64_t largest_lag = 0;
  for (auto& [track, slices] : tracks) {
    std::sort(slices.begin(), slices.end(), [](const NaiveSlice* a, const NaiveSlice* b) {
      return std::pair(a->begin, -a->duration) < std::pair(b->begin, -b->duration);
    });
    std::vector<std::int64_t> open;
    for (const NaiveSlice* slice : slices) {
      while (!open.empty() && open.back() <= slice->begin) open.pop_back();
      if (slice->run()) {
        CHECK(open.empty());
        CHECK(slice->begin > called.at(slice->correlation));
        largest_lag = std::max(largest_lag, slice->begin - called.at(slice->correlation));
      } else if (!open.empty() && slice->end() > open.back()) {
        FAIL_CHECK(slice->name << " outlives what encloses it");
      }
      open.push_back(slice->end());
    }
  }
  CHECK(largest_lag > 1'000'000);
}

TEST_CASE("The requested number of slices is met within a few percent", "[tracegen]") {
  Options options = *preset("bench");
  options.slices = 400'000;
  options.gpus = 4;
  const Options exact = resolved(options);
  CHECK(exact.steps >= 3);
  CHECK(exact.layers >= 12);
  const std::int64_t slices = generate_in_memory(options).truth.total().slices;
  CHECK(slices > 340'000);
  CHECK(slices < 460'000);
}

TEST_CASE("The demo has the expected size", "[tracegen]") {
  const MemorySet set = generate_in_memory(*preset("demo"));
  const RankTruth total = set.truth.total();
  std::size_t bytes = 0;
  for (const MemorySet::File& file : set.files) bytes += file.bytes.size();
  CHECK(set.files.size() == 8);
  CHECK(total.slices > 130'000);
  CHECK(total.slices < 180'000);
  CHECK(bytes < 10'000'000);
  CHECK(total.steps == 6);
}
