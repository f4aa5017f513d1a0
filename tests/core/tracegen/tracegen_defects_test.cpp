// Each defect of the trace generator occurs in the right place and does not affect other ranks.
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "tests/catch.hpp"
#include "tests/core/tracegen/naive_reader.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope::tracegen;
using warpscope::tests::naive_busy;
using warpscope::tests::naive_read;
using warpscope::tests::NaiveFile;
using warpscope::tests::NaiveSlice;

namespace {

struct Damaged {
  explicit Damaged(std::string_view defect) : clean(generate_in_memory(*preset("small"))) {
    Options options = *preset("small");
    options.defects = {*parse_defect(defect)};
    set = generate_in_memory(options);
  }
  [[nodiscard]] const RankTruth& truth() const { return set.truth.ranks.at(1); }
  [[nodiscard]] const RankTruth& clean_truth() const { return clean.truth.ranks.at(1); }
  [[nodiscard]] const std::string& text() const { return file(set, truth().file); }
  [[nodiscard]] const std::string& clean_text() const { return file(clean, clean_truth().file); }
  [[nodiscard]] bool other_rank_unharmed() const {
    return file(set, set.truth.ranks.at(0).file) == file(clean, clean.truth.ranks.at(0).file);
  }

  static const std::string& file(const MemorySet& set, const std::string& path) {
    return std::find_if(set.files.begin(), set.files.end(), [&](const auto& f) { return f.path == path; })->bytes;
  }

