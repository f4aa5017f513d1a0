// Hostile events: each one is valid, but there are very many similar ones. With these sizes, quadratic code would
// neither finish nor fit into memory.
#include <functional>
#include <limits>

#include "core/analysis/information/profile_summary.hpp"
#include "tests/core/ingest/hostile_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

const auto kMany = static_cast<std::uint32_t>(200'000 / size_divisor());

/// Loads a trace of `count` events, written one after the other.
std::shared_ptr<const trace::Profile> load_many(std::uint32_t count,
                                                const std::function<void(std::string&, std::uint32_t)>& write) {
  const TestFolder folder;
  const std::filesystem::path path = folder.path() / "trace.json";
  {
    std::ofstream out(path, std::ios::binary);
    std::string text = "{\"traceEvents\": [";
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i > 0) text += ",\n";
      write(text, i);
      if (text.size() < 1 << 20) continue;
      out << text;
      text.clear();
    }
    out << text << "]}";
  }
  return load(path);
}

void put(std::string& text, std::string_view phase, std::string_view category, std::string_view rest) {
  text.append(R"({"ph":")")
      .append(phase)
      .append(R"(","cat":")")
      .append(category)
      .append("\",")
      .append(rest)
      .append("}");
}

std::uint64_t in_lanes(const trace::Rank& rank) {
  std::uint64_t count = 0;
  for (const trace::Lane& lane : rank.lanes) count += lane.size();
  return count;
}

}  // namespace

TEST_CASE("hostile: very many launches and kernels of one correlation id", "[hostile]") {
  const auto profile = load_many(kMany, [](std::string& text, std::uint32_t i) {
    const std::string at = std::to_string(i);
    if (i % 2 == 0)
      put(text, "X", "cuda_runtime", R"("name":"launch","pid":9,"tid":9,"dur":1,"args":{"correlation":7},"ts":)" + at);
    else
      put(text, "X", "kernel", R"("name":"k","pid":0,"tid":7,"dur":1,"args":{"correlation":7},"ts":)" + at);
  });
  const trace::Rank& rank = *profile->ranks[0];
  CHECK(rank.counts.slices == kMany);
  CHECK(rank.launches.size() == kMany / 2);
  CHECK(rank.counts.launches == kMany / 2);
  CHECK(profile->diagnostics.count("several-launches-of-one-id") == kMany / 2);
  // Each kernel has the launch right before it.
  for (const trace::Connection& pair : rank.launches.all())
    if (rank.begin(pair.to) - rank.begin(pair.from) != 1000) FAIL("a run has another's launch");
}

TEST_CASE("hostile: very many overlapping slices of one track", "[hostile]") {
  const auto profile = load_many(kMany, [](std::string& text, std::uint32_t i) {
    put(text, "X", "cpu_op", R"("name":"op","pid":1,"tid":1,"dur":1000000,"ts":)" + std::to_string(i));
  });
  const trace::Rank& rank = *profile->ranks[0];
  CHECK(in_lanes(rank) == kMany);
  REQUIRE(rank.tracks.size() == 1);
  CHECK(rank.tracks[0].lane_count <= 65);
  CHECK(rank.lanes.back().folded());
  CHECK(profile->diagnostics.count("overlapping-slices") > 0);
}

TEST_CASE("hostile: very many nested slices", "[hostile]") {
  const auto profile = load_many(kMany, [](std::string& text, std::uint32_t i) {
    put(text, "X", "cpu_op",
        R"("name":"op","pid":1,"tid":1,"ts":)" + std::to_string(i) + R"(,"dur":)" + std::to_string(2 * (kMany - i)));
  });
  CHECK(in_lanes(*profile->ranks[0]) == kMany);
}

