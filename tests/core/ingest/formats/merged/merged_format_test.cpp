// Files into which a tool merged the ranks of a job. Their ranks must equal those from the job's separate files,
// whatever the tool did to ids.
#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "core/base/file_group.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/formats/trace_events/merged_layout.hpp"
#include "core/trace/clock_check.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/formats/merged/merged_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using tracegen::Merge;

namespace {

/// Device, stream, duration, name and bytes of all GPU activity, and the name of its launch.
using LinkedRun =
    std::tuple<std::int64_t, std::int64_t, Ns, std::string, std::optional<std::uint64_t>, std::string, Ns>;

std::multiset<LinkedRun> linked_runs_of(const trace::Profile& profile, const trace::Rank& rank) {
  std::multiset<LinkedRun> runs;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::stream) continue;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l)
      for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i) {
        const trace::SliceOrdinal slice = rank.ordinal({l, i});
        if (!trace::is_run(profile.dictionary->categories.role(rank.category(slice)))) continue;
        const trace::Connection* const launch = rank.launches.cause_of(slice);
        runs.emplace(track.process, track.id, rank.duration(slice), std::string(profile.names().view(rank.name(slice))),
                     rank.bytes(slice),
                     launch == nullptr ? "" : std::string(profile.names().view(rank.name(launch->from))),
                     launch == nullptr ? 0 : rank.begin(slice) - rank.begin(launch->from));
      }
  }
  return runs;
}

/// Forward and backward operators connected by an arrow.
std::multiset<std::pair<std::string, std::string>> arrows_of(const trace::Profile& profile, const trace::Rank& rank) {
  std::multiset<std::pair<std::string, std::string>> arrows;
  for (const trace::Connection& pair : rank.forward_backward.all())
    arrows.emplace(profile.names().view(rank.name(pair.from)), profile.names().view(rank.name(pair.to)));
  return arrows;
}

void check_same_ranks(const trace::Profile& separate, const trace::Profile& merged) {
  REQUIRE(merged.ranks.size() == separate.ranks.size());
  for (std::size_t r = 0; r < merged.ranks.size(); ++r) {
    const trace::Rank& expected = *separate.ranks[r];
    const trace::Rank& rank = *merged.ranks[r];
    INFO(rank.source.path);
    CHECK(rank.number == expected.number);
    CHECK(linked_runs_of(merged, rank) == linked_runs_of(separate, expected));
    CHECK(arrows_of(merged, rank) == arrows_of(separate, expected));
    CHECK(rank.counts.launches == expected.counts.launches);
    CHECK(rank.steps.size() == expected.steps.size());
    CHECK(rank.annotations == expected.annotations);
    CHECK(rank.devices.size() == expected.devices.size());
    CHECK(rank.forward_backward.size() > 0);
    CHECK(rank.diagnostics.count("several-launches-of-one-id") == 0);
  }
  CHECK(merged.gpus == separate.gpus);
  for (const char* analysis : {"kernel_time", "collectives"}) {
    const auto rows = row_texts(tables_of(separate, analysis).front());
    CHECK(rows == row_texts(tables_of(merged, analysis).front()));
    CHECK_FALSE(rows.empty());
  }
}

/// A file that lives as long as its profile, so that arguments can be read.
class MergedFile {
 public:
  explicit MergedFile(const std::string& text, const std::string& name = "merged.json")
      : profile_(load(folder_.write(name, text))) {}
  const trace::Profile& operator*() const { return *profile_; }
  const trace::Profile* operator->() const { return profile_.get(); }

 private:
  TestFolder folder_;
  std::shared_ptr<const trace::Profile> profile_;
};

std::uint64_t count_in_rank(const trace::Rank& rank, std::string_view code) { return rank.diagnostics.count(code); }

}  // namespace

TEST_CASE("a merged file has the ranks and values of the separate files, regardless of the merge tool") {
  const MergedJob job(2, 2);
  const auto separate = load(job.separate());
  for (const Merge merge : {Merge::sglang, Merge::tracelens, Merge::veomni, Merge::pid}) {
    CAPTURE(static_cast<int>(merge));
    const MergedFile merged(job.merged(merge));
    check_same_ranks(*separate, *merged);
    CHECK(merged->nodes.size() == 2);
    CHECK(merged->diagnostics.count("clocks-unverified") == 4);
    CHECK_FALSE(trace::clock_note(*merged).empty());
    CHECK(merged->diagnostics.count("duplicate-rank") == 0);
    CHECK(merged->diagnostics.count("ranks-missing") == 0);
    CHECK(merged->diagnostics.count("ranks-assumed") == 0);
    for (const auto& rank : merged->ranks) CHECK(&ingest::format_of(*rank) != ingest::trace_formats().front());
  }
  CHECK(trace::clock_note(*separate).empty());
}