  MemorySet clean;
  MemorySet set;
};

bool valid(const std::string& text) {
  simdjson::dom::parser parser;
  return parser.parse(text).error() == simdjson::SUCCESS;
}

std::int64_t count(const std::string& text, std::string_view what) {
  std::int64_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

std::int64_t links(const NaiveFile& file) {
  std::set<std::int64_t> called;
  for (const NaiveSlice& slice : file.slices) {
    if (slice.call()) called.insert(slice.correlation);
  }
  return std::count_if(file.slices.begin(), file.slices.end(),
                       [&](const NaiveSlice& s) { return s.run() && called.contains(s.correlation); });
}

}  // namespace

TEST_CASE("Text defects break the syntax but keep the events", "[tracegen]") {
  for (const char* defect : {"bare-quote", "backslash", "control-char", "bad-utf8", "inf-nan", "no-closing-bracket"}) {
    INFO(defect);
    const Damaged damaged(defect);
    CHECK(damaged.other_rank_unharmed());
    CHECK_FALSE(valid(damaged.text()));
    CHECK(valid(damaged.clean_text()));
    CHECK(damaged.truth().events == damaged.clean_truth().events);
    CHECK(damaged.truth().slices == damaged.clean_truth().slices);
    CHECK(damaged.truth().busy_ns == damaged.clean_truth().busy_ns);
  }
  CHECK(count(Damaged("bare-quote").text(), R"(log("loss", step))") == 3);
  CHECK(count(Damaged("inf-nan").text(), R"("blocks per SM": inf)") == Damaged("inf-nan").truth().kernels);
  const Damaged comma("trailing-comma");
  CHECK(comma.text().find(",\n  ]") != std::string::npos);
  CHECK(comma.clean_text().find(",\n  ]") == std::string::npos);
}

TEST_CASE("Unusual spellings contain the same events", "[tracegen]") {
  for (const char* defect : {"top-level-array", "string-numbers", "base-after-events"}) {
    INFO(defect);
    const Damaged damaged(defect);
    CHECK(damaged.other_rank_unharmed());
    CHECK(damaged.text() != damaged.clean_text());
    const NaiveFile file = naive_read(damaged.text());
    const NaiveFile clean = naive_read(damaged.clean_text());
    CHECK(file.events == clean.events);
    REQUIRE(file.slices.size() == clean.slices.size());
    CHECK(file.slices.back().begin == clean.slices.back().begin);
    CHECK(file.slices.front().duration == clean.slices.front().duration);
    CHECK(naive_busy(file) == damaged.truth().busy_ns);
  }
  CHECK(Damaged("top-level-array").text().front() == '[');
  CHECK(Damaged("string-numbers").text().find(R"("ts": ")") != std::string::npos);
  const Damaged late("base-after-events");
  CHECK(late.text().find("baseTimeNanoseconds") > late.text().find("Record Window End"));
}

TEST_CASE("A truncated file has the complete events that the ground truth counts", "[tracegen]") {
  const Damaged damaged("truncated");
  CHECK(damaged.other_rank_unharmed());
  const std::string& text = damaged.text();
  CHECK(damaged.clean_text().starts_with(text));
  const std::string whole = text.substr(0, text.rfind("\n  },\n")) + "\n  }]}";
  const NaiveFile file = naive_read(whole);
  CHECK(file.events == damaged.truth().events);
  CHECK(static_cast<std::int64_t>(file.slices.size()) == damaged.truth().slices);
  CHECK(naive_busy(file) == damaged.truth().busy_ns);
  CHECK(links(file) == damaged.truth().connections);
  CHECK(damaged.truth().events < damaged.clean_truth().events);

  const Damaged bytes("truncated-stream");
  CHECK(bytes.clean_text().starts_with(bytes.text()));
  CHECK_FALSE(bytes.truth().exact);
  CHECK(bytes.text().size() < bytes.clean_text().size());
}

TEST_CASE("Impossible slices are counted as flagged and excluded from busy time", "[tracegen]") {
  for (const char* defect : {"negative-duration", "absurd-duration", "zero-begin"}) {
    INFO(defect);
    const Damaged damaged(defect);
    CHECK(damaged.other_rank_unharmed());
    const NaiveFile file = naive_read(damaged.text());
    const auto impossible = [](const NaiveSlice& slice) { return !slice.possible(); };
    CHECK(std::count_if(file.slices.begin(), file.slices.end(), impossible) == 3);
    CHECK(damaged.truth().flagged == 3);
    CHECK(damaged.truth().busy_ns == naive_busy(file));
    CHECK(damaged.truth().busy_ns < damaged.clean_truth().busy_ns);
    CHECK(damaged.truth().slices == damaged.clean_truth().slices);
  }
}

TEST_CASE("Launches can be missing, shared or have ambiguous ids", "[tracegen]") {
  const Damaged missing("missing-launch");
  CHECK(missing.truth().connections < missing.truth().runs());
  CHECK(missing.truth().connections == links(naive_read(missing.text())));

  const Damaged graph("graph-launch");
  CHECK(graph.truth().connections == graph.truth().runs());
  CHECK(graph.truth().launches < graph.truth().connections);
  CHECK(count(graph.text(), "cudaGraphLaunch") == 3);

  const Damaged twice("duplicate-correlation");
  CHECK(twice.truth().launches == twice.clean_truth().launches);
  std::map<std::int64_t, int> launches;
  for (const NaiveSlice& slice : naive_read(twice.text()).slices) {
    if (slice.call()) ++launches[slice.correlation];
  }
  CHECK(std::count_if(launches.begin(), launches.end(), [](const auto& l) { return l.second > 1; }) > 50);
}

TEST_CASE("Dependent launches overlap without nesting", "[tracegen]") {
  const Damaged damaged("overlap");
  std::map<std::int64_t, std::vector<const NaiveSlice*>> streams;
  const NaiveFile file = naive_read(damaged.text());
  for (const NaiveSlice& slice : file.slices) {
    if (slice.run()) streams[slice.tid].push_back(&slice);
  }
  std::int64_t overlaps = 0;
  for (auto& [stream, runs] : streams) {
    std::sort(runs.begin(), runs.end(), [](const NaiveSlice* a, const NaiveSlice* b) { return a->begin < b->begin; });
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (runs[i]->begin >= runs[i - 1]->end()) continue;
      ++overlaps;
      CHECK(runs[i]->end() > runs[i - 1]->end());
    }
  }
  CHECK(overlaps == damaged.truth().overlaps);
  CHECK(overlaps >= 10);
  CHECK(damaged.clean_truth().overlaps == 0);
  CHECK(damaged.truth().busy_ns == naive_busy(file));
}

TEST_CASE("Files can be missing, duplicated or not traces", "[tracegen]") {
  const Damaged missing("missing-rank");
  CHECK(missing.set.files.size() == 1);
  CHECK(missing.set.truth.ranks.size() == 1);
  CHECK(missing.other_rank_unharmed());

  const Damaged doubled("duplicate-rank");
  CHECK(naive_read(doubled.text()).rank == 0);
  CHECK(doubled.truth().rank == 0);

  const Damaged empty("empty-file");
  REQUIRE(empty.set.truth.foreign_files.size() == 1);
  CHECK(Damaged::file(empty.set, empty.set.truth.foreign_files[0]).empty());

  const Damaged foreign("foreign-file");
  CHECK(foreign.set.files.size() == 4);
  CHECK(foreign.set.truth.foreign_files.size() == 2);
}

TEST_CASE("Clocks can disagree", "[tracegen]") {
  const Damaged damaged("clock-apart");
  CHECK(damaged.truth().begin_ns == damaged.clean_truth().begin_ns + 2'500'000);
  CHECK(damaged.truth().busy_ns == damaged.clean_truth().busy_ns);
}

TEST_CASE("Other phases: pairs, asynchronous events, counters", "[tracegen]") {
  const Damaged pairs("begin-end");
  const NaiveFile file = naive_read(pairs.text());
  CHECK(file.phases.at("B") == file.phases.at("E"));
  CHECK(file.phases.at("B") == pairs.truth().slices_by_category.at("user_annotation"));
  CHECK(pairs.truth().slices == file.phases.at("B") + file.phases.at("X"));
  CHECK(pairs.truth().events == file.events);

  const Damaged async("async");
  const NaiveFile with_async = naive_read(async.text());
  CHECK(with_async.phases.at("b") == with_async.phases.at("e"));
  CHECK(with_async.phases.at("n") > 0);
  CHECK(async.truth().slices == async.clean_truth().slices);
  CHECK(async.truth().events == with_async.events);

  const Damaged counters("counters");
  CHECK(naive_read(counters.text()).phases.at("C") == counters.truth().samples);
}
