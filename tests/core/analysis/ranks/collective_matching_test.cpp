// Matching kernels to collectives, and the resulting stragglers.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using StragglerRows = std::vector<std::string>;

std::string group_arguments(std::string_view name, std::string_view ranks, int sequence = -1,
                            std::string_view operation = "allreduce") {
  return fmt::format(R"("Collective name":"{}","Process Group Name":"{}","Process Group Ranks":"{}"{})", operation,
                     name, ranks, sequence < 0 ? "" : fmt::format(R"(,"Seq":{})", sequence));
}

/// Events of ranks, each with one 100 ms step, written to files that exist as long as this object.
class TinyJob {
 public:
  explicit TinyJob(std::size_t ranks) : events_(ranks), kernels_(ranks, 0) {
    for (TinyEvents& events : events_) events.step(1, 0, 100'000);
  }
  /// A communication kernel; times in ms.
  TinyJob& kernel(std::size_t rank, double begin, double length, const std::string& arguments = "",
                  std::string_view name = "ncclDevKernel_Generic") {
    const int correlation = ++kernels_[rank];
    events_[rank].launch(10 * correlation, correlation);
    events_[rank].run({.name = name,
                       .begin = begin * 1000,
                       .length = length * 1000,
                       .correlation = correlation,
                       .stream = 20,
                       .device = static_cast<int>(rank),
                       .arguments = arguments});
    return *this;
  }
  TinyEvents& events(std::size_t rank) { return events_[rank]; }

  std::vector<Table> stragglers() {
    for (std::size_t r = 0; r < events_.size(); ++r)
      folder_.write(fmt::format("rank{}.json", r),
                    trace_of(events_[r].text(),
                             fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": {}}})", r, events_.size())));
    return tables_of(*load(folder_.path()), "potential_stragglers");
  }

 private:
  TestFolder folder_;
  std::vector<TinyEvents> events_;
  std::vector<int> kernels_;
};

/// Returns the text after a key in a minified event.
std::string text_behind(std::string_view event, std::string_view key) {
  const std::size_t at = event.find(key);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = event.substr(at + key.size());
  const bool quoted = rest.starts_with('"');
  return std::string(quoted ? rest.substr(1, rest.find('"', 1) - 1) : rest.substr(0, rest.find_first_of(",}")));
}

}  // namespace

TEST_CASE("collectives of balanced process groups are not mixed up") {
  // Groups with equal names, and with different names.
  for (const std::string_view second : {"1", "2"}) {
    TinyJob job(4);
    for (std::size_t rank = 0; rank < 4; ++rank)
      for (int i = 0; i < 4; ++i)
        job.kernel(rank, 1 + 20 * i, rank < 2 ? 10 : 1,
                   rank < 2 ? group_arguments("1", "[0, 1]") : group_arguments(second, "[2, 3]"));
    const auto tables = job.stragglers();
    CHECK(row_texts(tables[0]) ==
          StragglerRows{"0 no 0 0 0 0 4", "1 no 0 0 0 0 4", "2 no 0 0 0 0 4", "3 no 0 0 0 0 4"});
    CHECK(tables[0].note == "8 collectives compared.");
  }
}

TEST_CASE("groups with the same ranks but different names are different groups") {
  TinyJob job(2);
  for (std::size_t rank = 0; rank < 2; ++rank)
    for (const auto& [name, length] : {std::pair("1", 10.0), std::pair("2", rank == 0 ? 2.0 : 1.5)})
      job.kernel(rank, name[0] == '1' ? 1 : 22 - length, length, group_arguments(name, "[0, 1]"));
  const auto tables = job.stragglers();
  CHECK(row_texts(tables[0]) == StragglerRows{"1 yes 1 500000 500000 1 2", "0 no 0 0 0 0 2"});
}

TEST_CASE("sequence numbers match collectives of a trace that starts late") {
  TinyJob job(2);
  for (int i = 0; i < 3; ++i) job.kernel(0, 10 * i + 1, 5 + i, group_arguments("0", "[0, 1]", 70 + i));
  for (int i = 1; i < 3; ++i) job.kernel(1, 10 * i + 2, 4 + i, group_arguments("0", "[0,1]", 70 + i));
  const auto tables = job.stragglers();
  CHECK(row_texts(tables[0]) == StragglerRows{"1 yes 1 2000000 2000000 2 2", "0 no 0 0 0 0 2"});
  CHECK(tables[0].note == "2 collectives compared. Kernels not compared: 1 with no match on another rank.");
}

