// Event texts survive archiving, for every source format and any damage.
#include <algorithm>
#include <map>

#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/one_event.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/store/event_support.hpp"
#include "tests/load_profile.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

Failure archive_events(const trace::Rank& rank, store::EventArchiveWriter& writer, Progress* progress = nullptr,
                       const CancelToken* cancel = nullptr) {
  const ingest::ArchivedRank one{rank, writer};
  return ingest::KinetoFormat().archive(std::span(&one, 1), progress, cancel);
}

/// Archives the rank and compares each event with its source: the text byte for byte and, for every `step`th event, its
/// rows.
void check_archive(const trace::Rank& rank, std::size_t step, double largest_share = 1) {
  INFO(rank.source.path);
  const ArchivedStore archive([&](store::EventArchiveWriter& writer) {
    const Failure failure = archive_events(rank, writer);
    INFO((failure ? failure->message() : std::string()));
    REQUIRE_FALSE(failure);
  });
  const auto reader = archive.open();
  std::string source;
  if (auto stream = ingest::open_byte_stream(rank.source.path); stream.ok()) {
    std::vector<char> block(std::size_t{1} << 20);
    for (auto got = (*stream)->read(block); got.ok() && *got > 0; got = (*stream)->read(block))
      source.append(block.data(), *got);
  }
  CHECK(static_cast<double>(archive.size()) <= largest_share * static_cast<double>(rank.source.size));
  std::map<std::uint64_t, store::EventFacts> facts;
  for (const trace::Lane& lane : rank.lanes)
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      facts[lane.event(i)] = {lane.time().begin(i), lane.time().duration(i)};
  CHECK(facts.size() == (rank.lane_start.empty() ? 0 : rank.lane_start.back()));
  std::size_t count = 0;
  for (const auto& [offset, known] : facts) {
    INFO("event at " << offset);
    const auto text = reader->read(offset, known);
    REQUIRE(text.ok());
    const bool damaged = !text->starts_with('{');
    const std::string_view found = std::string_view(*text).substr(damaged ? 1 : 0);
    if (source.compare(offset, found.size(), found) != 0) FAIL_CHECK("text of " << offset);
    if (count++ % step != 0 && !damaged) continue;
    const auto expected = tests::read_event_at(rank.source, offset);
    REQUIRE(expected.ok());
    const ingest::EventText rows = ingest::KinetoFormat().archived_event(*text, {});
    if (rows.rows != expected->rows || rows.repaired != expected->repaired) FAIL_CHECK("rows of " << *text);
    constexpr std::array<std::string_view, 1> kWanted{"name"};
    const ingest::EventText named = ingest::KinetoFormat().archived_event(*text, kWanted);
    if (named.find("name") == nullptr || named.rows.size() != 1) FAIL_CHECK("name of " << *text);
  }
}

void check_archive(const tracegen::Options& options, double largest_share = 1) {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  const auto profile = load(folder.path());
  for (const auto& rank : profile->ranks) check_archive(*rank, 7, largest_share);
}

}  // namespace

TEST_CASE("archived events equal their source in every layout, dialect and compression") {
  using tracegen::Format;
  using tracegen::Generation;
  using tracegen::Layout;
  for (const Layout layout : {Layout::kineto, Layout::minified, Layout::oneline, Layout::indented}) {
    tracegen::Options options = small_job(1);
    options.layout = layout;
    options.shapes = true;
    check_archive(options, 0.05);
  }
  for (const Generation generation : {Generation::y2023, Generation::torch_1_8}) {
    tracegen::Options options = small_job(1);
    options.generation = generation;
    check_archive(options, 0.05);
  }
  for (const Format format : {Format::gz, Format::zst}) {
    tracegen::Options options = small_job(1);
    options.format = format;
    options.python = true;
    check_archive(options, 0.5);
  }
}

TEST_CASE("archived events equal their source for every kind of corruption") {
  for (const tracegen::DefectInfo& info : tracegen::all_defects()) {
    INFO(info.name);
    tracegen::Options options = small_job(1);
    options.gpus = 2;
    options.defects.push_back({info.defect, tracegen::DefectAt::kLastRank});
    const TestFolder folder;
    write_set(folder, tracegen::generate_in_memory(options));
    const auto profile = load(folder.path());
    if (!profile->ranks.empty()) check_archive(*profile->ranks.back(), 97);
  }
}

