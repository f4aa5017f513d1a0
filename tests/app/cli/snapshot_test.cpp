// `warpscope snapshot`: screenshots and errors.
#include <simdjson.h>
#include <sys/stat.h>

#include <set>

#include "app/settings/page_names.hpp"
#include "app/ui/shell/state_dump.hpp"
#include "render/gl/image.hpp"
#include "render/gl/offscreen.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/environment.hpp"
#include "tests/pictures.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Warns if OpenGL is not available.
bool can_draw() {
  if (gl::OffscreenContext::create(64, 64)) return true;
  WARN("skipped: OpenGL is not available without a display");
  return false;
}

}  // namespace

TEST_CASE("a snapshot of the Settings page shows the folders, even without a home directory", "[cli]") {
  if (!can_draw()) return;
  const TestFolder folder;
  const std::string path = small_set(folder);
  const TestFolder cache;
  const Variable homeless("HOME", nullptr);
  const auto kept_in = [&] {
    const std::string state = (cache.path() / "state.json").string();
    const Outcome outcome = run({"snapshot", path, "--out", (cache.path() / "x.png").string(), "--page", "settings",
                                 "--size", "640x400", "--dump-state", state});
    REQUIRE(outcome.status == cli::kDone);
    simdjson::dom::parser parser;
    const std::string_view folder_of_stores = parser.load(state)["pages"]["settings"]["store_folder"];
    return std::string(folder_of_stores);
  };
  {
    const Variable named("XDG_CACHE_HOME", cache.path().c_str());
    CHECK(kept_in() == (cache.path() / "warpscope" / "stores").string());
  }
  const Variable none("XDG_CACHE_HOME", nullptr);
  CHECK(kept_in().empty());
}

TEST_CASE("snapshot writes the requested picture and rejects invalid requests", "[cli]") {
  if (!can_draw()) return;
  const TestFolder folder;
  const std::string path = small_set(folder);
  const std::string picture = (folder.path() / "x.png").string();
  const Outcome outcome =
      run({"snapshot", path, "--out", picture, "--size", "640x400", "--theme", "light", "--select", "cat:kernel"});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.out.empty());
  const auto image = tests::read_png(picture);
  REQUIRE(image.ok());
  CHECK(image->width == 640);
  CHECK(image->height == 400);
  std::filesystem::remove(picture);
  for (const std::vector<std::string>& extra :
       std::vector<std::vector<std::string>>{{"--from", "5ms", "--to", "1ms"},
                                             {"--select", "name=\"no such slice\""},
                                             {"--page", "settings", "--from", "1ms"},
                                             {"--script", "run:no.such.command"},
                                             {"--page", "nowhere"}}) {
    std::vector<std::string> arguments{"snapshot", path, "--out", picture};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    INFO(extra.front());
    CHECK(run(arguments).status == cli::kUsage);
    CHECK_FALSE(std::filesystem::exists(picture));
  }
  CHECK(
      run({"snapshot", path, "--out", picture, "--script", "run:analysis.show.temporal"}).err.find("no such command") !=
      std::string::npos);
  const std::string restricted = (folder.path() / "state.json").string();
  for (const char* const page : {"dashboard", "analysis"}) {
    INFO(page);
    CHECK(run({"snapshot", path, "--out", picture, "--page", page, "--from", "1ms", "--to", "3ms", "--dump-state",
               restricted})
              .status == cli::kDone);
    CHECK(read_whole(restricted).find("1.000 ms to 3.000 ms") != std::string::npos);
  }
  CHECK(run({"snapshot", path, "--out", (folder.path() / "nowhere" / "x.png").string()}).status == cli::kNotWritten);
  const std::string state = (folder.path() / "nowhere" / "state.json").string();
  const Outcome stateless = run({"snapshot", path, "--out", picture, "--dump-state", state});
  CHECK(stateless.status == cli::kNotWritten);
  CHECK(stateless.err.find(state + ": its folder does not exist") != std::string::npos);
}

TEST_CASE("snapshot overwrites only its own pictures and states", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  const std::filesystem::path trace = std::filesystem::directory_iterator(path)->path();
  const std::string before = read_whole(trace);
  const TestFolder target;
  const std::string picture = (target.path() / "x.png").string();
  const std::string state = (target.path() / "state.json").string();
  const auto refused = [&](const std::string& out, const std::string& dump, const std::string& what) {
    const Outcome outcome = run({"snapshot", path, "--out", out, "--size", "640x400", "--dump-state", dump});
    CHECK(outcome.status == cli::kUsage);
    CHECK(outcome.err == "warpscope: " + trace.string() + ": already exists and is not " + what +
                             "; remove it first or choose another file\n");
  };
  refused(trace.string(), state, "a PNG image");
  refused(picture, trace.string(), "a state file written by Warpscope");
  CHECK(read_whole(trace) == before);
  CHECK_FALSE(std::filesystem::exists(picture));
  CHECK(run({path, "--dump-state", trace.string()}).status == cli::kUsage);
  CHECK(read_whole(trace) == before);
  if (!can_draw()) return;
  target.write("state.json.new", "notes");
  for (int i = 0; i < 2; ++i)
    CHECK(run({"snapshot", path, "--out", picture, "--size", "640x400", "--dump-state", state}).status == cli::kDone);
  CHECK(read_whole(state).starts_with(ui::kStateBegin));
  CHECK(read_whole(target.path() / "state.json.new") == "notes");
}

TEST_CASE("snapshot shows every page that --page accepts", "[cli]") {
  if (!can_draw()) return;
  const TestFolder folder;
  const std::string path = small_set(folder);
  const std::string state = (folder.path() / "state.json").string();
  for (const std::string_view page : settings::kPageNames) {
    CAPTURE(page);
    const Outcome outcome = run({"snapshot", path, "--out", (folder.path() / "x.png").string(), "--page",
                                 std::string(page), "--size", "640x400", "--dump-state", state});
    CHECK(outcome.status == cli::kDone);
    simdjson::dom::parser parser;
    CHECK(std::string_view(parser.load(state)["page"]) == page);
  }
}

TEST_CASE("the Dashboard and the Timeline show which ranks are truncated") {
  if (!can_draw()) return;
  const TestFolder folder;
  const TestFolder target;
  tracegen::Options options = small_job();
  options.defects = {*tracegen::parse_defect("truncated@0")};
  write_set(folder, tracegen::generate_in_memory(options));
  const std::string stored = (target.path() / "job.wscope").string();
  REQUIRE(run({"convert", folder.path().string(), "--out", stored}).status == cli::kDone);
  std::set<std::string> notes;
  for (const char* const page : {"dashboard", "timeline"})
    for (const std::string& path : {folder.path().string(), stored}) {
      const std::string state = (target.path() / "state.json").string();
      CAPTURE(page, path);
      REQUIRE(
          run({"snapshot", path, "--out", (target.path() / "x.png").string(), "--page", page, "--dump-state", state})
              .status == cli::kDone);
      const std::string text = read_whole(state);
      const std::size_t note = text.find("Rank 0 is truncated after ");
      REQUIRE(note != std::string::npos);
      notes.insert(text.substr(note, text.find('"', note) - note));
    }
  CHECK(notes.size() == 1);
}
