// Node, process, mode, step and phase in statistics paths.
#include "core/ingest/formats/python_stats/python_stats.hpp"
#include "tests/catch.hpp"

using namespace warpscope;

namespace {

/// "framework node process: mode step phase time, mode step phase time".
std::string described(const std::string& path) {
  trace::PythonStats stats;
  stats.path = path;
  ingest::describe_python_stats(stats);
  std::string text = stats.framework + " " + stats.node + " " + stats.process + ":";
  for (const trace::PythonMoment* moment : {&stats.start, &stats.end})
    text += " " + moment->mode + " " + (moment->step ? std::to_string(*moment->step) : "*") + " " + moment->phase +
            " " + (moment->time ? std::to_string(*moment->time) : "-");
  return text;
}

}  // namespace

TEST_CASE("statistics paths contain the node, the process, and the part of the run") {
  const std::string job = "/job/profiler-output/framework/pytorch/cprofile/";
  CHECK(
      described(job + "905-algo-1/train-9-start-1596585363775342.0_train-10-stepend-1596585373504789.5/python_stats") ==
      "pytorch algo-1 905: train 9 start 1596585363775342000 train 10 stepend 1596585373504789500");
  CHECK(described(job + "0-algo-2/prestepzero-*-start-1596585363775342.0_train-0-stepstart-1596585363775343.0/x") ==
        "pytorch algo-2 0: prestepzero * start 1596585363775342000 train 0 stepstart 1596585363775343000");
  CHECK(described("/tensorflow/cProfile/1596585374963238.0_1596585376008161.0_151-algo-1_2/python_stats") ==
        "tensorflow algo-1 151:  2  1596585374963238000  2  1596585376008161000");
  CHECK(described("/tensorflow/cProfile/1596585363775342.0_1596585373504789.0_151-algo-1_-1/python_stats") ==
        "tensorflow algo-1 151: prestepzero *  1596585363775342000  *  1596585373504789000");
  for (const char* path : {"x.prof", "/a/b/c/x.prof", "", "/", "/1_2/python_stats", "/a-b-c-d_e-f-g-h/python_stats"}) {
    CAPTURE(path);
    CHECK(described(path) == "  :  *  -  *  -");
  }
}
