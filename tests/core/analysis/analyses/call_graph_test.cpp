#include <fmt/format.h>

#include "core/analysis/shared/call_tree.hpp"
#include "core/analysis/slices/slice_details.hpp"
#include "tests/core/analysis/brute_calls.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/find_column.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

/// "name < parent depth height kernels time forward", in order of start time.
std::vector<std::string> calls(const trace::Profile& profile, std::vector<Setting> settings = {},
                               const Scope& scope = {}) {
  const Table table = std::move(tables_of(profile, "call_graph", std::move(settings), scope)[0]);
  const auto column = [&](std::string_view name) { return find_column(table, name).value(); };
  std::map<std::int64_t, std::string> names;
  for (std::size_t row = 0; row < table.rows(); ++row)
    names[table.at(row, column("call")).integer()] = table.at(row, column("name")).text();
  const auto named = [&](std::size_t row, std::string_view of) {
    const Cell cell = table.at(row, column(of));
    return cell.missing() ? std::string("-") : names.at(cell.integer());
  };
  std::vector<std::pair<std::int64_t, std::string>> rows;
  for (std::size_t row = 0; row < table.rows(); ++row)
    rows.emplace_back(table.at(row, column("begin")).integer(),
                      fmt::format("{} < {} {} {} {} {} {}", table.at(row, column("name")).text(), named(row, "parent"),
                                  table.at(row, column("depth")).integer(), table.at(row, column("height")).integer(),
                                  table.at(row, column("kernels")).integer(),
                                  table.at(row, column("kernel time")).integer(), named(row, "forward")));
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> texts;
  for (const auto& [begin, text] : rows) texts.push_back(text);
  return texts;
}

using Rows = std::vector<std::string>;

TinyEvents training() {
  TinyEvents events;
  events.step(1, 0, 100).op("aten::linear", 1, 9).op("aten::addmm", 2, 7).launch(3, 1).launch(5, 2);
  events.annotation("## backward ##", 20, 30).op("autograd::engine::evaluate_function: X", 22, 20, 200);
  events.op("XBackward", 23, 10, 200).launch(24, 3, "cudaLaunchKernel", 0.5, 200);
  events.op("aten::alone", 200, 5, 200).forward_backward(7, 2, 23, 200);
  events.run({.begin = 10, .length = 4, .correlation = 1}).run({.begin = 14, .length = 2, .correlation = 2});
  events.run({.begin = 30, .length = 8, .correlation = 3});
  return events;
}

}  // namespace

TEST_CASE("a call inside two overlapping calls belongs to the one that started last") {
  TinyEvents events;
  // An annotation starts within the call that enters it and ends within the call that leaves it.
  events.op("work", 0, 100).op("enter", 10, 10).op("annotation", 15, 65).op("leave", 70, 20);
  events.op("last", 72, 5).op("inner", 73, 2).launch(74, 1, "cudaLaunchKernel", 0.5).op("own", 30, 5);
  events.run({.begin = 80, .length = 4, .correlation = 1});
  CHECK(calls(*load_events(events.text())) ==
        Rows{"work < - 0 5 1 4000 -", "enter < work 1 1 0 0 -", "annotation < work 1 2 0 0 -",
             "own < annotation 2 1 0 0 -", "leave < work 1 4 1 4000 -", "last < leave 2 3 1 4000 -",
             "inner < last 3 2 1 4000 -", "cudaLaunchKernel < inner 4 1 1 4000 -"});
}

TEST_CASE("the parent is the innermost enclosing call; kernels include those of callees") {
  const auto profile = load_events(training().text());
  CHECK(calls(*profile) ==
        Rows{"ProfilerStep#1 < - 0 5 3 14000 -", "aten::linear < ProfilerStep#1 1 3 2 6000 -",
             "aten::addmm < aten::linear 2 2 2 6000 -", "cudaLaunchKernel < aten::addmm 3 1 1 4000 -",
             "cudaLaunchKernel < aten::addmm 3 1 1 2000 -", "## backward ## < ProfilerStep#1 1 4 1 8000 -",
             "autograd::engine::evaluate_function: X < ## backward ## 2 3 1 8000 -",
             "XBackward < autograd::engine::evaluate_function: X 3 2 1 8000 aten::addmm",
             "cudaLaunchKernel < XBackward 4 1 1 8000 -", "aten::alone < - 0 1 0 0 -"});
}

