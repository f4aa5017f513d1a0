// The Query page in the application without a display.
#include "app/ui/query/query_page.hpp"

#include <fstream>

#include "app/ui/analysis/analysis_page.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "core/sql/context.hpp"
#include "core/sql/recipes.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

class QueryBench {
 public:
  QueryBench() {
    (void)tracegen::generate(small_job(), folder_.path() / "job");
    start();
  }
  /// Starts the application again, with the same settings folder.
  void start() {
    AppOptions options =
        app_options(directory_loader({}), {make_page<TimelinePage>, make_page<AnalysisPage>, page_at(page_)});
    options.settings_path = folder_.path() / "settings" / "settings";
    app_.reset();
    app_ = offscreen_app(std::move(options), 1280, 800);
    if (app_) run("open:" + (folder_.path() / "job").string() + ";settle;run:page.query");
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  void run(const std::string& script) { play(*app_, script + ";settle"); }
  /// Types a query over the old one and runs it.
  void query(const std::string& sql) { run("run:query.edit;wait:3;key:Ctrl+A;type:" + sql + ";key:Ctrl+Enter"); }
  void click(ImVec2 at) {
    run("click:" + std::to_string(static_cast<int>(at.x)) + "," + std::to_string(static_cast<int>(at.y)));
  }
  [[nodiscard]] QueryPage& page() { return *page_; }
  [[nodiscard]] Session& session() { return app_->app().context().session; }
  [[nodiscard]] bool has(std::string_view words) { return state_has(*app_, words); }
  [[nodiscard]] std::filesystem::path settings() const { return folder_.path() / "settings"; }
  [[nodiscard]] std::int64_t number(std::size_t row = 0, std::size_t column = 0) {
    REQUIRE(page().result().rows() != nullptr);
    return page().result().rows()->at(row, column).integer();
  }

 private:
  TestFolder folder_;
  QueryPage* page_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

TEST_CASE("the Query page starts with a recipe and runs what is typed", "[query][window]") {
  QueryBench bench;
  if (!bench.works()) return;
  CHECK(bench.page().editor().text() == sql::recipes().front().query);
  REQUIRE(bench.page().result().rows() != nullptr);
  bench.run("key:Ctrl+Right");
  CHECK(bench.page().editor().text() == sql::recipes()[1].query);
  bench.query("SELECT count(*), 7 FROM slice");
  CHECK(bench.number(0, 0) > 100);
  CHECK(bench.number(0, 1) == 7);
  CHECK_FALSE(bench.page().failure());
  bench.run("key:Esc;run:query.sort;run:query.copy");
  CHECK(std::string_view(ImGui::GetClipboardText()).starts_with("count(*),7"));
  // A query can create temporary tables for the next.
  bench.query("CREATE TEMP TABLE t AS SELECT 41 AS x");
  bench.query("SELECT x + 1 FROM t");
  CHECK(bench.number() == 42);
}

TEST_CASE("errors of a query are shown with their line until the next one", "[query][window]") {
  QueryBench bench;
  if (!bench.works()) return;
  bench.query("SELECT name FRM slice");
  CHECK(bench.has("line 1"));
  CHECK(bench.has("syntax error"));
  CHECK(bench.page().result().rows() == nullptr);
  bench.query("DELETE FROM slice");
  CHECK(bench.page().failure());
  bench.query("SELECT 1");
  CHECK_FALSE(bench.page().failure());
  CHECK(bench.number() == 1);
}

TEST_CASE("Esc stops a query without touching its text", "[query][window]") {
  QueryBench bench;
  if (!bench.works()) return;
  const std::string endless = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM t) SELECT count(*) FROM t";
  bench.run("run:query.edit;wait:3;key:Ctrl+A;type:" + endless + ";key:Ctrl+Enter;wait:5;key:Esc");
  CHECK(bench.has("\"running\": false"));
  CHECK(bench.page().editor().text() == endless);
  bench.query("SELECT 5");
  CHECK(bench.number() == 5);
}

TEST_CASE("completion works with keys and with the mouse", "[query][window]") {
  QueryBench bench;
  if (!bench.works()) return;
  bench.run("run:query.edit;wait:3;key:Ctrl+A;type:SELECT count(*) FROM gpu_ac;wait:2;key:Tab");
  CHECK(bench.page().editor().text() == "SELECT count(*) FROM gpu_activity");
  bench.run("type: g WHERE g.;wait:2");
  REQUIRE(bench.page().editor().listing());
  const Completion second = bench.page().editor().offered().items.at(1);
  bench.run("key:Down;key:Enter");
  CHECK(bench.page().editor().text() == "SELECT count(*) FROM gpu_activity g WHERE g." + second.text);
  CHECK_FALSE(bench.page().editor().listing());
  bench.run("type: > 0 AND stre;wait:2");
  const ImVec2 at = bench.page().editor().list_at();
  bench.click({at.x + 20, at.y + 12});
  CHECK(bench.page().editor().text().ends_with("AND stream"));
  CHECK(bench.page().editor().active());
  // Esc closes only the list; Enter without a list is a new line.
  bench.run("type: = dev;wait:2;key:Esc;key:Enter;type:ice");
  CHECK(bench.page().editor().text().ends_with("= dev\nice"));
}

TEST_CASE("a row of a result leads to its slice, its time or its name in the Timeline", "[query][window]") {
  QueryBench bench;
  if (!bench.works()) return;
  bench.query("SELECT name, id FROM gpu_activity WHERE rank = 1 ORDER BY dur DESC LIMIT 5");
  const std::int64_t id = bench.number(0, 1);
  bench.run("key:Esc;key:Down;key:F");
  CHECK(bench.has("\"page\": \"timeline\""));
  REQUIRE(bench.session().selection());
  CHECK(sql::slice_id(*bench.session().selection()) == id);
  bench.run("run:page.query");
  bench.query("SELECT rank, start, dur FROM step LIMIT 2");
  bench.run("key:Esc;key:Down");
  CHECK(bench.has("\"leads_to_timeline\": true"));
  bench.query("SELECT 1 AS one UNION SELECT 2");
  bench.run("key:Esc;key:Down");
  CHECK(bench.has("\"leads_to_timeline\": false"));
}

TEST_CASE("saved queries and the history outlast the session", "[query][window]") {
  QueryBench bench;
  if (!bench.works()) return;
  bench.query("SELECT 11 AS eleven");
  bench.query("SELECT 12 AS twelve");
  bench.run("key:Alt+Up;wait:3");
  CHECK(bench.page().editor().text() == "SELECT 11 AS eleven");
  bench.run("key:Ctrl+S;wait:3;type:The eleventh: é;key:Enter");
  std::ifstream file(bench.settings() / "queries" / "the-eleventh.sql");
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "-- The eleventh: é\nSELECT 11 AS eleven");
  bench.start();
  CHECK(bench.page().editor().text() == "SELECT 12 AS twelve");
  CHECK(bench.page().result().rows() == nullptr);  // runs only when asked
  const NamedQuery* saved = bench.page().files().find_saved("The eleventh: é");
  REQUIRE(saved != nullptr);
  bench.page().run_text(saved->text);
  bench.run("wait:1");
  CHECK(bench.number() == 11);
  bench.run("key:Ctrl+H;wait:3;key:Enter;wait:3");
  CHECK(bench.page().editor().text() == "SELECT 12 AS twelve");
  CHECK_FALSE(bench.page().files().remove(saved->file));
  CHECK_FALSE(std::filesystem::exists(bench.settings() / "queries" / "the-eleventh.sql"));
}

TEST_CASE("the SQL of an analysis returns the rows on its page", "[query][window]") {
  QueryBench bench;
  if (!bench.works()) return;
  for (const char* show : {"run:analysis.show.kernel_time;run:analysis.next-table", "run:analysis.show.gpu_activity"}) {
    INFO(show);
    bench.run("run:page.analysis;" + std::string(show) + ";settle");
    bench.run("run:analysis.query");
    CHECK(bench.has("\"page\": \"query\""));
    REQUIRE(bench.page().result().rows() != nullptr);
    CHECK(bench.page().result().rows()->rows() > 0);
  }
}

}  // namespace
}  // namespace warpscope::ui