TEST_CASE("findings mention clocks and missing labels of a merged file only where they matter") {
  const auto quality = [](const trace::Profile& profile) {
    std::string sentences;
    const rules::Evaluation evaluation = rules_evaluated(profile);
    for (const rules::Finding& finding : outcome_of(evaluation, "TraceQuality").findings) {
      sentences += finding.headline;
      for (const std::string& line : finding.evidence_lines) sentences += line;
    }
    return sentences;
  };
  const MergedJob job(2, 2);
  // Its collectives show that the clocks agree.
  CHECK(quality(*MergedFile(job.merged(Merge::sglang))).find("unverified") == std::string::npos);
  const std::string unlabeled = quality(*MergedFile(job.merged(Merge::unlabeled)));
  CHECK(unlabeled.find("A file contains several unlabeled ranks") != std::string::npos);
  CHECK(unlabeled.find("before the recording started") == std::string::npos);
}

TEST_CASE("a merged file is read from gzip and zstd") {
  const MergedJob job(2, 1);
  const auto separate = load(job.separate());
  check_same_ranks(*separate, *MergedFile(gzip(job.merged(Merge::sglang)), "merged.json.gz"));
  check_same_ranks(*separate, *MergedFile(zstd(job.merged(Merge::veomni)), "merged.json.zst"));
}

TEST_CASE("positions on axes of parallelism are not ranks: they are counted and shown") {
  const MergedJob job(2, 2);
  const MergedFile profile(job.merged(Merge::sglang));
  REQUIRE(profile->ranks.size() == 4);
  std::vector<std::string> labels;
  for (const auto& rank : profile->ranks) {
    CHECK(rank->number_assigned);
    labels.emplace_back(label_in_merged(rank->source.path));
    // Process groups are those of the first rank only.
    CHECK(rank->world_size == 4);
    CHECK(rank->properties.at("distributedInfo") == R"({"backend": "nccl", "world_size": 4})");
    CHECK(rank->host.empty());
  }
  CHECK(labels == std::vector<std::string>{"TP00-DP00", "TP01-DP00", "TP00-DP01", "TP01-DP01"});
  const auto shown = std::ranges::count_if(profile->tree.entries, [](const trace::TreeEntry& entry) {
    return entry.kind == trace::TreeKind::process && entry.note == "rank 3 · TP01-DP01";
  });
  CHECK(shown == 1);
  const MergedFile numbered(job.merged(Merge::veomni));
  for (const auto& rank : numbered->ranks) CHECK_FALSE(rank->number_assigned);
}

TEST_CASE("a truncated merged file lacks the end of its last rank, or of all if events are sorted by time") {
  const MergedJob job(2, 1);
  const std::string joined = job.merged(Merge::sglang);
  const MergedFile one(joined.substr(0, joined.size() * 9 / 10));
  REQUIRE(one->ranks.size() == 2);
  CHECK(count_in_rank(*one->ranks[0], "truncated") == 0);
  CHECK(count_in_rank(*one->ranks[1], "truncated") == 1);
  CHECK(linked_runs_of(*one, *one->ranks[0]) == linked_runs_of(*load(job.separate()), *load(job.separate())->ranks[0]));
  const std::string sorted = job.merged(Merge::veomni);
  const MergedFile all(sorted.substr(0, sorted.size() * 9 / 10));
  REQUIRE(all->ranks.size() == 2);
  for (const auto& rank : all->ranks) CHECK(count_in_rank(*rank, "truncated") == 1);
  const MergedFile packed(gzip(joined).substr(0, gzip(joined).size() * 9 / 10), "merged.json.gz");
  REQUIRE(packed->ranks.size() == 2);
  CHECK(count_in_rank(*packed->ranks[1], "input-damaged") + count_in_rank(*packed->ranks[1], "truncated") > 0);
}

TEST_CASE("a file merged without labels is one rank, without links if launches of several processes conflict") {
  const MergedJob job(1, 2);  // both ranks use GPU 0
  const MergedFile profile(job.merged(Merge::unlabeled));
  REQUIRE(profile->ranks.size() == 1);
  const trace::Rank& rank = *profile->ranks.front();
  CHECK(rank.launches.size() == 0);
  CHECK(rank.counts.runs > 0);
  CHECK(count_in_rank(rank, "launches-of-several-processes") == rank.counts.runs);
  CHECK(count_in_rank(rank, "several-launches-of-one-id") == 0);
  for (const trace::Track& track : rank.tracks)
    if (track.kind == trace::TrackKind::thread) CHECK(track.device == -1);
}

