// The files of a process are one rank: rotated files, several kinds, files that are still open, corrupt ones.
#include <algorithm>

#include "core/base/file_group.hpp"
#include "core/trace/file_end.hpp"
#include "tests/core/ingest/formats/pevents/timeline_files.hpp"
#include "tests/core/ingest/metrics_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

const std::string kPevents = "job/profiler-output/framework/pevents/2020071317/";
const std::string kFirst = kPevents + "1594662605430000_905-algo-1_pythontimeline.json";
const std::string kSecond = kPevents + "1594662605440000_905-algo-1_pythontimeline.json";
const std::string kModel = kPevents + "1594662605435000_905-algo-1_model_timeline.json";
const std::string kOpenFile = "job/profiler-output/framework/905-algo-1_pythontimeline.json.tmp";

std::string arguments_of(const ingest::Loader& loader, const trace::Rank& rank, trace::SliceOrdinal slice,
                         std::string_view path) {
  const auto event = loader.events()->read(rank, slice);
  INFO((event ? std::string() : event.error().message()));
  REQUIRE(event.ok());
  const std::string* const value = event->find(path);
  return value == nullptr ? "" : *value;
}

}  // namespace

TEST_CASE("rotated files of one process, in any phase numbering, continue the same track") {
  const TestFolder folder;
  folder.write(kFirst, timeline_of(timeline_slice("a", 100, 10)));
  folder.write(kSecond, timeline_of(R"({"name": "process_name", "ph": "M", "pid": 7, "args": {"name": "Forward"}},)"
                                    "\n" +
                                        timeline_slice("b", 300, 10, 7) + ",\n" + timeline_slice("c", 320, 10),
                                    "Other"));
  folder.write(kModel, timeline_of(timeline_slice("dataset::GetNext", 100, 5), "DataIterator", kTimelineBase + 50));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 1);
  const trace::Rank& rank = *profile->ranks.front();
  CHECK(rank.host == "algo-1");
  CHECK(rank.process == 905);
  CHECK(profile->nodes.front().label == "algo-1");
  CHECK(rank.properties.at("process name") == "\"algo-1-905\"");
  const auto slices = shown_slices(*profile, rank);
  REQUIRE(slices.size() == 4);
  CHECK(find_slice(slices, "a")->track == "Forward");
  CHECK(find_slice(slices, "b")->track == "Forward");
  CHECK(find_slice(slices, "c")->track == "Other");
  CHECK(find_slice(slices, "a")->begin == (kTimelineBase + 100) * kTimelineUnit);
  CHECK(find_slice(slices, "dataset::GetNext")->begin == (kTimelineBase + 150) * kTimelineUnit);
  CHECK(profile->diagnostics.empty());
}

TEST_CASE("processes of several nodes are ranks of these nodes") {
  const TestFolder folder;
  for (const char* writer : {"0-algo-1", "1-algo-1", "2-algo-2", "3-algo-10"})
    folder.write(kPevents + "1594662605430000_" + writer + "_pythontimeline.json",
                 timeline_of(timeline_slice("Step:ModeKeys.TRAIN", 100, 10, 1, R"("pid": 77, "step_num": "4")"),
                             "Step:ModeKeys.TRAIN"));
  const auto profile = load(folder.path() / "job");
  REQUIRE(profile->ranks.size() == 4);
  REQUIRE(profile->nodes.size() == 3);
  CHECK(profile->nodes[0].label == "algo-1");
  CHECK(profile->nodes[1].label == "algo-2");
  CHECK(profile->nodes[2].label == "algo-10");
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(profile->ranks[i]->number == static_cast<std::int64_t>(i));  // not the process id, which is 77
    CHECK_FALSE(profile->ranks[i]->number_assigned);
    CHECK(profile->ranks[i]->process == 77);
    CHECK(profile->ranks[i]->steps.size() == 1);
  }
}

TEST_CASE("system metrics belong to the node of the process, at the same time") {
  const TestFolder folder;
  folder.write(kFirst, timeline_of(timeline_slice("a", 0, 2'000'000)));
  folder.write("job/profiler-output/system/incremental/2020071317/1594662600.algo-1.json",
               metrics_line("1594662605.925850", "40.0") + metrics_line("1594662606.425850", "60.0"));
  const auto profile = load(folder.path());
  REQUIRE(profile->nodes.size() == 1);
  REQUIRE(profile->nodes.front().metrics != trace::Node::kNone);
  CHECK_FALSE(profile->nodes.front().metrics_by_order);
  CHECK(profile->metrics.front()->span().begin - profile->ranks.front()->span.begin == 500'000 * kTimelineUnit);
  CHECK(profile->diagnostics.empty());
}

TEST_CASE("a file that is still being written is shown up to its current end") {
  const TestFolder folder;
  folder.write(kFirst, timeline_of(timeline_slice("a", 100, 10)));
  std::string text = timeline_of(timeline_slice("b", 300, 10) + ",\n" + timeline_slice("c", 320, 10) + ",");
  text.resize(text.rfind(']'));
  const std::string buffered = timeline_slice("d", 340, 10);
  const bool within_event = GENERATE(false, true);
  folder.write(kOpenFile, text + (within_event ? buffered.substr(0, buffered.find("\"dur\"")) : ""));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 1);
  CHECK(shown_slices(*profile, *profile->ranks.front()).size() >= 3);
  CHECK(profile->diagnostics.count("truncated") == 0);
  CHECK(profile->diagnostics.count("open-timeline") == (within_event ? 1 : 0));
  CHECK_FALSE(trace::unfinished(profile->diagnostics, profile->ranks.front()->source.path));
}

