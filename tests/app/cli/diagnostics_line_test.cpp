// Diagnostics that commands print in addition to their results.
#include "app/cli/diagnostics_line.hpp"

#include "core/base/format.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Writes the trace of one of four ranks, with one kernel followed by `more`.
void write_rank(const TestFolder& folder, int rank, const std::string& more = "") {
  folder.write("rank" + std::to_string(rank) + ".json",
               trace_of(kernel_event("k") + more,
                        R"("distributedInfo":{"rank":)" + std::to_string(rank) + R"(,"world_size":4})"));
}

trace::Profile profile_of(const std::string& path) {
  trace::Profile profile;
  profile.path = path;
  return profile;
}

}  // namespace

TEST_CASE("diagnostics are counted by kind, most severe first, and only a few are listed", "[cli]") {
  trace::Profile profile = profile_of("/runs/a");
  CHECK(cli::diagnostics_line(profile).empty());
  Diagnostics& all = profile.diagnostics;
  all.add("control-character", Severity::info, "/runs/a/rank0.json", 5, "x");
  CHECK(cli::diagnostics_line(profile).empty());
  all.add("ranks-missing", Severity::warning, "/runs/a", Diagnostic::kNoOffset, "2, 5–7 of 0–7", 4);
  CHECK(cli::diagnostics_line(profile) == "1 warning: ranks missing: 2, 5–7 of 0–7");
  all.add("skipped-bytes", Severity::warning, "/runs/a/rank3.json", 5, "{{", 4096);
  CHECK(cli::diagnostics_line(profile) ==
        "2 warnings: ranks missing: 2, 5–7 of 0–7; skipped bytes: " + format_count(4096) + " in rank3.json");
  for (const char* const file : {"/runs/a/rank0.json", "/runs/a/b/rank1.json", "/runs/a/rank2.json"})
    all.add("unreadable-file", Severity::error, file, Diagnostic::kNoOffset, "");
  all.add("no-slices", Severity::warning, "/runs/a/b/rank4.json", Diagnostic::kNoOffset, "");
  CHECK(cli::diagnostics_line(profile) ==
        "1 error, 3 warnings: unreadable file: 3 files; ranks missing: 2, 5–7 of 0–7; "
        "skipped bytes: " +
            format_count(4096) + " in rank3.json; and 1 more");
}

TEST_CASE("diagnostics for a single file show its name, and hostile text does not reach the terminal", "[cli]") {
  trace::Profile profile = profile_of("/runs/rank0.json");
  auto rank = std::make_shared<trace::Rank>();
  rank->source.path = profile.path;
  profile.ranks.push_back(rank);
  profile.diagnostics.add("skipped-bytes", Severity::warning, profile.path, 5, "{{", 7);
  CHECK(cli::diagnostics_line(profile) == "1 warning: skipped bytes: 7 in rank0.json");
  profile.diagnostics.add("\x1b[2J", Severity::warning, "/elsewhere/\n\x1b[2J.json", 5, "");
  const std::string text = cli::diagnostics_line(profile);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("every command reports missing and corrupt input in one line on stderr", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  for (const int rank : {0, 2}) write_rank(folder, rank);
  const std::string path = folder.path().string();
  const std::string said = "warpscope: 1 warning: ranks missing: 1, 3 of 0–3 – ";
  const std::string listed = "`warpscope info " + path + "` lists them\n";
  const Outcome analyzed = run({"analyze", "kernel_time", path, "--no-store", "--json"});
  CHECK(analyzed.status == cli::kDone);
  CHECK(analyzed.err == said + listed);
  const Outcome converted = run({"convert", path, "--out", (out.path() / "job.wscope").string(), "--no-store"});
  CHECK(converted.status == cli::kDone);
  CHECK(converted.err.starts_with(said + listed + "warpscope: wrote "));
  const Outcome read = run({"info", path, "--no-store"});
  CHECK(read.err.starts_with(said));
  CHECK(read.err.find('\n') == read.err.size() - 1);
  CHECK(read.out.find("ranks-missing") != std::string::npos);
  // With --json, they are part of the result.
  const Outcome json = run({"info", path, "--no-store", "--json"});
  CHECK(json.err.empty());
  CHECK(json.out.find("ranks-missing") != std::string::npos);
  const Outcome picture = run({"snapshot", path, "--out", (out.path() / "x.png").string(), "--no-store"});
  if (picture.status == cli::kDone) CHECK(picture.err == said + listed);
}

TEST_CASE("intact input prints no diagnostics", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  for (int rank = 0; rank < 4; ++rank) write_rank(folder, rank);
  const std::string path = folder.path().string();
  CHECK(run({"analyze", "kernel_time", path, "--no-store", "--json"}).err.empty());
  CHECK(run({"info", path, "--no-store"}).err.empty());
  CHECK(run({"convert", path, "--out", (out.path() / "job.wscope").string(), "--no-store"})
            .err.starts_with("warpscope: wrote "));
  // A single file that the user chose from a larger job.
  CHECK(run({"analyze", "kernel_time", path + "/rank1.json", "--no-store", "--json"}).err.empty());
}