TEST_CASE("a folder may contain merged and separate files of one job") {
  const MergedJob job(4, 1);
  const TestFolder folder;
  folder.write("merged.json", job.merged(Merge::veomni, 2));
  job.write_separate(folder, 2);
  const auto profile = load(folder.path());
  check_same_ranks(*load(job.separate()), *profile);
  CHECK(profile->diagnostics.count("duplicate-rank") == 0);
  CHECK(profile->diagnostics.count("clocks-unverified") == 2);

  const TestFolder twice;  // the ranks of the merged file are there, too
  twice.write("merged.json", job.merged(Merge::veomni, 2));
  job.write_separate(twice, 1);
  CHECK(load(twice.path())->diagnostics.count("duplicate-rank") == 1);
}

TEST_CASE("the file that SGLang writes next to those it merged is skipped there and read when opened alone") {
  const MergedJob job(2, 1);
  const TestFolder folder;
  const std::string merged = gzip(job.merged(Merge::sglang));
  folder.write("merged-17.trace.json.gz", merged);
  for (std::size_t i = 0; i < job.texts().size(); ++i)
    folder.write("17-TP-" + std::to_string(i) + ".trace.json.gz", gzip(job.texts()[i]));
  const auto both = load(folder.path());
  CHECK(both->ranks.size() == 2);
  CHECK(both->diagnostics.count("merged-beside-traces") == 1);
  CHECK(both->diagnostics.count("clocks-unverified") == 0);
  CHECK(load(folder.path() / "merged-17.trace.json.gz")->ranks.size() == 2);

  const TestFolder other;
  other.write("merged-17.trace.json.gz", merged);
  other.write("18-TP-0.trace.json.gz", gzip(job.texts().front()));
  CHECK(load(other.path())->ranks.size() == 3);
}

TEST_CASE("process names that come after their events identify the ranks in a second pass") {
  const std::string runs =
      R"({"ph":"X","cat":"gpu_user_annotation","name":"step","pid":900,"tid":7,"ts":100,"dur":50},)"
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":900,"tid":5,"ts":90,"dur":5,"args":{"correlation":5}},)"
      R"({"ph":"X","cat":"kernel","name":"a","pid":900,"tid":7,"ts":110,"dur":10,"args":{"device":3,"stream":7,"correlation":5}},)"
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":901,"tid":5,"ts":91,"dur":5,"args":{"correlation":5}},)"
      R"({"ph":"X","cat":"kernel","name":"b","pid":901,"tid":7,"ts":111,"dur":10,"args":{"device":3,"stream":7,"correlation":5}})";
  const auto name = [](int pid, const std::string& text) {
    return R"({"ph":"M","name":"process_name","pid":)" + std::to_string(pid) + R"(,"args":{"name":")" + text + "\"}}";
  };
  const MergedFile profile(trace_of(runs + "," + name(900, "trainer rank-6") + "," + name(901, "RANK 2 - GPU")));
  REQUIRE(profile->ranks.size() == 2);
  CHECK(profile->ranks[0]->number == 2);
  CHECK(profile->ranks[1]->number == 6);
  for (const auto& rank : profile->ranks) {
    CHECK(rank->launches.size() == 1);
    REQUIRE(rank->devices.size() == 1);
    CHECK(rank->devices[0].id == 3);  // of annotations, too
  }
}

TEST_CASE("a rank numbered by its process keeps its devices separate") {
  std::string events = R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"Rank 0"}},)"
                       R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"Rank 1"}})";
  for (int i = 0; i < 40; ++i)
    events += R"(,{"ph":"X","cat":"kernel","name":"a","pid":)" + std::to_string(i % 2) + R"(,"tid":7,"ts":)" +
              std::to_string(100 + i * 10) + R"(,"dur":5,"args":{"device":)" + std::to_string(i / 2 % 2) +
              R"(,"stream":7}})";
  const MergedFile profile(trace_of(events));
  REQUIRE(profile->ranks.size() == 2);
  for (const auto& rank : profile->ranks) {
    REQUIRE(rank->tracks.size() == 2);
    REQUIRE(rank->devices.size() == 2);
    for (std::size_t d = 0; d < 2; ++d) {
      CHECK(rank->tracks[d].process == static_cast<std::int64_t>(d));
      CHECK(rank->lanes[rank->tracks[d].first_lane].size() == 10);
    }
  }
}

TEST_CASE("a trace in which a process is named like a rank, but GPU activity has no rank, is read as one") {
  const std::string named = R"({"ph":"M","name":"process_name","pid":40,"args":{"name":"Rank 0"}},)"
                            R"({"ph":"M","name":"process_name","pid":41,"args":{"name":"Rank 1"}},)"
                            R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":40,"tid":40,"ts":1,"dur":9},)"
                            R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":41,"tid":41,"ts":1,"dur":9},)";
  const MergedFile profile(trace_of(named + kernel_event("gemm")));
  REQUIRE(profile->ranks.size() == 1);
  CHECK(profile->ranks[0]->counts.slices == 3);
  CHECK(label_in_merged(profile->ranks[0]->source.path).empty());
  CHECK(&ingest::format_of(*profile->ranks[0]) == ingest::trace_formats().front());
}