TEST_CASE("hostile: a track, a name and a category for each event", "[hostile]") {
  const std::uint32_t kTracks = kMany / 10;
  for (const char* const category : {"cpu_op", "kernel"}) {
    const auto profile = load_many(kTracks, [&](std::string& text, std::uint32_t i) {
      const std::string number = std::to_string(i);
      put(text, "X", category,
          R"("name":"n)" + number + R"(","dur":1,"ts":)" + number + R"(,"pid":)" + number + R"(,"tid":)" + number);
    });
    const trace::Rank& rank = *profile->ranks[0];
    CHECK(rank.tracks.size() == kTracks);
    CHECK(in_lanes(rank) == kTracks);
    CHECK(profile->names().size() > kTracks);
    CHECK(rank.devices.size() == (std::string_view(category) == "kernel" ? kTracks : 0));
  }
  const std::uint32_t kCategories = kMany / 4;
  const auto categories = load_many(kCategories, [](std::string& text, std::uint32_t i) {
    put(text, "X", "c" + std::to_string(i), R"("name":"n","pid":1,"tid":1,"dur":1,"ts":)" + std::to_string(i));
  });
  CHECK(categories->ranks[0]->counts.slices == kCategories);
  CHECK(categories->categories().size() <= 256);
  CHECK(categories->ranks[0]->counts.by_category.at(trace::Categories::kOverflow) > kCategories - 256);
}

TEST_CASE("hostile: as many launching threads as devices", "[hostile]") {
  const std::uint32_t kPairs = kMany / 20;
  const auto profile = load_many(2 * kPairs, [](std::string& text, std::uint32_t i) {
    const std::string number = std::to_string(i / 2 + 1);
    const std::string rest = R"("name":"x","dur":1,"args":{"correlation":)" + number + R"(},"tid":)" + number +
                             R"(,"pid":)" + number + R"(,"ts":)" + std::to_string(i);
    put(text, "X", i % 2 == 0 ? "cuda_runtime" : "kernel", rest);
  });
  const trace::Rank& rank = *profile->ranks[0];
  CHECK(rank.devices.size() == kPairs);
  CHECK(rank.launches.size() == kPairs);
  for (const trace::Track& track : rank.tracks)
    if (track.device < 0 || rank.devices[static_cast<std::size_t>(track.device)].id != track.process)
      FAIL("a thread is of the device that it launches to");
  CHECK(profile->tree.entries.size() > 4 * kPairs);
}

TEST_CASE("hostile: very many process and thread names", "[hostile]") {
  const auto profile = load_many(kMany, [](std::string& text, std::uint32_t i) {
    const std::string number = std::to_string(i);
    if (i == 0) return put(text, "X", "cpu_op", R"("name":"op","pid":1,"tid":1,"ts":1,"dur":1)");
    put(text, "M", "", R"("name":"thread_name","pid":1,"tid":)" + number + R"(,"args":{"name":"t)" + number + "\"}");
  });
  REQUIRE(profile->ranks[0]->tracks.size() == 1);
  CHECK(profile->ranks[0]->tracks[0].label == "t1");
}

TEST_CASE("hostile: very many unpaired B and E events", "[hostile]") {
  for (const auto& [begin, end] : {std::pair{"B", "E"}, std::pair{"b", "e"}}) {
    const auto open = load_many(kMany, [&](std::string& text, std::uint32_t i) {
      const std::string at = std::to_string(i);
      put(text, begin, "cpu_op", R"("name":"op","pid":1,"tid":1,"id":)" + at + R"(,"ts":)" + at);
    });
    CHECK(in_lanes(*open->ranks[0]) == kMany);
    CHECK(open->diagnostics.count("begin-without-end") == kMany);
    const auto closed = load_many(kMany, [&](std::string& text, std::uint32_t i) {
      const std::string at = std::to_string(i);
      if (i == 0) return put(text, "X", "cpu_op", R"("name":"op","pid":1,"tid":1,"ts":1,"dur":1)");
      put(text, end, "cpu_op", R"("name":"op","pid":1,"tid":1,"id":)" + at + R"(,"ts":)" + at);
    });
    CHECK(closed->diagnostics.count("end-without-begin") == kMany - 1);
  }
  const auto nested = load_many(kMany, [](std::string& text, std::uint32_t i) {
    put(text, i < kMany / 2 ? "B" : "E", "cpu_op", R"("name":"op","pid":1,"tid":1,"ts":)" + std::to_string(i));
  });
  CHECK(nested->ranks[0]->counts.slices == kMany / 2);
  CHECK(nested->diagnostics.count("begin-without-end") == 0);
}