TEST_CASE("calls list their first and last kernel and are sorted by kernel time") {
  const auto profile = load_events(training().text());
  const Table table = std::move(tables_of(*profile, "call_graph", {{"rows", "2"}})[0]);
  REQUIRE(table.rows() == 2);
  const auto at = [&](std::string_view column) { return table.at(0, find_column(table, column).value()).integer(); };
  CHECK(at("first kernel") == 10'000);
  CHECK(at("last kernel's end") == 38'000);
  CHECK(at("kernel span") == 28'000);
  CHECK(table.at(1, find_column(table, "name").value()).text() == "## backward ##");
  CHECK(table.note == "Shows the 2 of 10 calls with the most kernel time; rows=0 shows all.");
}

TEST_CASE("a range lists calls that overlap it, with kernel time inside it") {
  const auto profile = load_events(training().text());
  const Interval range{profile->span.begin + 8'500, profile->span.begin + 12'000};
  CHECK(calls(*profile, {}, {{}, range}) == Rows{"ProfilerStep#1 < - 0 5 1 2000 -",
                                                 "aten::linear < ProfilerStep#1 1 3 1 2000 -",
                                                 "aten::addmm < aten::linear 2 2 1 2000 -"});
}

TEST_CASE("overlapping calls keep their common parent, even if they end after it") {
  TinyEvents events;
  events.op("outer", 0, 100).op("first", 10, 30).op("crossing", 20, 40).op("late", 50, 50.5);
  CHECK(calls(*load_events(events.text())) ==
        Rows{"outer < - 0 2 0 0 -", "first < outer 1 1 0 0 -", "crossing < outer 1 1 0 0 -", "late < outer 1 1 0 0 -"});
}

TEST_CASE("a zero-length call at the end belongs to operators but not to runtime calls") {
  TinyEvents events;
  events.op("outer", 0, 100).op("aten::t", 10, 10).op("aten::transpose", 11, 9).op("aten::as_strided", 20, 0);
  events.op("aten::item", 30, 0).op("aten::_local_scalar_dense", 30, 0);
  events.launch(40, 1, "cudaOccupancy", 5).launch(45, 2, "cudaGetDevice", 0);
  const auto profile = load_events(events.text());
  CHECK(calls(*profile) == Rows{"outer < - 0 4 0 0 -", "aten::t < outer 1 3 0 0 -",
                                "aten::transpose < aten::t 2 2 0 0 -", "aten::as_strided < aten::transpose 3 1 0 0 -",
                                "aten::item < outer 1 2 0 0 -", "aten::_local_scalar_dense < aten::item 2 1 0 0 -",
                                "cudaOccupancy < outer 1 1 0 0 -", "cudaGetDevice < outer 1 1 0 0 -"});
  CHECK(calls(*profile, {{"hta", "true"}}).back() == "cudaGetDevice < cudaOccupancy 2 1 0 0 -");
}

TEST_CASE("the call graph reports missing calls and missing kernels") {
  const auto alone = tables_of(*load_events(TinyEvents().run({.begin = 5, .length = 2}).text()), "call_graph");
  CHECK(alone[0].rows() == 0);
  CHECK(alone[0].note == "No host calls in this selection.");
  const auto idle = tables_of(*load_events(TinyEvents().op("aten::mm", 1, 2).text()), "call_graph");
  CHECK(idle[0].rows() == 1);
  CHECK(idle[0].note == "No GPU activity in this selection.");
}

TEST_CASE("call_graph agrees with a comparison of all pairs of calls") {
  const TestFolder folder;
  (void)tracegen::generate(small_job(2), folder.path());
  CHECK(check_calls(*load(folder.path()), Brute(folder.path())) > 3);
}

TEST_CASE("calls that nest deeper than a track has lanes keep their parents") {
  constexpr int kDeep = 300;
  TinyEvents events;
  const auto name = [](int i) { return i == 200 ? std::string("aten::mm") : "f" + std::to_string(i); };
  for (int i = 0; i < kDeep; ++i) events.op(name(i), 2 * i, 4 * (kDeep - i));
  // Call i ends at 1200 - 2 * i: a launch that ends at 660.5 is inside 269 of them.
  events.launch(600, 1, "inner").launch(660, 2, "outer");
  events.run({.name = "first", .begin = 2000, .length = 5, .correlation = 1});
  events.run({.name = "second", .begin = 2010, .length = 7, .correlation = 2});
  const auto profile = load_events(events.text());
  const trace::Rank& rank = *profile->ranks[0];
  REQUIRE(std::ranges::any_of(rank.lanes, [](const trace::Lane& lane) { return lane.folded(); }));
  const CallTree tree(*profile, 0, {});
  std::map<std::string, trace::SliceOrdinal> calls_by_name;
  for (trace::SliceOrdinal slice = 0; slice < tree.slices(); ++slice)
    if (tree.is_call(slice)) calls_by_name[std::string(profile->names().view(rank.name(slice)))] = slice;
  const auto depths = tree.depths();
  for (int i = 0; i < kDeep; ++i) {
    INFO(i);
    CHECK(tree.parent(calls_by_name.at(name(i))) == (i == 0 ? CallTree::kNone : calls_by_name.at(name(i - 1))));
    CHECK(depths[calls_by_name.at(name(i))] == static_cast<std::uint32_t>(i));
  }
  CHECK(tree.parent(calls_by_name.at("inner")) == calls_by_name.at(name(299)));
  CHECK(tree.parent(calls_by_name.at("outer")) == calls_by_name.at(name(269)));
  const Table kernels = std::move(tables_of(*profile, "aten_op_kernels_and_delay")[0]);
  REQUIRE(kernels.rows() == 1);
  INFO(row_texts(kernels)[0]);
  CHECK(row_texts(kernels)[0].find("aten::mm first -> second") != std::string::npos);
  const auto details = slice_details(*profile, {0, calls_by_name.at(name(250))});
  CHECK(details.enclosing.size() == 250);
  CHECK(details.self == 4000);
}

TEST_CASE("a call tree of deeply nested unfinished calls takes linear time", "[hostile]") {
  constexpr int kCalls = 200'000;
  for (const bool nest : {true, false}) {
    std::string text;
    for (int i = 0; i < kCalls; ++i)
      text += fmt::format(R"({}{{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":{},"dur":{}}})",
                          i == 0 ? "" : ",", 10 * i, nest ? 20 * (kCalls - i) : 10 * kCalls);
    const auto profile = load_events(text);
    const CallTree tree(*profile, 0, {});
    const auto depths = tree.depths();
    const std::uint32_t deepest = *std::ranges::max_element(depths);
    CHECK(nest == (deepest == kCalls - 1));
    CHECK((nest || deepest < 100));
  }
}