TEST_CASE("a merged file whose first events are late is recognized by its devices") {
  std::string devices;
  for (int i = 0; i < 1000; ++i)
    devices += std::string(i > 0 ? "," : "") + R"({"id":)" + std::to_string(i % 8) + R"(,"name":"Rank )" +
               std::to_string(i) + R"( - NVIDIA H100"})";
  REQUIRE(devices.size() > ingest::kFormatHead);
  const auto run = [](int rank) {
    return R"({"ph":"X","cat":"kernel","name":"[R)" + std::to_string(rank) + R"(] a","pid":)" +
           std::to_string(rank * 1000 + rank) + R"(,"tid":)" + std::to_string(rank * 1000 + 7) +
           R"(,"ts":1,"dur":2,"args":{"device":)" + std::to_string(rank) + R"(,"stream":7}})";
  };
  const MergedFile profile(
      trace_of(run(0) + "," + run(1), R"("schemaVersion":1,"deviceProperties":[)" + devices + "]"));
  REQUIRE(profile->ranks.size() == 2);
  REQUIRE(profile->ranks[1]->devices.size() == 1);
  CHECK(profile->ranks[1]->devices[0].id == 1);
  CHECK(profile->ranks[1]->devices[0].model == "NVIDIA H100");
  CHECK(profile->ranks[1]->tracks.front().label == "stream 7");
}

TEST_CASE("an event without a label is assigned to the surrounding rank") {
  const auto event = [](const std::string& name, const std::string& pid, int at) {
    return R"({"ph":"X","cat":"cpu_op","name":")" + name + R"(","pid":)" + pid + R"(,"tid":1,"ts":)" +
           std::to_string(at) + R"(,"dur":5})";
  };
  const MergedFile profile(trace_of(event("early", "8", 1) + "," + event("a", "\"[TP0] 8\"", 10) + "," +
                                    event("b", "\"[TP1] 8\"", 20) + "," + event("c", "\"[TP1] 8\"", 30) + "," +
                                    event("late", "8", 40) + "," + event("d", "\"[TP0] 8\"", 50)));
  REQUIRE(profile->ranks.size() == 2);
  CHECK(profile->ranks[0]->counts.slices == 3);  // early, a, d
  CHECK(profile->ranks[1]->counts.slices == 3);  // b, c, late
}

TEST_CASE("labels of merged files") {
  using namespace ingest::merged;
  CHECK(split_axes("[TP00-DP01-PP00-EP00] 83").axes == "TP00-DP01-PP00-EP00");
  CHECK(split_axes("[TP00-DP01-PP00-EP00] 83").rest == "83");
  CHECK(split_axes("[EP3]Spans").rest == "Spans");
  for (const char* other : {"83", "[]", "[TP] 8", "[XY00] 8", "[TP00", "[TP00-] 8", "[rank 3] 8", "[Unknown] 8"})
    CHECK(split_axes(other).axes.empty());
  CHECK(split_rank("[R13] aten::mm")->rank == 13);
  CHECK(split_rank("[R13] aten::mm")->rest == "aten::mm");
  for (const char* other : {"aten::mm", "[R] a", "[Rx] a", "[R3", "[R9999999999] a"}) CHECK_FALSE(split_rank(other));
  CHECK(label_in_name("Rank 3")->number == 3);
  CHECK(label_in_name("RANK 12 - GPU")->text == "rank 12");
  CHECK(label_in_name("[TP01-DP00] python")->text == "TP01-DP00");
  CHECK_FALSE(label_in_name("[TP01-DP00] python")->number);
  for (const char* other : {"python", "rank", "crank 3", "ranking 3"}) CHECK_FALSE(label_in_name(other));
}

TEST_CASE("ordinary traces are not mistaken for merged files") {
  const MergedJob job(2, 1);
  for (const std::string& text : job.texts())
    CHECK(ingest::merged::layout_of(std::string_view(text).substr(0, ingest::kFormatHead)) ==
          ingest::merged::Layout::none);
  const std::string words =
      trace_of(R"({"ph":"X","cat":"user_annotation","name":"[R3] rank 3","pid":1,"tid":1,"ts":1,"dur":1},)" +
                   kernel_event("a") + "," + kernel_event("b"),
               R"("distributedInfo": {"rank": 3, "world_size": 8})");
  CHECK(ingest::merged::layout_of(words) == ingest::merged::Layout::none);
  CHECK(MergedFile(words)->ranks.front()->number == 3);
}
