// Reading a file in pieces on several threads gives exactly the rank of a single thread, for every layout, dialect,
// defect and piece size.
#include <array>
#include <atomic>
#include <random>
#include <thread>

#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/formats/trace_events/document.hpp"
#include "core/ingest/formats/trace_events/piece_ring.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/trace/same_rank.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using ingest::ReadOptions;
using ingest::ReadOutcome;

namespace {

trace::SourceFile source_of(const std::filesystem::path& path) {
  trace::SourceFile source;
  source.path = path.string();
  source.size = std::filesystem::file_size(path);
  return source;
}

struct Read {
  std::shared_ptr<trace::Dictionary> dictionary = std::make_shared<trace::Dictionary>();
  ReadOutcome outcome;
};

/// The reference: one stream, one parser, no pieces.
Read read_from_front_to_back(const std::filesystem::path& path) {
  Read read;
  auto stream = ingest::open_byte_stream(path.string());
  if (!stream) {
    read.outcome = {.code = "unreadable-file", .failure = stream.error()};
    return read;
  }
  ingest::PendingRank pending;
  pending.file = path.string();
  ingest::EventBatch batch;
  ingest::EventCollector collector(pending.file);
  collector.fill(batch);
  ingest::BatchJoiner joiner(pending, read.dictionary->categories);
  const ingest::ParseOutcome outcome = ingest::parse_trace_events(**stream, collector, batch.diagnostics, pending.file);
  joiner.join(0, batch);
  joiner.finish();
  if (auto why = outcome.why_no_trace(pending.file)) {
    read.outcome = {.code = "not-a-trace", .severity = Severity::warning, .failure = std::move(why)};
    return read;
  }
  ingest::FileFacts facts;
  facts.source = source_of(path);
  facts.source.text_bytes = outcome.text_bytes;
  read.outcome.data.rank = ingest::build_rank(std::move(pending), *read.dictionary, facts);
  return read;
}

Read read_in_pieces(const std::filesystem::path& path, unsigned threads, const ingest::PieceSizes& sizes) {
  Read read;
  ReadOptions options;
  options.pieces = sizes;
  ingest::SourceReader reader(source_of(path), 0, *read.dictionary, options);
  std::atomic<bool> done{false};
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < threads; ++i)
    helpers.emplace_back([&] {
      while (!done)
        if (!reader.help()) std::this_thread::yield();
    });
  read.outcome = reader.run();
  done = true;
  for (std::thread& helper : helpers) helper.join();
  return read;
}

void check_same(const Read& expected, const Read& found) {
  REQUIRE((expected.outcome.data.rank == nullptr) == (found.outcome.data.rank == nullptr));
  if (!expected.outcome.data.rank) {
    CHECK(found.outcome.code == expected.outcome.code);
    CHECK(found.outcome.failure->message() == expected.outcome.failure->message());
    return;
  }
  CHECK(difference(*expected.outcome.data.rank, *expected.dictionary, *found.outcome.data.rank, *found.dictionary) ==
        "");
}

/// Piece sizes that split events, and piece sizes that hold many events.
const std::vector<ingest::PieceSizes> kSizes{{1 << 10, 2 << 10, 2},  {1 << 10, 16 << 10, 5}, {3001, 1 << 10, 4},
                                             {16 << 10, 4 << 10, 3}, {64 << 10, 100, 8},     {256 << 10, 16 << 10, 4},
                                             {1 << 20, 16 << 10, 4}};

void check_all_ways(const std::filesystem::path& path) {
  // Other formats are not read in pieces.
  const auto head = ingest::read_head(path.string());
  const std::string_view text = head ? std::string_view(*head) : std::string_view();
  if (&ingest::format_of(ingest::FileHead{path.native(), text}) != ingest::trace_formats().front()) return;
  const Read expected = read_from_front_to_back(path);
  // Large files use every third size. Each file is read with one to four threads.
  const std::size_t every = sanitized() || std::filesystem::file_size(path) > 300'000 ? 3 : 1;
  unsigned threads = 1;
  for (std::size_t i = 0; i < kSizes.size(); i += every) {
    const ingest::PieceSizes& sizes = kSizes[i];
    INFO(path.string() << ", " << threads << " threads, pieces of " << sizes.piece);
    check_same(expected, read_in_pieces(path, threads, sizes));
    threads = threads % 4 + 1;
  }
}

void check_pieces(const tracegen::Options& options) {
  const TestFolder folder;
  for (const auto& file : tracegen::generate_in_memory(options).files)
    check_all_ways(folder.write(file.path, file.bytes));
}