TEST_CASE("diagnostics of a group have the file and the offset in it") {
  const TestFolder folder;
  folder.write(kFirst, timeline_of(timeline_slice("a", 100, 10)));
  const std::string end = R"({"name": "", "pid": 1, "ph": "E", "ts": 400})";
  const std::string text = timeline_of(timeline_slice("b", 300, 10) + ",\n" + end);
  folder.write(kSecond, text);
  std::string damaged = timeline_of(timeline_slice("x", 100, 5) + ",\n" + timeline_slice("y", 110, 5), "DataIterator");
  const std::size_t hole = damaged.find("{\"name\": \"x\"");
  std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(hole), 20, '\0');
  folder.write(kModel, damaged);
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 1);
  const Diagnostics& diagnostics = profile->ranks.front()->diagnostics;
  const Diagnostic* const lonely = find_diagnostic(diagnostics, "end-without-begin");
  REQUIRE(lonely != nullptr);
  CHECK(lonely->file == (folder.path() / kSecond).string());
  CHECK(lonely->offset == text.find(end));
  CHECK(std::ranges::any_of(diagnostics.all(), [&](const Diagnostic& one) {
    return one.file == (folder.path() / kModel).string() && one.offset != Diagnostic::kNoOffset &&
           one.offset < damaged.size();
  }));
  CHECK(find_slice(shown_slices(*profile, *profile->ranks.front()), "y") != nullptr);
}

TEST_CASE("a truncated file makes the results of its process partial; garbage is skipped") {
  const TestFolder folder;
  folder.write(kFirst, timeline_of(timeline_slice("a", 100, 10)));
  std::string text = timeline_of(timeline_slice("b", 300, 10) + ",\n" + timeline_slice("c", 320, 10));
  text.resize(text.rfind("\"dur\""));
  folder.write(kSecond, text);
  folder.write(kModel, "not JSON at all");
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 1);
  const auto slices = shown_slices(*profile, *profile->ranks.front());
  CHECK(find_slice(slices, "a") != nullptr);
  CHECK(find_slice(slices, "b") != nullptr);
  CHECK(profile->diagnostics.count("not-a-trace") >= 1);
  CHECK(trace::unfinished(profile->diagnostics, profile->ranks.front()->source.path));
}

TEST_CASE("arguments of every file of a group are found, from the files and from the store") {
  const TestFolder folder;
  const TestFolder cache;
  folder.write(kFirst, timeline_of(timeline_slice("a", 100, 10, 1, R"("which": "first")")));
  folder.write(kSecond, timeline_of(timeline_slice("b", 300, 10, 1, R"("layer_name": "conv1", "which": "second")")));
  folder.write(kModel, timeline_of(timeline_slice("n", 100, 5, 1, R"("which": "model")"), "DataIterator"));
  ingest::LoadOptions options;
  options.store.folder = cache.path().string();
  for (const bool stored : {false, true}) {
    ingest::Loader loader(folder.path().string(), options);
    loader.wait();
    REQUIRE(loader.profile());
    REQUIRE(loader.profile()->ranks.size() == 1);
    const trace::Rank& rank = *loader.profile()->ranks.front();
    CHECK(loader.status().files.front().from_store == stored);
    const auto slices = shown_slices(*loader.profile(), rank);
    CHECK(arguments_of(loader, rank, find_slice(slices, "a")->ordinal, "args.which") == "first");
    CHECK(arguments_of(loader, rank, find_slice(slices, "conv1")->ordinal, "args.which") == "second");
    CHECK(arguments_of(loader, rank, find_slice(slices, "conv1")->ordinal, "name") == "b");
    CHECK(arguments_of(loader, rank, find_slice(slices, "n")->ordinal, "args.which") == "model");
    if (!stored) REQUIRE(loader.keep(CancelToken()).ok());
  }
  // Another file makes the store outdated.
  folder.write(kOpenFile, timeline_of(timeline_slice("d", 500, 10)));
  ingest::Loader again(folder.path().string(), options);
  again.wait();
  CHECK_FALSE(again.status().files.front().from_store);
  CHECK(shown_slices(*again.profile(), *again.profile()->ranks.front()).size() == 4);
}

TEST_CASE("watching adds new files of a process") {
  const TestFolder folder;
  folder.write(kFirst, timeline_of(timeline_slice("a", 100, 10)));
  const auto before = ingest::discover(folder.path());
  REQUIRE(before.ok());
  REQUIRE(before->sources.size() == 1);
  CHECK(is_group(before->sources.front().path));
  folder.write(kSecond, timeline_of(timeline_slice("b", 300, 10)));
  const auto after = ingest::discover(folder.path(), &*before);
  REQUIRE(after.ok());
  const auto changes = ingest::changes_between(before->sources, after->sources);
  REQUIRE(changes.size() == 1);
  CHECK(changes.front().kind == ingest::SourceChange::Kind::changed);
  CHECK(changes.front().source.path == before->sources.front().path);
}