TEST_CASE("a sequence number of 0 matches like any other") {
  TinyJob job(2);
  for (int i = 0; i < 2; ++i) job.kernel(0, 10 * i + 1, 5 + i, group_arguments("0", "[0, 1]", i));
  job.kernel(1, 12, 4, group_arguments("0", "[0, 1]", 1));
  const auto tables = job.stragglers();
  CHECK(row_texts(tables[0]) == StragglerRows{"1 yes 1 2000000 2000000 1 1", "0 no 0 0 0 0 1"});
  CHECK(tables[0].note == "1 collective compared. Kernels not compared: 1 with no match on another rank.");
}

TEST_CASE("without sequence numbers, unequal numbers of kernels match by their ends") {
  TinyJob job(2);
  for (int i = 0; i < 5; ++i) job.kernel(0, 10 * i + 1 + 0.3 * i * i, 5, group_arguments("0", "[0, 1]"));
  for (int i = 1; i < 5; ++i) job.kernel(1, 10 * i + 2 + 0.3 * i * i, 4, group_arguments("0", "[0, 1]"));
  const auto tables = job.stragglers();
  CHECK(row_texts(tables[0]) == StragglerRows{"1 yes 1 4000000 4000000 4 4", "0 no 0 0 0 0 4"});
  CHECK(tables[0].note == "4 collectives compared. Kernels not compared: 1 with no match on another rank.");
}

TEST_CASE("sends, receives and kernels of unknown groups are not compared") {
  TinyJob job(2);
  job.kernel(0, 1, 9, group_arguments("0", "[0, 1]", 1, "send"))
      .kernel(1, 5, 5, group_arguments("0", "[0, 1]", 1, "recv"));
  job.kernel(0, 20, 9).kernel(1, 25, 4);
  job.kernel(0, 40, 3, group_arguments("0", "[0, 1]", 2)).kernel(1, 42, 1, group_arguments("0", "[0, 1]", 2));
  const auto tables = job.stragglers();
  CHECK(row_texts(tables[0]) == StragglerRows{"1 yes 1 2000000 2000000 1 1", "0 no 0 0 0 0 1"});
  CHECK(tables[0].note ==
        "1 collective compared. Kernels not compared: 2 in an unknown process group, 2 that send or receive.");
}

TEST_CASE("a kernel without arguments gets the group of its record_param_comms call") {
  // As on ROCm: rank 0 is in two groups, and only the call identifies the group.
  TinyJob job(3);
  const auto record = [&](std::size_t rank, int correlation, const std::string& arguments) {
    job.events(rank).run({.name = "record_param_comms",
                          .begin = 10.0 * correlation - 1,
                          .length = 5,
                          .stream = 100,
                          .device = 100,
                          .category = "cpu_op",
                          .arguments = arguments});
  };
  for (std::size_t rank = 0; rank < 3; ++rank) {
    job.kernel(rank, 20, rank == 2 ? 4 : 10);
    record(rank, 1, group_arguments(rank == 2 ? "2" : "1", rank == 2 ? "[2, 3]" : "[0, 1]"));
  }
  const auto tables = job.stragglers();
  CHECK(row_texts(tables[0]) == StragglerRows{"0 no 0 0 0 0 1", "1 no 0 0 0 0 1"});
}

