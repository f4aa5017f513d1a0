// Statistics of Python functions as tables: by file, function and caller.
#include "core/analysis/information/information.hpp"
#include "core/ingest/listing/discover.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/formats/python_stats/saved_stats.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/find_column.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using Rows = std::vector<std::string>;

const std::string kNodeOne = "profiler-output/framework/pytorch/cprofile/905-algo-1/";
const std::string kNodeTwo = "profiler-output/framework/pytorch/pyinstrument/7-algo-2/";
const std::string kTrain = "train-9-start-1596585363775342.0_train-10-end-1596585364775342.0/";
const std::string kEval = "eval-3-start-1596585373775342.0_eval-3-end-1596585374775342.0/";
constexpr std::string_view kTree =
    R"({"root_frame": {"function": "main", "file_path": "t.py", "line_no": 2, "time": 2, "children": []}})";

void write_job(const TestFolder& folder) {
  folder.write(kNodeOne + kTrain + "python_stats", bytes_of(kPython311));
  folder.write(kNodeTwo + kEval + "python_stats.json", kTree);
  folder.write(kNodeTwo + kEval + "python_stats.html", "<html>");
}

std::int64_t sum_of(const Table& table, std::string_view column) {
  const auto index = find_column(table, column);
  REQUIRE(index);
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (!table.at(row, *index).missing()) sum += table.at(row, *index).integer();
  return sum;
}

}  // namespace

TEST_CASE("python_stats lists functions and callers of each file") {
  const TestFolder folder;
  write_job(folder);
  const auto profile = load(folder.path());
  CHECK(profile->diagnostics.empty());
  const auto tables = tables_of(*profile, "python_stats");
  CHECK(row_texts(table_of(tables, "python-functions")) ==
        Rows{"algo-1 905 train 9 start train 10 end fib train.py 20 177 1 1250000000 0.5 1250000000",
             "algo-1 905 train 9 start train 10 end <built-in method time.sleep> ~ - 4 4 1000000000 0.4 1000000000",
             "algo-1 905 train 9 start train 10 end main train.py 10 1 1 250000000 0.1 2500000000",
             "algo-2 7 eval 3 start eval 3 end main t.py 2 - - 2000000000 1 2000000000"});
  CHECK(row_texts(table_of(tables, "python-callers")) ==
        Rows{"algo-1 905 train 9 start train 10 end fib main train.py 10 1 1 500000000 1250000000",
             "algo-1 905 train 9 start train 10 end fib fib train.py 20 176 10 750000000 750000000",
             "algo-1 905 train 9 start train 10 end <built-in method time.sleep> main train.py 10 4 4 1000000000 "
             "1000000000"});
  const Rows profiles{
      "algo-1 905 cProfile pytorch train 9 start train 10 end 2020-08-04 23:56:03.775 UTC 1000000000 3 "
      "182 6 2500000000 " +
          kNodeOne + kTrain + "python_stats",
      "algo-2 7 pyinstrument pytorch eval 3 start eval 3 end 2020-08-04 23:56:13.775 UTC 1000000000 1 "
      "- - 2000000000 " +
          kNodeTwo + kEval + "python_stats.json"};
  CHECK(row_texts(table_of(tables, "python-profiles")) == profiles);
  const auto information = analysis::information_tables(*profile);
  CHECK(row_texts(table_of(information, "python-profiles")) == profiles);
  CHECK(table_of(information, "files").rows() == 2);
}

TEST_CASE("python_stats can be limited to a node, a mode, a step, a time range and the top functions") {
  const TestFolder folder;
  write_job(folder);
  const auto profile = load(folder.path());
  const auto rows = [&](std::vector<analysis::Setting> settings, const analysis::Scope& scope = {}) {
    return tables_of(*profile, "python_stats", std::move(settings), scope)[0].rows();
  };
  CHECK(rows({{"node", "algo-2"}}) == 1);
  CHECK(rows({{"mode", "train"}}) == 3);
  CHECK(rows({{"step", "3"}}) == 1);
  CHECK(rows({{"step", "10"}}) == 3);
  CHECK(rows({{"step", "11"}}) == 0);
  CHECK(rows({}, {{}, Interval{1596585364775342000, 1596585374000000000}}) == 1);
  const auto top = tables_of(*profile, "python_stats", {{"k", "1"}});
  CHECK(top[0].rows() == 2);
  CHECK(top[0].note == "2 functions with less self time are omitted; k=0 lists all.");
  CHECK(top[1].rows() == 2);
  CHECK(tables_of(*profile, "python_stats", {{"step", "11"}})[0].note ==
        "No Python function statistics match the parameters and the time range.");
}