/// A trace of `count` short events on two threads.
std::string many_events(int count, const std::string& between = ",\n") {
  std::string events;
  for (int i = 0; i < count; ++i) {
    if (i > 0) events += between;
    events += R"({"ph":"X","cat":"cpu_op","name":"op)" + std::to_string(i % 7) + R"(","pid":1,"tid":)" +
              std::to_string(1 + i % 2) + R"(,"ts":)" + std::to_string(i * 10) + R"(,"dur":5})";
  }
  return events;
}

}  // namespace

TEST_CASE("pieces: every layout, dialect and compression gives the rank that one thread reads", "[pieces][threads]") {
  using tracegen::Format;
  using tracegen::Generation;
  using tracegen::Layout;
  for (const Layout layout : {Layout::kineto, Layout::minified, Layout::oneline, Layout::indented}) {
    tracegen::Options options = small_job(1);
    options.layout = layout;
    options.shapes = true;
    check_pieces(options);
  }
  for (const Generation generation : {Generation::y2023, Generation::torch_1_8}) {
    tracegen::Options options = small_job(1);
    options.generation = generation;
    check_pieces(options);
  }
  for (const Format format : {Format::gz, Format::zst}) {
    tracegen::Options options = small_job(1);
    options.format = format;
    options.python = true;
    check_pieces(options);
  }
}

TEST_CASE("pieces: every kind of corruption gives the rank that one thread reads", "[pieces]") {
  for (const tracegen::DefectInfo& info : tracegen::all_defects()) {
    INFO(info.name);
    tracegen::Options options = small_job(1);
    options.defects.push_back({info.defect, tracegen::DefectAt::kEveryRank});
    if (info.defect == tracegen::Defect::truncated_stream) options.format = tracegen::Format::gz;
    check_pieces(options);
  }
}

TEST_CASE("pieces: every real trace, intact or not, gives the rank that one thread reads", "[pieces]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("skipped: the folder with the real traces is not here");
    return;
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*shared / "traces")) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name.find(".json") == std::string::npos || entry.file_size() > largest_trace())
      continue;
    check_all_ways(entry.path());
    ++files;
  }
  CHECK(files > 10);
}

TEST_CASE("pieces: the halves of a range are paired across pieces", "[pieces]") {
  std::string events;
  const auto add = [&](const std::string& event) { events += (events.empty() ? "" : ",\n") + event; };
  for (int i = 0; i < 400; ++i) {
    const std::string ts = std::to_string(i * 10);
    const std::string id = std::to_string(i % 50);
    if (i % 4 < 2) add(R"({"ph":"B","cat":"cpu_op","name":"range","pid":1,"tid":1,"ts":)" + ts + "}");
    if (i % 4 >= 2) add(R"({"ph":"E","pid":1,"tid":1,"ts":)" + ts + "}");
    if (i % 100 < 50) add(R"({"ph":"b","cat":"async","name":"a","id":)" + id + R"(,"pid":1,"tid":2,"ts":)" + ts + "}");
    if (i % 100 >= 50) add(R"({"ph":"e","cat":"async","name":"a","id":)" + id + R"(,"pid":1,"tid":3,"ts":)" + ts + "}");
    add(R"({"ph":"C","name":"memory","pid":1,"ts":)" + ts + R"(,"args":{"bytes":)" + id + "}}");
    add(R"({"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":9,"ts":)" + ts + R"(,"dur":8})");
    add(std::string(R"({"ph":")") + (i % 2 == 0 ? "s" : "f") + R"(","cat":"fwdbwd","name":"fwdbwd","id":)" +
        std::to_string(i / 2) + R"(,"pid":1,"tid":9,"ts":)" + ts + "}");
    add(R"({"ph":"E","pid":7,"tid":7,"ts":)" + ts + "}");
    add(R"({"ph":"M","name":"thread_name","pid":1,"tid":9,"ts":0,"args":{"name":"n)" + id + R"("}})");
  }
  add(R"({"ph":"B","cat":"cpu_op","name":"never ends","pid":1,"tid":1,"ts":9000})");
  const TestFolder folder;
  const auto path = folder.write("ranges.json", trace_of(events));
  check_all_ways(path);
  const Read read = read_in_pieces(path, 3, {1 << 10, 1 << 10, 4});
  const trace::Rank& rank = *read.outcome.data.rank;
  CHECK(rank.counts.slices == 200 + 400);
  CHECK(rank.forward_backward.size() == 200);
  CHECK(rank.counters.at(0).size() == 400);
  CHECK(rank.diagnostics.count("end-without-begin") == 400);
  CHECK(rank.diagnostics.count("begin-without-end") == 1);
}

TEST_CASE("pieces: text in arguments that looks like an event is not one", "[pieces]") {
  std::string events;
  for (int i = 0; i < 300; ++i)
    events += std::string(i > 0 ? "," : "") + R"({"ph":"X","cat":"cpu_op","name":"outer","pid":1,"tid":1,"ts":)" +
              std::to_string(i * 10) +
              R"(,"dur":5,"args":{"list":[{"ph":"X","name":"inner","pid":1,"tid":1,"ts":1,)"
              R"("dur":1},{"ph":"X","name":"inner","pid":1,"tid":1,"ts":2,"dur":1}],"text":"{\"ph\":\"X\"}, {"}})";
  const TestFolder folder;
  const auto path = folder.write("nested.json", trace_of(events));
  check_all_ways(path);
  CHECK(read_in_pieces(path, 2, {1 << 10, 1 << 10, 4}).outcome.data.rank->counts.slices == 300);

  const std::string outer =
      R"({"ph":"X","cat":"cpu_op","name":"outer","pid":1,"tid":1,"ts":7,"dur":5,"args":{"list":[)" + many_events(700) +
      "]}}";
  const auto longer =
      folder.write("longer.json", trace_of(many_events(99) + "," + outer + "," + outer + "," + many_events(99)));
  check_all_ways(longer);
  CHECK(read_in_pieces(longer, 3, {16 << 10, 1 << 10, 4}).outcome.data.rank->counts.slices == 200);

  // Text was lost and the list is never closed, so these are events.
  const std::string cut = outer.substr(0, outer.find("ph\":\"X", 20) - 2);
  const auto shorter =
      folder.write("shorter.json", trace_of(many_events(99) + "," + cut + many_events(700) + "," + many_events(99)));
  check_all_ways(shorter);
  CHECK(read_in_pieces(shorter, 3, {16 << 10, 1 << 10, 4}).outcome.data.rank->counts.slices == 898);
}