TEST_CASE("archived events of hand-written corrupt text have the rows of their source") {
  const std::string odd[] = {
      R"({"ph": "X", "name": "a "b" c", "ts": 1, "dur": 1, "args": {"r": inf, "s": "p"q", "grid": [1, 2,], "n": nan}})",
      R"({"ph": "X", "name": "open", "ts": 2, "dur": 1, "args": {"s": 1)",
      R"({"ph": "X", "name": "c:\dir\", "ts": 3, "dur": 1, "args": {}})",
      R"({"ph": "X", "name": "\", "ts": 4, "dur": 1, "x": "\\"})",
      R"({"ph": "X", "name": "comma", "ts": 5, "dur": 1,, "args": {"a": 1,}})",
      R"({"ph": "X" "name": "missing", "ts": 6, "dur": 1, "args": {"a" 1}})",
      R"({"ph": "X", "name": "brackets", "ts": 7, "dur": 1, "args": {"a": [[1, 2], "b": 3}})",
      R"({"ph": "X", "name": "long )" + std::string(100'000, 'x') + R"(" y", "ts": 8, "dur": 1})",
  };
  const std::string sound = R"({"ph": "X", "name": "sound", "ts": 9, "dur": 1, "args": {"a": 1}})";
  for (const std::string& event : odd)
    for (const std::string& rest : {event + "]}", event, event + ", " + sound + "]}", sound + ", " + event + "]}",
                                    event + "\n" + event + sound + "], \"traceName\": \"x\"}"}) {
      const TestFolder folder;
      const auto path = folder.write("trace.json", "{\"traceEvents\": [" + rest);
      const auto profile = tests::load_profile(path.string());
      if (!profile.ok()) continue;
      for (const auto& rank : (*profile)->ranks) check_archive(*rank, 1, 100);
    }
}

TEST_CASE("events of collectives are archived apart from the others") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job(2)));
  const auto profile = load(folder.path());
  const ArchivedStore archive([&](store::EventArchiveWriter& writer) {
    REQUIRE_FALSE(archive_events(*profile->ranks[0], writer).has_value());
  });
  const std::vector<store::ArchiveBlock> blocks = archive.blocks();
  CHECK(std::ranges::count(blocks, true, &store::ArchiveBlock::apart) == 1);
  CHECK(std::ranges::count(blocks, false, &store::ArchiveBlock::apart) >= 1);
}

TEST_CASE("archiving stops when cancelled and detects a replaced file") {
  const TestFolder folder;
  const auto path = folder.write("trace.json", trace_of(R"({"ph": "X", "name": "a", "ts": 1, "dur": 1, "args": {}})"));
  const auto profile = load(path);
  const trace::Rank& rank = *profile->ranks.front();
  const ArchivedStore archive([&](store::EventArchiveWriter& writer) {
    Progress progress;
    CHECK_FALSE(archive_events(rank, writer, &progress));
    CHECK(progress.done == rank.source.size);
  });
  const ArchivedStore unfinished([&](store::EventArchiveWriter& writer) {
    CancelToken cancel;
    cancel.cancel();
    const Failure cancelled = archive_events(rank, writer, nullptr, &cancel);
    REQUIRE(cancelled);
    CHECK(cancelled->what.find("cancelled") != std::string::npos);
    folder.write("trace.json", trace_of(R"({"ph": "X", "name": "another", "ts": 1, "dur": 1})"));
    const Failure changed = archive_events(rank, writer);
    REQUIRE(changed);
    CHECK(changed->what == "the source has changed since it was read");
  });
}

TEST_CASE("archives of real traces return every event and are small") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no folder of real traces");
    return;
  }
  // The smallest files are mostly text that gzip does not compress well either.
  const std::pair<const char*, double> traces[] = {
      {"dlrm8", 0.35},        {"mi300_resnet_ddp", 0.1}, {"v100_5steps", 0.1}, {"triton", 0.6},  {"cupti", 0.2},
      {"critical_path", 0.6}, {"amd_mi250", 0.6},        {"cpu_only", 0.6},    {"sampled2", 0.4}};
  for (const auto& [name, share] : traces) {
    const auto profile = load(*shared / "traces" / name);
    const trace::Rank& rank = *profile->ranks.front();
    if (!sanitized() || rank.source.size <= largest_trace()) check_archive(rank, 20'011, share);
  }
  for (const auto& entry : std::filesystem::directory_iterator(*shared / "traces" / "malformed")) {
    const auto profile = tests::load_profile(entry.path().string());
    if (!profile.ok()) continue;
    for (const auto& rank : (*profile)->ranks) check_archive(*rank, 1, 10);
  }
}