TEST_CASE("statistics of Python functions open next to traces, alone, and as a single file") {
  const TestFolder folder;
  folder.write("rank0.json", trace_of(kernel_event("gemm")));
  const auto file = folder.write("other/train.prof", bytes_of(kPython27));
  const auto beside = load(folder.path());
  CHECK(beside->ranks.size() == 1);
  REQUIRE(beside->python.size() == 1);
  CHECK(row_text(tables_of(*beside, "python_stats")[0], 0).starts_with("  other/train.prof  fib train.py 20 177 1 "));
  CHECK(load(file)->python.size() == 1);
  CHECK(load(folder.path() / "other")->python.size() == 1);
  const auto found = ingest::discover(folder.path());
  REQUIRE(found);
  CHECK(ingest::discover(folder.path(), &*found).value().sources.size() == 2);
  const auto none = load(folder.path() / "rank0.json");
  CHECK(tables_of(*none, "python_stats")[0].note.starts_with("There are no Python function statistics."));
}

TEST_CASE("corrupt statistics have a diagnostic and the other files are shown") {
  const TestFolder folder;
  write_job(folder);
  const std::string bytes = bytes_of(kPython311);
  folder.write(kNodeOne + "a/python_stats", bytes.substr(0, 200));
  folder.write(kNodeOne + "b/python_stats", "garbage");
  folder.write(kNodeOne + "c/python_stats", "{0");
  folder.write(kNodeOne + "e/python_stats", "");
  folder.write(kNodeOne + "f/python_stats", std::string_view("\1\0\0", 3));
  folder.write(kNodeOne + "g/python_stats", gzip(bytes).substr(0, 100));
  folder.write(kNodeTwo + "d/python_stats.json", R"({"root_frame": null})");
  const auto profile = load(folder.path());
  REQUIRE(profile->python.size() == 3);
  CHECK(profile->python[2]->functions.size() == 1);
  CHECK(profile->diagnostics.count("python-stats-damaged") == 2);
  CHECK(profile->diagnostics.count("python-stats-empty") == 2);
  CHECK(profile->diagnostics.count("python-stats-unreadable") == 2);
  CHECK(profile->diagnostics.count("empty-file") == 1);
  const Table files = table_of(analysis::information_tables(*profile), "files");
  CHECK(row_text(files, 0).ends_with("partial"));
  CHECK(row_text(files, 1).ends_with("complete"));

  const auto nothing = load_profile((folder.path() / (kNodeOne + "b")).string());
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().what == "does not start with a dictionary");
}

// Values are from Python's pstats for the same files.
TEST_CASE("statistics of a real job match pstats") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("skipped, no shared folder");
    return;
  }
  const auto folder = *shared / "traces/sagemaker/smdebug/tests/profiler/resources/tfprofiler_timeline_traces" /
                      "framework/tensorflow/cProfile";
  const auto profile = load(folder);
  CHECK(profile->diagnostics.empty());
  const Table profiles = table_of(tables_of(*profile, "python_stats"), "python-profiles");
  CHECK(row_text(profiles, 0).starts_with("algo-1 151 cProfile tensorflow prestepzero 2020-08-04 23:56:13.504 UTC "));
  const auto totals = [&](std::size_t row) {
    return std::vector{profiles.at(row, 8).integer(), profiles.at(row, 9).integer(), profiles.at(row, 10).integer(),
                       profiles.at(row, 11).integer()};
  };
  REQUIRE(profiles.rows() == 3);
  CHECK(totals(0) == std::vector<std::int64_t>{2722, 179'844, 170'542, 9'728'617'000});
  CHECK(totals(1) == std::vector<std::int64_t>{293, 1299, 1259, 1'044'758'000});
  CHECK(totals(2) == std::vector<std::int64_t>{230, 1129, 1091, 4'804'000});
  const auto all = tables_of(*profile, "python_stats", {{"k", "0"}, {"step", "2"}});
  CHECK(all[0].rows() == 293);
  CHECK(sum_of(all[0], "line") == 180'770);
  CHECK(sum_of(all[0], "total") == 2'129'953'000);
  CHECK(all[1].rows() == 407);
  CHECK(sum_of(all[1], "calls") == 1277);
  CHECK(sum_of(all[1], "primitive calls") == 1259);
  CHECK(row_text(all[0], 0) ==
        "algo-1 151 2 2 start /usr/local/lib/python3.7/site-packages/tensorflow/python/profiler/profiler_v2.py 48 2 2 "
        "1036683000 0.992271 1036683000");
}