TEST_CASE("pieces: long events, long metadata and no commas", "[pieces]") {
  const TestFolder folder;
  const std::string long_text(300'000, 'x');
  check_all_ways(folder.write("metadata.json", trace_of(many_events(500), "\"log\": \"" + long_text + "\"")));
  check_all_ways(folder.write(
      "event.json",
      trace_of(many_events(200) + R"(,{"ph":"X","name":"long","cat":"cpu_op","pid":1,"tid":1,"ts":3,"dur":1,)" +
               "\"args\":{\"t\":\"" + long_text + "\"}}," + many_events(200))));
  check_all_ways(folder.write("no_commas.json", trace_of(many_events(600, "\n"))));
  check_all_ways(folder.write(
      "twice.json", "{\"traceEvents\":[" + many_events(300) + "],\"traceEvents\":[" + many_events(300) + "]}"));
  check_all_ways(folder.write("bare.json", "[" + many_events(500)));
  check_all_ways(folder.write("other.json", "{\"a\": [" + many_events(500) + "]}"));
  check_all_ways(folder.write("text.json", "nothing of the kind " + long_text));
  for (const int cut : {1, 20, 60, 90})
    check_all_ways(
        folder.write("cut.json", trace_of(many_events(100)).substr(0, 4096 + 17 * static_cast<std::size_t>(cut))));
}

TEST_CASE("pieces: zeros, random bytes and gaps give the rank that one thread reads", "[pieces]") {
  const TestFolder folder;
  const std::string sound = trace_of(many_events(2'000));
  std::mt19937 random(9);
  for (const std::size_t length : {300, 4'096, 65'536}) {
    for (const int kind : {0, 1, 2}) {
      std::string text = sound;
      const std::size_t at = 1'000 + random() % (text.size() - length - 2'000);
      if (kind == 2) text.erase(at, length);
      for (std::size_t i = at; kind < 2 && i < at + length; ++i)
        text[i] = kind == 0 ? '\0' : static_cast<char>(random() % 256);
      check_all_ways(folder.write("damaged.json", text));
    }
  }
}

TEST_CASE("pieces: the reader does not wait for a last piece that is not worth parsing", "[pieces]") {
  constexpr std::size_t kPiece = 1 << 10;
  constexpr std::size_t kLast = 20;  // after eight failed guesses, only every 16th piece is parsed
  const std::string text = std::string(kLast * kPiece, 'x') + many_events(3);
  MemoryStream stream(text);
  const std::string file = "rank0.json";
  trace::Dictionary dictionary;
  ingest::PendingRank pending;
  ingest::BatchJoiner joiner(pending, dictionary.categories);
  ingest::PieceRing ring(stream, file, joiner, [] {}, {}, nullptr, nullptr, {kPiece, 100, 4});
  std::array<char, 10> into{};
  for (std::size_t piece = 0; piece < kLast; ++piece) {
    while (piece < 16 && ring.help()) {
    }
    const auto got = ring.read(piece * kPiece, into);
    REQUIRE(got.ok());
    REQUIRE(*got == into.size());
  }
  const auto last = ring.read(kLast * kPiece, into);
  REQUIRE(last.ok());
  CHECK(into[0] == '{');
  CHECK_FALSE(ring.take(kLast * kPiece));
  ring.close();
}

TEST_CASE("pieces: numbers beyond 32 bits are exact", "[pieces]") {
  std::string events;
  for (int i = 0; i < 200; ++i)
    events += std::string(i > 0 ? "," : "") + R"({"ph":"X","cat":"cuda_runtime","name":"l","pid":1,"tid":1,"ts":)" +
              std::to_string(i * 10'000'000LL) + R"(,"dur":)" + std::to_string(i % 3 == 0 ? 5'000'000 : 5) +
              R"(,"args":{"correlation":)" + std::to_string((i % 2 == 0 ? 9'000'000'000LL : -5) + i) + "}}," +
              R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" + std::to_string(i * 10'000'000LL + 1) +
              R"(,"dur":4,"args":{"correlation":)" + std::to_string((i % 2 == 0 ? 9'000'000'000LL : -5) + i) + "}}";
  const TestFolder folder;
  const auto path = folder.write("wide.json", trace_of(events));
  check_all_ways(path);
  const Read read = read_in_pieces(path, 2, {1 << 10, 1 << 10, 4});
  CHECK(read.outcome.data.rank->launches.size() == 200);
  Ns longest = 0;
  for (const trace::Lane& lane : read.outcome.data.rank->lanes)
    for (std::uint32_t i = 0; i < lane.size(); ++i) longest = std::max(longest, lane.time().duration(i));
  CHECK(longest == 5'000'000'000);
}

TEST_CASE("pieces: slices beyond the capacity of a rank are counted and skipped", "[pieces]") {
  const TestFolder folder;
  const auto path = folder.write("many.json", trace_of(many_events(500)));
  trace::Dictionary dictionary;
  ReadOptions options;
  options.most_slices = 300;
  options.pieces = {2 << 10, 1 << 10, 4};
  const ReadOutcome read = ingest::read_source(source_of(path), 0, dictionary, options);
  REQUIRE(read.data.rank);
  CHECK(read.data.rank->lane_start.back() == 300);
  CHECK(read.data.rank->counts.events == 500);
  CHECK(read.data.rank->diagnostics.count("rank-too-large") == 200);
  options.most_slices = 499;
  const ReadOutcome one_left_out = ingest::read_source(source_of(path), 0, dictionary, options);
  REQUIRE(one_left_out.data.rank);
  CHECK(one_left_out.data.rank->diagnostics.count("rank-too-large") == 1);
}

TEST_CASE("pieces: a file that shrinks while read gives its remaining events and a diagnostic", "[pieces]") {
  const TestFolder folder;
  const auto path = folder.write("shrinks.json", trace_of(many_events(500)));
  trace::Dictionary dictionary;
  ReadOptions options;
  options.pieces = {2 << 10, 1 << 10, 4};
  // Called when the reader asks for help, before it reads anything; the file is already open.
  ingest::SourceReader reader(source_of(path), 0, dictionary, options,
                              [&] { std::filesystem::resize_file(path, 10'000); });
  const ReadOutcome read = reader.run();
  REQUIRE(read.data.rank);
  CHECK(read.data.rank->counts.slices > 50);
  CHECK(read.data.rank->counts.slices < 200);
  CHECK(read.data.rank->source.text_bytes == 10'000);
  REQUIRE(read.data.rank->diagnostics.count("input-damaged") == 1);
  for (const Diagnostic& diagnostic : read.data.rank->diagnostics.all())
    if (diagnostic.code == "input-damaged") CHECK(diagnostic.example.find("shrank") != std::string::npos);
}

TEST_CASE("pieces: a rank under construction when the load is cancelled is dropped if it is large", "[pieces]") {
  const TestFolder folder;
  const auto path = folder.write("rank.json", trace_of(many_events(500)));
  for (const bool large : {false, true}) {
    trace::Dictionary dictionary;
    ingest::PendingRank pending;
    ingest::EventBatch batch;
    ingest::EventCollector collector(pending.file);
    collector.fill(batch);
    ingest::BatchJoiner joiner(pending, dictionary.categories);
    const auto stream = ingest::open_byte_stream(path.string());
    (void)ingest::parse_trace_events(**stream, collector, batch.diagnostics, pending.file);
    joiner.join(0, batch);
    CancelToken cancel;
    const auto rank = ingest::build_rank(
        std::move(pending), dictionary, {},
        [&](std::size_t count, const std::function<void(std::size_t)>& unit) {
          cancel.cancel();
          ingest::run_in_order(count, unit);
        },
        large ? &cancel : nullptr);
    CHECK((rank == nullptr) == large);
  }

  // The same, but cancelled when the reader first asks for help, before anything has been read.
  trace::Dictionary dictionary;
  CancelToken cancel;
  ReadOptions options;
  options.cancel = &cancel;
  ingest::SourceReader reader(source_of(path), 0, dictionary, options, [&] { cancel.cancel(); });
  CHECK_FALSE(reader.run().data.rank);
}

TEST_CASE("pieces: progress ends at the size of the file", "[pieces]") {
  for (const tracegen::Format format : {tracegen::Format::json, tracegen::Format::gz, tracegen::Format::zst}) {
    tracegen::Options job = small_job(1);
    job.format = format;
    const TestFolder folder;
    const auto set = tracegen::generate_in_memory(job);
    const auto path = folder.write(set.files[0].path, set.files[0].bytes);
    trace::Dictionary dictionary;
    Progress progress;
    ReadOptions options;
    options.progress = &progress;
    options.pieces.piece = 10'000;
    CHECK(ingest::read_source(source_of(path), 0, dictionary, options).data.rank);
    CHECK(progress.done == std::filesystem::file_size(path));
  }
}

TEST_CASE("pieces: any changed bytes give the rank that one thread reads", "[pieces]") {
  std::mt19937 random(7);
  std::string text = tracegen::generate_in_memory(small_job(1)).files[0].bytes;
  text.resize(std::min<std::size_t>(text.size(), 60'000));
  const TestFolder folder;
  for (int round = 0; round < (sanitized() ? 20 : 60); ++round) {
    std::string changed = text;
    for (int i = 0; i < 1 + round % 20; ++i) {
      const std::size_t at = random() % changed.size();
      switch (random() % 3) {
        case 0:
          changed[at] = "\"\\{}[],:x\n"[random() % 11];
          break;
        case 1:
          changed.erase(at, random() % 40);
          break;
        default:
          changed.insert(at, changed.substr(random() % changed.size(), random() % 200));
      }
    }
    const auto path = folder.write("changed.json", changed);
    const ingest::PieceSizes sizes{512 + random() % 20'000, random() % 4096, 2 + random() % 4};
    INFO("round " << round << ", pieces of " << sizes.piece << " and " << sizes.ahead);
    check_same(read_from_front_to_back(path), read_in_pieces(path, 1 + static_cast<unsigned>(round) % 3, sizes));
  }
}

TEST_CASE("pieces: nearly all events are parsed ahead, not by the reader itself", "[pieces]") {
  struct Taken final : ingest::json::ParsedAhead {
    explicit Taken(ingest::PieceRing& from) : ring(from) {}
    std::optional<ingest::json::ParsedStretch> take(std::uint64_t offset) override {
      auto stretch = ring.take(offset);
      if (stretch) events += stretch->events;
      return stretch;
    }
    ingest::PieceRing& ring;
    std::uint64_t events = 0;
  };
  using tracegen::Layout;
  for (const Layout layout : {Layout::kineto, Layout::minified, Layout::oneline, Layout::indented}) {
    tracegen::Options options = small_job(1);
    options.layout = layout;
    options.shapes = true;
    const TestFolder folder;
    const auto set = tracegen::generate_in_memory(options);
    const std::string path = folder.write(set.files[0].path, set.files[0].bytes).string();
    const auto stream = ingest::open_byte_stream(path);
    REQUIRE(stream.ok());
    trace::Dictionary dictionary;
    ingest::PendingRank pending;
    ingest::BatchJoiner joiner(pending, dictionary.categories);
    ingest::PieceRing ring(**stream, path, joiner, [] {}, {}, nullptr, nullptr, {32 << 10, 8 << 10, 4});
    Taken taken(ring);
    ingest::EventBatch own;
    ingest::EventCollector collector(path);
    collector.fill(own);
    const auto outcome =
        ingest::json::DocumentReader(ring, collector, own.diagnostics, path, &taken, nullptr, {}).run();
    ring.close();
    CHECK(outcome.events == static_cast<std::uint64_t>(set.truth.ranks[0].events));
    CHECK(taken.events + own.events == outcome.events);
    CHECK(taken.events * 100 > outcome.events * 99);
  }
}