TEST_CASE("hostile: very many arrows of one id", "[hostile]") {
  const auto profile = load_many(kMany, [](std::string& text, std::uint32_t i) {
    const std::string at = std::to_string(i);
    if (i == 0) return put(text, "X", "cpu_op", R"("name":"op","pid":1,"tid":1,"ts":0,"dur":2000000)");
    put(text, i % 2 == 0 ? "s" : "f", "fwdbwd", R"("name":"fwdbwd","id":1,"pid":1,"tid":1,"ts":)" + at);
  });
  CHECK(profile->ranks[0]->forward_backward.size() == kMany / 2);
}

TEST_CASE("hostile: counters with very many series, and unsorted ones", "[hostile]") {
  const std::uint32_t kSeries = kMany / 4;
  const auto series = load_many(kSeries, [](std::string& text, std::uint32_t i) {
    const std::string number = std::to_string(i);
    put(text, "C", "", R"("name":"c","pid":1,"ts":1,"args":{"s)" + number + R"(":)" + number + "}");
  });
  CHECK(series->ranks[0]->counters.size() == kSeries);

  std::string one = R"({"ph":"C","name":"c","ts":1,"args":{"s":0)";
  for (std::uint32_t i = 0; i < kSeries; ++i) one += R"(,"s)" + std::to_string(i) + "\":1";
  CHECK(load_events(one + "}}")->ranks[0]->counters.size() == kSeries + 1);

  const auto unsorted = load_many(kMany, [](std::string& text, std::uint32_t i) {
    put(text, "C", "",
        R"("name":"c","ts":)" + std::to_string(kMany - i) + R"(,"args":{"v":)" + std::to_string(i) + "}");
  });
  const trace::Counter& counter = unsorted->ranks[0]->counters.at(0);
  REQUIRE(counter.size() == kMany);
  CHECK(counter.time(0) == 1000);
  CHECK(counter.value(0) == static_cast<float>(kMany - 1));
  CHECK(counter.max() == static_cast<double>(static_cast<float>(kMany - 1)));
}

TEST_CASE("hostile: times at the limits of their range", "[hostile]") {
  const std::string most = "9223372036854775.807";
  std::string events;
  for (const char* const phase : {"X", "B", "E", "b", "e", "i", "C", "s", "f"})
    for (const std::string& time : {most, "-" + most, std::string("0"), std::string("-0.001")})
      for (const std::string& duration : {most, "-" + most, std::string("0")}) {
        for (const char* const category : {"kernel", "user_annotation"})
          events += std::string(R"({"ph":")") + phase + R"(","cat":")" + category +
                    R"(","name":"ProfilerStep#1","pid":1,"tid":1,"id":1,"args":{"correlation":1,"v":1},"ts":)" + time +
                    R"(,"dur":)" + duration + "},";
      }
  events += kFirstEvent;
  for (const std::string& base : {std::string("0"), std::string("9223372036854775807"),
                                  std::string("-9223372036854775808"), std::string("1700000000000000000")}) {
    const auto profile = load_events(events, "\"baseTimeNanoseconds\": " + base);
    CHECK(in_lanes(*profile->ranks[0]) == 2 * 12 * 4 + 1);
    CHECK(profile->ranks[0]->counts.slices >= 2 * 12);
    static_cast<void>(analysis::ranks_table(*profile));
    CHECK(analysis::summarize(*profile).span_ns >= 0);
  }
}

TEST_CASE("hostile: more names than a table can store", "[hostile]") {
  StringTable table(5);
  CHECK(table.intern("a") == 1);
  CHECK(table.intern("b") == 2);
  CHECK(table.intern("c") == 3);
  CHECK_FALSE(table.full());
  const NameId further = table.intern("d");
  CHECK(table.full());
  CHECK(table.view(further) == StringTable::kFurther);
  CHECK(table.intern("e") == further);
  CHECK(table.intern("b") == 2);
  CHECK(table.intern("") == 0);
  CHECK(table.size() == 5);
  NameId id = 0;
  CHECK_FALSE(table.find("e", id));

  const MemoryGrowth growth;
  StringTable many;
  const auto kNames = static_cast<std::uint32_t>(500'000 / size_divisor());
  for (std::uint32_t i = 0; i < kNames; ++i) many.intern(std::to_string(i));
  CHECK(many.size() == kNames + 1);
  CHECK(many.view(kNames / 2) == std::to_string(kNames / 2 - 1));
  CHECK(many.resident_bytes() / kNames < 200);
  growth.check_below(600);
}
