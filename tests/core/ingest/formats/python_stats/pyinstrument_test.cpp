// pyinstrument call trees.
#include <limits>

#include "core/ingest/formats/python_stats/python_stats.hpp"
#include "tests/catch.hpp"

using namespace warpscope;

namespace {

struct ParsedTree {
  trace::PythonStats stats;
  Diagnostics diagnostics;
};

ParsedTree parsed_tree(std::string_view json) {
  ParsedTree result;
  ingest::parse_pyinstrument(json, result.stats, result.diagnostics);
  return result;
}

std::string frame(const std::string& name, const std::string& seconds, const std::string& children = "") {
  return R"({"function": ")" + name +
         R"(", "file_path_short": "t.py", "file_path": "/src/t.py", "line_no": 3, "time": )" + seconds +
         R"(, "is_application_code": true, "children": [)" + children + "]}";
}

std::string session(const std::string& root) {
  return R"({"start_time": 1.5,"duration": 2.5,"sample_count": 9,"program": "t.py","cpu_time": 1,"root_frame": )" +
         root + "}\n";
}

/// "name self total" of each function, "callee < caller self total" of each caller.
std::vector<std::string> times_of(const trace::PythonStats& stats) {
  std::vector<std::string> times;
  for (const auto& one : stats.functions)
    times.push_back(stats.name_of(one.code) + " " + std::to_string(one.self) + " " + std::to_string(one.total));
  for (const auto& one : stats.callers)
    times.push_back(stats.name_of(one.callee) + " < " + stats.name_of(one.caller) + " " + std::to_string(*one.self) +
                    " " + std::to_string(*one.total));
  return times;
}

}  // namespace

TEST_CASE("times of pyinstrument frames are summed by function") {
  const std::string json =
      session(frame("main", "2.5", frame("step", "1.5", frame("mm", "1.0")) + "," + frame("mm", "0.25")));
  const ParsedTree parsed = parsed_tree(json);
  CHECK(parsed.diagnostics.empty());
  CHECK(times_of(parsed.stats) ==
        std::vector<std::string>{"main 750000000 2500000000", "step 500000000 1500000000", "mm 1250000000 1250000000",
                                 "step < main 500000000 1500000000", "mm < main 250000000 250000000",
                                 "mm < step 1000000000 1000000000"});
  CHECK_FALSE(parsed.stats.functions.front().calls);
  CHECK(parsed.stats.codes.front().line == 3);
  CHECK(parsed.stats.file_of(0) == "/src/t.py");
}

TEST_CASE("recursion counts once in totals of pyinstrument, and [self] belongs to its parent") {
  const ParsedTree parsed =
      parsed_tree(session(frame("fib", "2", frame("[self]", "0.5") + "," + frame("fib", "1.5", frame("fib", "0.5")))));
  CHECK(times_of(parsed.stats) == std::vector<std::string>{"fib 2000000000 2000000000", "fib < fib 1500000000 0"});
}

TEST_CASE("a call tree thousands of frames deep is read") {
  std::string deep = frame("leaf", "1");
  for (int i = 0; i < 3000; ++i) deep = frame("f" + std::to_string(i % 10), "1", deep);
  const ParsedTree parsed = parsed_tree(session(deep));
  CHECK(parsed.stats.functions.size() == 11);
  CHECK(parsed.diagnostics.empty());
}

TEST_CASE("corrupt call trees have a diagnostic") {
  const std::string json = session(frame("main", "1", frame("mm", "0.5")));
  ParsedTree parsed = parsed_tree(std::string_view(json).substr(0, json.size() - 20));
  CHECK(parsed.stats.functions.empty());
  REQUIRE(parsed.diagnostics.all().size() == 1);
  CHECK(parsed.diagnostics.all().front().code == "python-stats-damaged");
  std::string other = json;
  other[other.find(']')] = '}';
  CHECK(parsed_tree(other).diagnostics.count("python-stats-damaged") == 1);
  CHECK(parsed_tree("[1]").diagnostics.count("python-stats-damaged") == 1);
  CHECK(parsed_tree("").diagnostics.count("python-stats-damaged") == 1);

  parsed = parsed_tree(
      session(frame("main", "1", R"({"function": 3}, 7, )" + frame("mm", "-1") + "," + frame("ok", "0.5"))));
  CHECK(parsed.stats.functions.size() == 2);
  CHECK(parsed.diagnostics.count("python-stats-entry-skipped") == 3);

  parsed = parsed_tree(R"({"root_frame": {"function": "main", "time": 1, "children": 3}})");
  CHECK(times_of(parsed.stats) == std::vector<std::string>{"main 1000000000 1000000000"});
  CHECK(parsed_tree(R"({"root_frame": {"function": "main", "time": 1}})").stats.functions.size() == 1);

  parsed = parsed_tree(session(frame("f", "9e9", frame("g", "9e9", "") + "," + frame("g", "9e9"))));
  CHECK(parsed.stats.functions.back().self == std::numeric_limits<Ns>::max());

  parsed = parsed_tree(R"({"root_frame": null})");
  CHECK(parsed.stats.functions.empty());
  CHECK(parsed.diagnostics.empty());
}
