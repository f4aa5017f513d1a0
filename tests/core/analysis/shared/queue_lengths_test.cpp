#include "core/analysis/shared/queue_lengths.hpp"

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

Rows queue_series(const trace::Profile& profile, const std::vector<analysis::Setting>& settings = {},
                  const analysis::Scope& scope = {}) {
  return row_texts(tables_of(profile, "queue_length_time_series", settings, scope)[0]);
}

/// Three launches, two of which wait at the same time from 1 to 4 µs.
TinyEvents three() {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(6, 3);
  events.run({.begin = 4, .length = 2, .correlation = 1}).run({.begin = 8, .length = 1, .correlation = 2});
  events.run({.begin = 10, .length = 2, .correlation = 3});
  return events;
}

}  // namespace

TEST_CASE("a launch waits from its call until its kernel starts") {
  const auto profile = load_events(three().text());
  CHECK(queue_series(*profile) ==
        Rows{"0 0 7 0 1", "0 0 7 1000 2", "0 0 7 4000 1", "0 0 7 6000 2", "0 0 7 8000 1", "0 0 7 10000 0"});
  CHECK(tables_of(*profile, "queue_length_time_series")[0].at(0, 4).type() == CellType::integer);
  // 1 for 1 + 2 + 2 µs, 2 for 3 + 2 µs.
  CHECK(row_texts(tables_of(*profile, "queue_length_summary")[0]) == Rows{"0 7 0 5 1.5 0.5 1 1 1 2 2"});
  CHECK(row_texts(tables_of(*profile, "queue_length_summary", {{"hta", "true"}})[0]) ==
        Rows{"0 7 0 6 1.16667 0.752773 0 1 1 1.75 2"});
  const auto blocked = [&](const std::string& most) {
    return tables_of(*profile, "time_blocked_on_full_queue", {{"max_queue_length", most}})[0];
  };
  CHECK(row_texts(blocked("2")) == Rows{"0 7 5000 0.416667 0 2"});
  CHECK(row_texts(blocked("1")) == Rows{"0 7 10000 0.833333 0 2"});
  CHECK(row_texts(blocked("3")) == Rows{"0 7 0 0 0 2"});
  CHECK(blocked("3").note == "No launch queue reached 3 launches; the deepest had 2.");
}

TEST_CASE("queue_lengths returns curves for drawing") {
  const auto profile = load_events(three().text());
  const auto queues = analysis::queue_lengths(*profile, 0);
  REQUIRE(queues.size() == 1);
  CHECK(profile->ranks[0]->tracks[queues[0].track].id == 7);
  CHECK(queues[0].length.values == std::vector<double>{1, 2, 1, 2, 1, 0});
  CHECK(queues[0].length.times.front() == profile->span.begin);
  CHECK(queues[0].length.end == profile->span.begin + 10'000);
}

TEST_CASE("a graph waits once on each stream, until its first kernel there") {
  TinyEvents events;
  events.launch(0, 5, "cudaGraphLaunch");
  for (int i = 0; i < 4; ++i) events.run({.begin = 3.0 + i, .length = 1, .correlation = 5, .stream = 7 + i % 2});
  const auto profile = load_events(events.text());
  CHECK(queue_series(*profile) == Rows{"0 0 7 0 1", "0 0 7 3000 0", "0 0 8 0 1", "0 0 8 4000 0"});
  CHECK(queue_series(*profile, {{"hta", "true"}}).empty());
}

TEST_CASE("GPU activity before its launch never waits, and queue depth is never negative") {
  TinyEvents events;
  events.launch(10, 1).launch(20, 2);
  events.run({.begin = 8, .length = 4, .correlation = 1}).run({.begin = 25, .length = 4, .correlation = 2});
  const auto profile = load_events(events.text());
  CHECK(queue_series(*profile) == Rows{"0 0 7 12000 1", "0 0 7 17000 0"});
  CHECK(tables_of(*profile, "queue_length_summary")[0].note ==
        "Excludes one launch that starts after its GPU activity: the host and device clocks differ.");
  CHECK(queue_series(*profile, {{"hta", "true"}}) ==
        Rows{"0 0 7 0 -1", "0 0 7 2000 0", "0 0 7 12000 1", "0 0 7 17000 0"});
}

TEST_CASE("equal stream numbers on two devices have separate queues, including stream 0") {
  TinyEvents events;
  for (const int device : {0, 1}) {
    events.launch(device, device + 1);
    events.run({.begin = 5.0 + device, .length = 2, .correlation = device + 1, .stream = 0, .device = device});
  }
  const auto profile = load_events(events.text());
  CHECK(queue_series(*profile) == Rows{"0 0 0 0 1", "0 0 0 5000 0", "0 1 0 1000 1", "0 1 0 6000 0"});
  CHECK(row_texts(tables_of(*profile, "time_blocked_on_full_queue", {{"max_queue_length", "1"}})[0]).size() == 2);
  CHECK(tables_of(*profile, "queue_length_summary", {{"hta", "true"}})[0].rows() == 1);
}

TEST_CASE("HTA reports a full queue only for the last stream of a rank") {
  TinyEvents events;
  for (const int stream : {7, 9, 20}) {
    events.launch(stream, stream);
    if (stream != 20) events.launch(stream + 1, stream + 1);
    events.run({.begin = 40.0 + stream, .length = 1, .correlation = stream, .stream = stream});
    if (stream != 20) events.run({.begin = 45.0 + stream, .length = 1, .correlation = stream + 1, .stream = stream});
  }
  const auto profile = load_events(events.text());
  const auto streams = [&](const char* hta) {
    const Table table = tables_of(*profile, "time_blocked_on_full_queue", {{"max_queue_length", "2"}, {"hta", hta}})[0];
    std::vector<std::int64_t> numbers;
    for (std::size_t row = 0; row < table.rows(); ++row) numbers.push_back(table.at(row, 1).integer());
    return numbers;
  };
  CHECK(streams("false") == std::vector<std::int64_t>{7, 9, 20});
  CHECK(streams("true") == std::vector<std::int64_t>{9});
}

TEST_CASE("a range shows the queue depth inside it") {
  const auto profile = load_events(three().text());
  const Ns zero = profile->span.begin;
  const auto at = [&](Ns from, Ns to) { return analysis::Scope{{}, Interval{zero + from, zero + to}}; };
  CHECK(queue_series(*profile, {}, at(2'000, 5'000)) == Rows{"0 0 7 2000 2", "0 0 7 4000 1"});
  CHECK(row_texts(tables_of(*profile, "queue_length_summary", {}, at(2'000, 5'000))[0]) ==
        Rows{"0 7 0 2 1.66667 0.471405 1 1 2 2 2"});
  CHECK(row_texts(tables_of(*profile, "time_blocked_on_full_queue", {{"max_queue_length", "2"}},
                            at(2'000, 6'000))[0]) == Rows{"0 7 2000 0.5 0 2"});
  CHECK(queue_series(*profile, {}, at(11'000, 12'000)).empty());
}

TEST_CASE("a note explains missing queues") {
  for (const char* name : {"queue_length_time_series", "queue_length_summary", "time_blocked_on_full_queue"}) {
    CHECK(tables_of(*load_events(TinyEvents().op("aten::mm", 0, 4).text()), name)[0].note ==
          "No GPU activity in this selection.");
    CHECK(tables_of(*load_events(TinyEvents().run({.begin = 3}).text()), name)[0].note ==
          "The trace has no launch records; to get them, record CUDA runtime calls too.");
  }
}
