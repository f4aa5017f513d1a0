// Several recordings, jobs and copies in one directory, and inconsistent clocks.
#include "core/trace/recordings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "core/analysis/information/profile_summary.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct RecordedRank {
  int rank = 0;
  int world = 2;
  double start = 0;  ///< ms
  int first_step = 1;
  int collectives = 2;
  double late = 0;  ///< ms, in each collective
};

/// Two steps of 100 ms with a collective of 40 ms in the middle of each.
std::string recorded(const RecordedRank& of) {
  TinyEvents events;
  const double start = 1'000'000 + of.start * 1000;
  for (int i = 0; i < 2; ++i) {
    const std::string arguments =
        fmt::format(R"("Collective name":"allreduce","Process Group Name":"0","Group size":{},"Seq":{})", of.world, i);
    events.step(of.first_step + i, start + i * 100'000, 100'000);
    events.launch(start + i * 100'000 + 10, i + 1);
    events.run({.name = i < of.collectives ? "ncclDevKernel_AllReduce" : "gemm",
                .begin = start + i * 100'000 + 30'000 + of.late * 1000,
                .length = 40'000 - of.late * 1000,
                .correlation = i + 1,
                .stream = 20,
                .device = of.rank,
                .arguments = i < of.collectives ? arguments : ""});
  }
  return trace_of(events.text(),
                  fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": {}}})", of.rank, of.world));
}