TEST_CASE("without process groups, ranks are compared only if they ran the same collectives at the same time") {
  SECTION("different numbers") {
    TinyJob job(2);
    job.kernel(0, 1, 5).kernel(0, 10, 5).kernel(1, 2, 4);
    const auto tables = job.stragglers();
    CHECK(tables[0].rows() == 0);
    CHECK(tables[0].note ==
          "Ranks not compared because the traces do not record process groups, and rank 0 ran "
          "ncclDevKernel_Generic in ProfilerStep#1 2 times, rank 1 1 times.");
  }
  SECTION("different names") {
    TinyJob job(3);
    job.kernel(0, 1, 5).kernel(1, 1, 5).kernel(2, 1, 5, "", "ncclDevKernel_AllGather");
    const auto tables = job.stragglers();
    CHECK(tables[0].rows() == 0);
    CHECK(tables[0].note.find("only 2 of 3 ranks ran ncclDevKernel_Generic in ProfilerStep#1") != std::string::npos);
  }
  SECTION("different ends: two groups of equal counts") {
    TinyJob job(4);
    for (std::size_t rank = 0; rank < 4; ++rank)
      for (int i = 0; i < 4; ++i) job.kernel(rank, 1 + 20 * i, rank < 2 ? 10 : 1);
    const auto tables = job.stragglers();
    CHECK(tables[0].rows() == 0);
    CHECK(tables[0].note.find("kernels on ranks 0 and 2 do not end at the same time") != std::string::npos);
  }
}

TEST_CASE("stragglers of a generated job agree with its text") {
  // The other ranks have longer kernels because they wait for rank 5.
  const TestFolder folder;
  tracegen::Options options;
  options.nodes = 2;
  options.gpus = 4;
  options.steps = 4;
  options.layout = tracegen::Layout::minified;
  options.stragglers = {{5, 150}};
  (void)tracegen::generate(options, folder.path());

  // Group and sequence number → durations in ns by rank.
  std::map<std::tuple<std::string, std::string, std::string>, std::map<std::int64_t, std::int64_t>> collectives;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const std::int64_t rank = std::stoll(text_behind(text.substr(text.find("\"distributedInfo\"")), "\"rank\":"));
    for (std::size_t at = text.find("\"Seq\":"); at != std::string::npos; at = text.find("\"Seq\":", at + 1)) {
      const std::size_t from = text.rfind("{\"ph\":", at);
      const std::string_view event = std::string_view(text).substr(from, at + 20 - from);
      if (text_behind(event, "\"cat\":") != "kernel") continue;
      std::string duration = text_behind(event, "\"dur\":");
      REQUIRE(duration.find('.') == duration.size() - 4);
      std::erase(duration, '.');
      collectives[{text_behind(event, "\"Process Group Name\":"), text_behind(event, "\"Process Group Ranks\":"),
                   text_behind(event, "\"Seq\":")}][rank] = std::stoll(duration);
    }
  }
  REQUIRE(collectives.size() > 20);
  struct Expected {
    std::int64_t delay = 0, wait = 0, last = 0, collectives = 0;
  };
  std::map<std::int64_t, Expected> expected;
  for (const auto& [key, durations] : collectives) {
    REQUIRE(durations.size() >= 4);
    std::vector<std::int64_t> sorted;
    for (const auto& [rank, duration] : durations) {
      sorted.push_back(duration);
      ++expected[rank].collectives;
    }
    std::ranges::sort(sorted);
    if (sorted[0] == sorted[1]) continue;
    for (const auto& [rank, duration] : durations) {
      if (duration != sorted[0]) continue;
      expected[rank].delay += sorted[1] - sorted[0];
      expected[rank].last += 1;
      for (const std::int64_t other : sorted) expected[rank].wait += other - sorted[0];
    }
  }
  const auto tables = tables_of(*load(folder.path()), "potential_stragglers", {{"num_candidates", "1"}});
  const Table& table = tables[0];
  CHECK(table.note == fmt::format("{} collectives compared.", collectives.size()));
  REQUIRE(table.rows() == 8);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Expected& rank = expected.at(table.at(row, 0).integer());
    INFO(row_text(table, row));
    CHECK(table.at(row, 3).integer() == rank.delay);
    CHECK(table.at(row, 4).integer() == rank.wait);
    CHECK(table.at(row, 5).integer() == rank.last);
    CHECK(table.at(row, 6).integer() == rank.collectives);
    if (row > 0) CHECK(table.at(row, 3).integer() <= table.at(row - 1, 3).integer());
  }
  CHECK(row_text(table, 0).starts_with("5 yes 4 "));
  CHECK(table.at(0, 3).integer() > 5 * table.at(1, 3).integer());
}
