// Framework timelines from SageMaker Debugger's own tests. Expected values are counted in the text of the files.
#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "core/ingest/load/event_lookup.hpp"
#include "tests/core/ingest/formats/pevents/timeline_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// Number of lines with this text in all timelines below `folder`.
std::uint64_t lines_with(const fs::path& folder, const std::string& text) {
  std::uint64_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.path().filename().string().ends_with("timeline.json")) continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) count += line.find(text) != std::string::npos ? 1 : 0;
  }
  return count;
}

std::uint64_t slices_named(const std::vector<ShownSlice>& slices, std::string_view name) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(slices, [&](const ShownSlice& slice) { return slice.name == name; }));
}

}  // namespace

TEST_CASE("merge_traces is one process with steps, at absolute times") {
  const auto samples = debugger_samples();
  if (!samples) return;
  const auto profile = load(*samples / "merge_traces");
  REQUIRE(profile->ranks.size() == 1);
  const trace::Rank& rank = *profile->ranks.front();
  CHECK(rank.counts.slices == lines_with(*samples / "merge_traces", R"("ph": "X")"));
  CHECK(rank.counts.slices == 702);
  CHECK(rank.process == 905);
  CHECK(rank.host == "b88ab1bb8259");
  CHECK(rank.steps.size() == 30);
  CHECK(rank.annotations.at("Step:ModeKeys.TRAIN") == 30);
  CHECK(rank.annotations.at("Step:ModeKeys.EVAL") == 10);
  CHECK(profile->names().view(rank.steps.front().name) == "Step:ModeKeys.TRAIN#0");
  CHECK(profile->names().view(rank.steps.back().name) == "Step:ModeKeys.TRAIN#29");
  CHECK(rank.steps.front().time.begin == (1'594'662'605'425'850 + 2'664'345) * kTimelineUnit);
  CHECK(rank.steps.front().time.end - rank.steps.front().time.begin == 9'020'725 * kTimelineUnit);
  const auto slices = shown_slices(*profile, rank);
  const auto first = std::ranges::min_element(slices, {}, &ShownSlice::begin);
  CHECK(first->track == "Step:ModeKeys.TRAIN");
  const auto data = std::ranges::find(slices, std::string("DataIterator"), &ShownSlice::track);
  REQUIRE(data != slices.end());
  CHECK(data->begin == (1'594'662'597'687'738 + 17'127'171) * kTimelineUnit);  // another base
}

TEST_CASE("test_traces has four slices of a process in rotated files, next to system metrics") {
  const auto samples = debugger_samples();
  if (!samples) return;
  const auto profile = load(*samples / "test_traces");
  REQUIRE(profile->ranks.size() == 1);
  const auto slices = shown_slices(*profile, *profile->ranks.front());
  REQUIRE(slices.size() == 4);
  for (const ShownSlice& slice : slices) {
    CHECK(slice.track == "RotationPolicyTest_file_size");
    CHECK(slice.begin >= Ns{1'589'930'980} * 1'000'000'000);
    CHECK(slice.begin + slice.duration <= Ns{1'589'930'995} * 1'000'000'000);
  }
  CHECK(profile->ranks.front()->process == 4487);
  CHECK(!profile->metrics.empty());
}

TEST_CASE("phases keep their names when a file declares them again") {
  const auto samples = debugger_samples();
  if (!samples) return;
  const auto profile = load(*samples / "model_timeline_traces");
  REQUIRE(profile->ranks.size() == 1);
  const trace::Rank& rank = *profile->ranks.front();
  CHECK(rank.counts.slices == 109);
  CHECK(rank.counts.slices == lines_with(*samples / "model_timeline_traces", R"("ph": "X")"));
  const auto slices = shown_slices(*profile, rank);
  const std::uint64_t collectives = lines_with(*samples / "model_timeline_traces", R"("name": "kAllReduce")");
  CHECK(slices_named(slices, "kAllReduce") == collectives);
  for (const ShownSlice& slice : slices) CHECK((slice.track == "NcclManager") == (slice.name == "kAllReduce"));
  // The time window requested by Debugger's test.
  const auto in_window = std::ranges::count_if(slices, [](const ShownSlice& slice) {
    return slice.begin + slice.duration >= 1'590'461'127'873'222 * kTimelineUnit &&
           slice.begin <= 1'590'461'139'949'971 * kTimelineUnit;
  });
  CHECK(in_window == 54);
}

TEST_CASE("impossible durations of Horovod end with the file") {
  const auto samples = debugger_samples();
  if (!samples) return;
  const fs::path folder = *samples / "horovod_timeline_traces";
  const auto profile = load(folder);
  REQUIRE(profile->ranks.size() == 1);
  const trace::Rank& rank = *profile->ranks.front();
  CHECK(lines_with(folder, R"("ph": "X")") == 19);
  CHECK(lines_with(folder, R"("ph": "B")") == 4);
  CHECK(rank.counts.slices == 19);  // the four have no end
  const Diagnostic* const too_long = find_diagnostic(rank.diagnostics, "duration-of-days");
  REQUIRE(too_long != nullptr);
  CHECK(too_long->count == 19);
  CHECK(too_long->file.ends_with("1593673051473228_88359-8c859046be41.ant.amazon.com_horovod_timeline.json"));
  std::ifstream file(too_long->file);
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str().substr(too_long->offset, 40).starts_with(R"({"name": "4", "pid": 1, "ph": "X")"));
  CHECK(rank.diagnostics.count("end-without-begin") == 2);
  CHECK(rank.diagnostics.count("begin-without-end") == 4);
  CHECK(rank.diagnostics.count("absurd-duration") == 0);
  // The last event of the file starts at 9296331.
  CHECK(rank.span.end == (1'592'860'687'560'103 + 9'296'331) * kTimelineUnit);
  const auto slices = shown_slices(*profile, rank);
  const ShownSlice* const first = find_slice(slices, "4");
  REQUIRE(first != nullptr);
  CHECK(std::ranges::any_of(slices, [](const ShownSlice& slice) {
    return slice.begin == 1'592'860'696'000'713 * kTimelineUnit && slice.name == "4";
  }));
  CHECK(slices_named(slices, "CYCLE_START") == 2);
}

TEST_CASE("Debugger's own query finds the same events of Horovod by their recorded durations") {
  const auto samples = debugger_samples();
  if (!samples) return;
  const auto profile = load(*samples / "horovod_timeline_traces");
  const trace::Rank& rank = *profile->ranks.front();
  std::vector<trace::SliceOrdinal> all(rank.lane_start.back());
  std::iota(all.begin(), all.end(), trace::SliceOrdinal{0});
  constexpr std::int64_t kBase = 1'592'860'687'560'103;  // of this file
  std::size_t found = 0;
  const ingest::EventLookup events;
  const Failure failure =
      events.read_each(rank, std::move(all), [&](trace::SliceOrdinal, const ingest::EventText& event) {
        const std::string* const start = event.find("ts");
        const std::string* const length = event.find("dur");
        if (start == nullptr || length == nullptr) return;
        const std::int64_t from = kBase + std::stoll(*start);
        found += from <= 1'593'673'051'473'100 && from + std::stoll(*length) >= 1'593'673'051'472'800 ? 1 : 0;
      });
  CHECK_FALSE(failure);
  CHECK(found == 15);
}

TEST_CASE("an ancient timeline outside any folder is read on its own") {
  const auto samples = debugger_samples();
  if (!samples) return;
  const fs::path file = *samples / "1589314018481947000_1234-testhost_model_timeline.json";
  const auto profile = load(file);
  REQUIRE(profile->ranks.size() == 1);
  CHECK(profile->ranks.front()->process == 1234);
  CHECK(profile->ranks.front()->host == "testhost");
  CHECK(profile->ranks.front()->span.begin == (1'589'314'018'457'990 + 753) * kTimelineUnit);
}

TEST_CASE("TensorFlow's trace starts at the time in the name of the .metadata file") {
  const auto samples = debugger_samples();
  if (!samples) return;
  const auto aligned = load(*samples / "tfprofiler_timeline_traces");
  REQUIRE(aligned->ranks.size() == 1);
  CHECK(aligned->ranks.front()->counts.slices == 798);
  CHECK(aligned->ranks.front()->span.begin >= 1'596'659'864'545'103 * kTimelineUnit);
  CHECK(aligned->ranks.front()->span.begin < 1'596'659'864'854'168 * kTimelineUnit);
  CHECK(aligned->diagnostics.count("no-base-time") == 0);
  CHECK(aligned->diagnostics.count("not-a-trace") == 0);  // python_stats

  const auto unaligned = load(*samples / "tfprofiler_local_missing_metadata");
  REQUIRE(unaligned->ranks.size() == 1);
  CHECK(unaligned->ranks.front()->counts.slices == 256);
  CHECK(unaligned->diagnostics.count("no-base-time") == 1);
  // All slices are on the host, from 116.457 µs on; the eight GPUs ran nothing.
  CHECK(unaligned->ranks.front()->counts.runs == 0);
  CHECK(unaligned->ranks.front()->span.length() == 64'045'679 - 116'457);
}
