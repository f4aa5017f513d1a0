// The report is a complete, self-contained page and never overwrites other kinds of files.
#include <simdjson.h>

#include <algorithm>
#include <map>

#include "app/cli/report/report_table.hpp"
#include "core/analysis/request/registry.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace

TEST_CASE("report shows every analysis with its description, tables and charts", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const std::string traces = small_set(folder);
  const fs::path file = out.path() / "job.html";
  const Outcome done = run({"report", traces, "--html", file.string(), "--no-store", "--rows", "7"});
  REQUIRE(done.status == cli::kDone);
  CHECK(done.out.empty());
  CHECK(contains(done.err, "wrote " + file.string()));
  const std::string page = read_whole(file);
  CHECK(page.starts_with("<!DOCTYPE html>\n<!-- warpscope report -->\n"));
  CHECK(page.ends_with("</html>\n"));
  for (const analysis::Analysis& each : analysis::analyses()) {
    INFO(each.name);
    const std::string section = "<section id=\"" + std::string(each.name) + "\">";
    CHECK(count_of(page, section) == (each.compares ? 0 : 1));
    CHECK(contains(page, "href=\"#" + std::string(each.name) + "\"") != each.compares);
  }
  CHECK(page.find("<section id=\"findings\">") < page.find("<section id=\"profile\">"));
  CHECK(contains(page, "<section id=\"rules\"><h2>Rules summary</h2>"));
  CHECK(contains(page, "<section id=\"profile\">"));
  CHECK(contains(page, "<section id=\"diagnostics\">"));
  CHECK(count_of(page, "<svg ") > 15);
  CHECK(count_of(page, "<svg ") == count_of(page, "</svg>"));
  CHECK(contains(page, "prefers-color-scheme: dark"));
  CHECK(contains(page, "@media print"));
  // The page is self-contained.
  for (const char* const part : {"<script", "http:", "https:", "<link", "@import", "url(", "src="})
    CHECK_FALSE(contains(page, part));
  // Truncated tables have a note.
  CHECK(contains(page, "<p class=\"note\">Showing the first 7 of "));
  for (std::size_t at = page.find("<table>"); at != page.npos; at = page.find("<table>", at + 1))
    CHECK(count_of(std::string_view(page).substr(at, page.find("</tbody>", at) - at), "<tr><td") <= 7);
}

TEST_CASE("report uses the given rule parameters and includes the findings", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const std::string traces = small_set(folder);
  const std::string file = (out.path() / "job.html").string();
  const auto findings_with = [&](const std::string& setting) {
    const Outcome done = run({"report", traces, "--html", file, "--no-store", "--set", setting});
    REQUIRE(done.status == cli::kDone);
    const std::string page = read_whole(file);
    const std::size_t begin = page.find("<section id=\"findings\">");
    return page.substr(begin, page.find("</section>", begin) - begin);
  };
  const std::string usual = findings_with("IdleGpu_share=0.01");
  CHECK(contains(usual, "<li><strong>Idle GPUs</strong>"));
  CHECK(contains(usual, "<svg "));
  CHECK_FALSE(contains(findings_with("IdleGpu_share=1"), "<li><strong>Idle GPUs</strong>"));
  const Outcome unknown = run({"report", traces, "--html", file, "--set", "IdleGpu_patience=1"});
  CHECK(unknown.status == cli::kUsage);
  CHECK(contains(unknown.err, "IdleGpu_share"));
}

TEST_CASE("report overwrites only an earlier report", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const std::string traces = small_set(folder);
  const fs::path notes = out.write("notes.html", "<!DOCTYPE html>\n<p>mine</p>");
  const Outcome refused = run({"report", traces, "--html", notes.string(), "--no-store"});
  CHECK(refused.status == cli::kUsage);
  CHECK(contains(refused.err, "is not a report"));
  CHECK(read_whole(notes) == "<!DOCTYPE html>\n<p>mine</p>");
  const fs::path report = out.path() / "report.html";
  for (const char* const rows : {"3", "4"})
    CHECK(run({"report", traces, "--html", report.string(), "--no-store", "--rows", rows}).status == cli::kDone);
  CHECK(contains(read_whole(report), "Showing the first 4 of "));
  CHECK(run({"report", traces, "--html", (out.path() / "no" / "r.html").string(), "--no-store"}).status ==
        cli::kNotWritten);
  CHECK(run({"report", (out.path() / "none").string(), "--html", report.string()}).status == cli::kNothingRead);
  CHECK(run({"report", traces}).status == cli::kUsage);
}

TEST_CASE("report tables have units, escaped names, and a note about omitted rows", "[cli]") {
  Table table("t", "Times <of> kernels", {{"name", "", ColumnKind::text}, {"total", "", ColumnKind::duration}});
  table.note = "a note";
  table.add_row({"gemm<float>&\x1b[0m", 3'410'000});
  table.add_row({std::string(300, 'n'), 1'000'000});
  table.add_row({"last", Cell()});
  std::string all;
  cli::write_html(all, table, 0);
  CHECK(contains(all, "<h3>Times &lt;of&gt; kernels</h3>"));
  CHECK(contains(all, "<p class=\"note\">a note</p>"));
  CHECK(contains(all, "<th class=\"figure\">total (ms)</th>"));
  CHECK(contains(all, "gemm&lt;float&gt;&amp;"));
  CHECK_FALSE(contains(all, "\x1b"));
  CHECK(contains(all, "title=\"" + std::string(300, 'n') + "\""));
  CHECK_FALSE(contains(all, "The first"));
  std::string cut;
  cli::write_html(cut, table, 1);
  CHECK(contains(cut, "Showing the first 1 of 3 rows."));
  CHECK_FALSE(contains(cut, ">last<"));
  Table empty("e", "Empty", {{"name", "", ColumnKind::text}});
  std::string none;
  cli::write_html(none, empty, 5);
  CHECK(contains(none, "No data in this profile."));
}

TEST_CASE("report writes JSON", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const std::string traces = small_set(folder);
  const fs::path json = out.path() / "job.json";
  for (int again = 0; again < 2; ++again)
    REQUIRE(run({"report", traces, "--json", json.string(), "--no-store"}).status == cli::kDone);
  simdjson::dom::parser parser;
  const simdjson::dom::element whole = parser.load(json.string());
  CHECK(std::int64_t(whole["schema"]) == 2);
  std::map<std::string, int> members;
  for (const auto& [key, value] : simdjson::dom::object(whole)) ++members[std::string(key)];
  for (const auto& [name, count] : members) {
    INFO(name);
    CHECK(count == 1);
  }
  for (const char* const part : {"summary", "window", "account", "findings", "rules", "profile"})
    CHECK(members.contains(part));
  for (const analysis::Analysis& each : analysis::analyses()) {
    if (each.compares) continue;
    INFO(each.name);
    CHECK(members.contains(std::string(each.name)) != (whole["errors"][each.name].error() == simdjson::SUCCESS));
  }
  CHECK(run({"report", traces, "--json", json.string(), "--html", (out.path() / "job.html").string()}).status ==
        cli::kUsage);
}