const Diagnostic* found(const trace::Profile& profile, std::string_view code) {
  const auto& all = profile.diagnostics.all();
  const auto at = std::ranges::find(all, code, &Diagnostic::code);
  return at == all.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("equal steps that never overlap in time are reported as disagreeing clocks") {
  const TestFolder folder;
  folder.write("rank0.json", recorded({.rank = 0}));
  folder.write("rank1.json", recorded({.rank = 1, .start = 10'000, .late = 5}));
  const auto profile = load(folder.path());
  const Diagnostic* apart = found(*profile, "clocks-apart");
  REQUIRE(apart != nullptr);
  CHECK(apart->file == (folder.path() / "rank1.json").string());
  CHECK(apart->example == "its steps are 10.0 s after those of " + (folder.path() / "rank0.json").string());
  CHECK(tables_of(*profile, "gpu_active_time")[0].note.starts_with("The ranks' clocks disagree"));
  // Durations do not depend on clocks.
  CHECK(tables_of(*profile, "late_ranks")[0].note.find("clocks disagree") == std::string::npos);
}

TEST_CASE("clocks do not disagree if ranks overlap or have different steps or collectives") {
  const RecordedRank other =
      GENERATE(RecordedRank{.rank = 1, .start = 150}, RecordedRank{.rank = 1, .start = 500, .first_step = 7},
               RecordedRank{.rank = 1, .start = 500, .collectives = 0});
  const TestFolder folder;
  folder.write("rank0.json", recorded({.rank = 0}));
  folder.write("rank1.json", recorded(other));
  const auto profile = load(folder.path());
  CHECK(found(*profile, "clocks-apart") == nullptr);
  CHECK(tables_of(*profile, "gpu_active_time")[0].note.find("clocks disagree") == std::string::npos);
}

TEST_CASE("steps that only touch those of the first rank are before or after them") {
  const auto [first, second, words] = GENERATE(std::tuple(200., 0., "before"), std::tuple(0., 200., "after"));
  const TestFolder folder;
  folder.write("rank0.json", recorded({.rank = 0, .start = first}));
  folder.write("rank1.json", recorded({.rank = 1, .start = second}));
  const auto profile = load(folder.path());
  const Diagnostic* apart = found(*profile, "clocks-apart");
  REQUIRE(apart != nullptr);
  CHECK(apart->example ==
        fmt::format("its steps are 200 ms {} those of {}", words, (folder.path() / "rank0.json").string()));
}

TEST_CASE("recordings more than a day apart are reported even without equal steps") {
  constexpr double kDayMs = 86'400'000;
  const auto apart_by = [](double start) {
    const TestFolder folder;
    folder.write("rank0.json", recorded({.rank = 0}));
    folder.write("rank1.json", recorded({.rank = 1, .start = start, .first_step = 7}));
    const auto profile = load(folder.path());
    const Diagnostic* apart = found(*profile, "clocks-apart");
    return apart == nullptr ? std::string() : apart->example.substr(0, apart->example.find(" from"));
  };
  CHECK(apart_by(kDayMs + 100).empty());
  CHECK(apart_by(kDayMs + 300) == "more than a day apart");
}

TEST_CASE("steps with the same name are matched across ranks in order") {
  const TestFolder folder;
  for (int rank = 0; rank < 2; ++rank) {
    TinyEvents events;
    for (int i = 0; i < 3; ++i) {
      events.step(1, 1'000'000 + i * 10'000 + rank * 1'000, 5'000);
      events.launch(1'000'000 + i * 10'000 + rank * 1'000 + 10, i + 1);
      events.run({.name = "gemm",
                  .begin = 1'000'000. + i * 10'000 + rank * 1'000 + 100,
                  .length = 100,
                  .correlation = i + 1,
                  .stream = 7,
                  .device = rank});
    }
    folder.write(fmt::format("rank{}.json", rank),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 2}})", rank)));
  }
  const auto profile = load(folder.path());
  REQUIRE(profile->steps.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(profile->steps[i].time.begin == profile->steps[0].time.begin + static_cast<Ns>(i) * 10'000'000);
    CHECK(profile->steps[i].time.length() == 6'000'000);
  }
}

TEST_CASE("ranks of different world sizes are not compared") {
  const TestFolder folder;
  for (int rank = 0; rank < 3; ++rank)
    folder.write(fmt::format("large/rank{}.json", rank), recorded({.rank = rank, .world = 3, .late = rank * 2.0}));
  for (int rank = 0; rank < 2; ++rank)
    folder.write(fmt::format("small/rank{}.json", rank), recorded({.rank = rank, .world = 2, .late = rank * 10.0}));
  const auto profile = load(folder.path());
  CHECK(profile->diagnostics.count("world-sizes-differ") == 2);
  const Diagnostic* differ = found(*profile, "world-sizes-differ");
  REQUIRE(differ != nullptr);
  CHECK(differ->file == (folder.path() / "small/rank0.json").string());
  CHECK(differ->example == "world size 2; most files: 3");
  CHECK(found(*profile, "duplicate-rank") == nullptr);
  CHECK(found(*profile, "ranks-missing") == nullptr);
  CHECK(profile->steps.size() == 4);
  // Rank, collectives, times last, waited and wait caused per step, cause.
  const auto rows = row_texts(tables_of(*profile, "late_ranks", {{"clocks", "recorded"}})[0]);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].starts_with("1 2 2 0 10000000"));
  CHECK(rows[1].starts_with("2 2 2 0 5000000"));
}

TEST_CASE("files of one rank at disjoint times are separate recordings") {
  const TestFolder folder;
  for (int rank = 0; rank < 2; ++rank)
    for (int cycle = 0; cycle < 2; ++cycle)
      folder.write(fmt::format("rank{}_{}.json", rank, 9 - cycle),
                   recorded({.rank = rank, .start = cycle * 30'000.0, .late = rank * (cycle == 0 ? 4.0 : 1.0)}));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 4);
  CHECK(trace::recordings_of(profile->ranks).of_rank == std::vector<std::uint32_t>{1, 0, 1, 0});
  CHECK(found(*profile, "duplicate-rank") == nullptr);
  CHECK(found(*profile, "clocks-apart") == nullptr);
  CHECK(profile->diagnostics.count("several-recordings") == 2);
  CHECK(profile->steps.size() == 4);
  std::vector<std::string> notes;
  for (const trace::TreeEntry& entry : profile->tree.entries)
    if (entry.kind == trace::TreeKind::process && entry.note.starts_with("rank 0")) notes.push_back(entry.note);
  std::ranges::sort(notes);
  CHECK(notes == std::vector<std::string>{"rank 0 · recording 1, from 0 ns", "rank 0 · recording 2, from 30.0 s"});
  const auto rows = row_texts(tables_of(*profile, "late_ranks", {{"clocks", "recorded"}})[0]);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].starts_with("1 2 2 0 4000000"));
  CHECK(rows[1].starts_with("1 2 2 0 1000000"));
}

TEST_CASE("a rank with one file is assigned to the recording nearest in time") {
  const TestFolder folder;
  folder.write("a.json", recorded({.rank = 0}));
  folder.write("b.json", recorded({.rank = 0, .start = 30'000}));
  folder.write("c.json", recorded({.rank = 1, .start = 30'001}));
  CHECK(trace::recordings_of(load(folder.path())->ranks).of_rank == std::vector<std::uint32_t>{0, 1, 1});
}

TEST_CASE("files of one process without a rank are recordings of one rank") {
  const auto nameless = [](double start) {
    TinyEvents events;
    events.step(1, 1'000'000 + start * 1000, 100'000);
    return trace_of(events.text());
  };
  const TestFolder folder;
  folder.write("host_41.1000.pt.trace.json", nameless(0));
  folder.write("host_41.2000.pt.trace.json", nameless(30'000));
  folder.write("host_42.1001.pt.trace.json", nameless(1));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 3);
  std::vector<std::int64_t> numbers;
  for (const auto& rank : profile->ranks) numbers.push_back(rank->number);
  CHECK(numbers == std::vector<std::int64_t>{0, 0, 1});
  CHECK(profile->diagnostics.count("several-recordings") == 1);
  CHECK(trace::count_ranks(profile->ranks) == 2);
  CHECK(analysis::summarize(*profile).ranks == 2);
  CHECK(analysis::summarize(*profile).steps == 2);  // one in each recording
  const Diagnostic* assumed = found(*profile, "ranks-assumed");
  REQUIRE(assumed != nullptr);
  CHECK(assumed->count == 3);
  CHECK(assumed->severity == Severity::warning);
  CHECK(assumed->example == (folder.path() / "host_41.1000.pt.trace.json").string() + " is shown as rank 0, " +
                                (folder.path() / "host_42.1001.pt.trace.json").string() + " as rank 1");

  CHECK(trace::assumed_ranks_note(profile->ranks) ==
        "Ranks are numbered in file order: the traces do not contain them.");

  const TestFolder one_process;
  one_process.write("host_41.1000.pt.trace.json", nameless(0));
  one_process.write("host_41.2000.pt.trace.json", nameless(30'000));
  const auto alone = load(one_process.path());
  CHECK(found(*alone, "ranks-assumed") == nullptr);
  CHECK(trace::assumed_ranks_note(alone->ranks).empty());

  const TestFolder runs;
  runs.write("host_41.1000.pt.trace.json", nameless(0));
  runs.write("host_42.2000.pt.trace.json", nameless(30'000));
  const auto two_runs = load(runs.path());
  const Diagnostic* apart = found(*two_runs, "ranks-assumed");
  REQUIRE(apart != nullptr);
  CHECK(apart->example.ends_with("; they are 29.9 s apart, which suggests two runs"));
}

TEST_CASE("forked processes and other recorders are parts of a rank") {
  const auto part = [](const std::string& metadata) {
    TinyEvents events;
    events.step(1, 1'000'000, 100'000);
    return trace_of(events.text(), R"("distributedInfo": {"rank": 0, "world_size": 1})" + metadata);
  };
  const TestFolder folder;
  folder.write("a.json", part(""));
  folder.write("b.json", part(R"(, "recordedBy": "warpscope_annotations")"));
  folder.write("c.json", part(R"(, "recordedBy": "smprof", "parentProcess": 41)"));
  const auto profile = load(folder.path());
  CHECK(profile->ranks.size() == 3);
  CHECK(found(*profile, "duplicate-rank") == nullptr);
  folder.write("d.json", part(R"(, "recordedBy": "warpscope_annotations", "another": 1)"));
  CHECK(load(folder.path())->diagnostics.count("duplicate-rank") == 1);
}

TEST_CASE("files with equal content count once") {
  const std::string with_rank = recorded({.rank = 0, .world = 1});
  const std::string nameless = trace_of(kernel_event("k"));
  for (const std::string& text : {with_rank, nameless}) {
    const TestFolder folder;
    folder.write("a.json", text);
    folder.write("a.json.gz", gzip(text));
    const auto profile = load(folder.path());
    REQUIRE(profile->ranks.size() == 1);
    CHECK(profile->ranks[0]->source.path == (folder.path() / "a.json").string());
    const Diagnostic* same = found(*profile, "same-content");
    REQUIRE(same != nullptr);
    CHECK(same->file == (folder.path() / "a.json.gz").string());
    CHECK(same->example == "same as " + (folder.path() / "a.json").string());
    CHECK(found(*profile, "duplicate-rank") == nullptr);
  }
  // A different digit makes a different file, and different names mean different ranks.
  const TestFolder folder;
  folder.write("a.json", with_rank);
  std::string other = with_rank;
  other.replace(other.rfind("40000"), 5, "40001");
  folder.write("a.json.gz", gzip(other));
  CHECK(load(folder.path())->ranks.size() == 2);
  const TestFolder named;
  named.write("a.json", nameless);
  named.write("b.json", nameless);
  CHECK(load(named.path())->ranks.size() == 2);
}
