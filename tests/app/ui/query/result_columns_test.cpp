// The meaning of a result's columns, as sql::Database and the page find it.
#include "app/ui/query/result_columns.hpp"

#include "app/ui/query/result_chart.hpp"
#include "core/sql/database.hpp"
#include "tests/load_profile.hpp"
#include "tests/small_job.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

class ResultBench {
 public:
  ResultBench() {
    (void)tracegen::generate(small_job(), folder_.path());
    profile_ = *load_profile(folder_.path().string());
    database_ = std::move(*sql::Database::open(profile_, {}));
  }
  /// Runs a query and describes its columns.
  Table run(const std::string& query) {
    auto rows = database_->run(query, {.describe = [&](auto& columns, const auto& fields) {
                                 slices = describe_columns(columns, fields, query);
                               }});
    INFO(query);
    REQUIRE(rows.ok());
    return std::move(*rows);
  }
  ColumnKind kind(const std::string& query) { return run(query).columns()[0].kind; }
  [[nodiscard]] const trace::Profile& profile() const { return *profile_; }
  std::vector<std::size_t> slices;

 private:
  TestFolder folder_;
  std::shared_ptr<const trace::Profile> profile_;
  std::unique_ptr<sql::Database> database_;
};

TEST_CASE("result columns have the units of the columns that they are made of", "[query]") {
  ResultBench bench;
  using enum ColumnKind;
  CHECK(bench.kind("SELECT dur AS d FROM slice") == duration);
  CHECK(bench.kind("SELECT s.start AS a FROM slice s") == time);
  CHECK(bench.kind("SELECT sum(dur) FROM slice") == duration);
  CHECK(bench.kind("SELECT avg(s.dur) AS mean FROM slice s") == duration);
  CHECK(bench.kind("SELECT max(end) - min(start) AS span FROM slice") == duration);
  CHECK(bench.kind("WITH t AS (SELECT sum(latency_from_start_ns) AS l FROM launch) SELECT max(l) FROM t") == duration);
  CHECK(bench.kind("SELECT sum(bytes) AS b FROM gpu_activity") == bytes);
  CHECK(bench.kind("SELECT rank FROM slice") == identifier);
  CHECK(bench.kind("SELECT count(*) AS n FROM slice") == integer);
  // Numbers whose unit another one changes.
  CHECK(bench.kind("SELECT dur / 1e6 AS ms FROM slice") == real);
  CHECK(bench.kind("SELECT dur * dur AS x FROM slice") == integer);
  CHECK(bench.kind("SELECT CASE WHEN dur > 5 THEN 1 ELSE 0 END AS long FROM slice") == integer);
  CHECK(bench.kind("SELECT count(dur) AS n FROM slice") == integer);
}

TEST_CASE("only columns with slices lead to slices", "[query]") {
  ResultBench bench;
  const Table slices = bench.run("SELECT dur, id FROM slice WHERE rank = 1 LIMIT 1");
  REQUIRE(bench.slices == std::vector<std::size_t>{1});
  const auto slice = slice_in(bench.profile(), slices, 0, bench.slices);
  REQUIRE(slice);
  CHECK(slice->rank == 1);
  CHECK(bench.profile().duration(*slice) == slices.at(0, 0).integer());
  for (const char* query :
       {"SELECT l.activity FROM launch l", "SELECT launch AS l FROM gpu_activity", "SELECT slice FROM arrival",
        "SELECT id FROM step", "SELECT parent(id) FROM slice WHERE depth > 0"}) {
    (void)bench.run(query);
    INFO(query);
    CHECK(bench.slices == std::vector<std::size_t>{0});
  }
  for (const char* query : {"SELECT id FROM track", "SELECT track FROM slice", "SELECT id FROM collective"}) {
    (void)bench.run(query);
    INFO(query);
    CHECK(bench.slices.empty());
  }
}

TEST_CASE("charts show the columns that the user picks", "[query]") {
  ResultBench bench;
  const Table kernels = bench.run("SELECT name, count(*) AS n, sum(dur) AS time FROM gpu_activity GROUP BY name");
  const ChartChoice bars = suggested_chart(kernels);
  CHECK(bars == ChartChoice{ResultChart::bars, 0, 2});
  ChartedResult made = chart_of(kernels, {ResultChart::bars, 0, 1}, scene::Theme::dark, {});
  const auto* chart = std::get_if<charts::StackedBars>(&made.drawing.chart);
  REQUIRE(chart != nullptr);
  REQUIRE_FALSE(chart->rows.empty());
  for (std::uint32_t i = 0; i < chart->rows.size(); ++i) {
    const auto row = made.row_of(i);
    REQUIRE(row);
    CHECK(chart->rows[i].values[0] == kernels.at(*row, 1).number());
    CHECK(made.item_of(*row) == i);
  }
  made = chart_of(kernels, {ResultChart::histogram, 0, 2}, scene::Theme::dark, {});
  const auto* histogram = std::get_if<charts::HistogramChart>(&made.drawing.chart);
  REQUIRE(histogram != nullptr);
  double counted = 0;
  for (const charts::HistogramBin& bin : histogram->bins) counted += bin.count;
  CHECK(counted == static_cast<double>(kernels.rows()));
  made = chart_of(kernels, {ResultChart::pie, 0, 2}, scene::Theme::dark, {});
  CHECK(std::holds_alternative<charts::PieChart>(made.drawing.chart));

  const Table times = bench.run("SELECT rank, start, dur AS x_ns FROM step ORDER BY dur");
  CHECK(suggested_chart(times).kind == ResultChart::bars);  // rows with a start and a duration are not points
  made = chart_of(times, {ResultChart::lines, 1, 2}, scene::Theme::dark, {});
  const auto* lines = std::get_if<charts::LineChart>(&made.drawing.chart);
  REQUIRE(lines != nullptr);
  CHECK(lines->series.size() == bench.profile().ranks.size());
  CHECK(suggested_chart(bench.run("SELECT 1 AS one")).kind == ResultChart::none);
  const Table launches = bench.run("SELECT latency_from_start_ns FROM launch");
  CHECK(suggested_chart(launches).kind == (launches.rows() < 30 ? ResultChart::none : ResultChart::histogram));
}

}  // namespace
}  // namespace warpscope::ui
