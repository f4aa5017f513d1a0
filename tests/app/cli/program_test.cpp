// The command line as scripts use it: what goes to stdout, and what it ends with.
#include "app/cli/program.hpp"

#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>

#include "app/cli/exit_status.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/environment.hpp"
#include "tests/tracegen/tracegen.hpp"
#if WARPSCOPE_GRAPHICS
#include "render/gl/image.hpp"
#include "render/gl/offscreen.hpp"
#endif

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

// Catches what is written to a stream while it lives.
class Capture {
 public:
  Capture(std::FILE* stream, const std::filesystem::path& file) : stream_(stream), file_(file) {
    std::fflush(stream_);
    saved_ = ::dup(::fileno(stream_));
    std::FILE* const into = std::fopen(file_.c_str(), "w");
    ::dup2(::fileno(into), ::fileno(stream_));
    std::fclose(into);
  }
  std::string finish() {
    std::fflush(stream_);
    ::dup2(saved_, ::fileno(stream_));
    ::close(saved_);
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::FILE* stream_;
  std::filesystem::path file_;
  int saved_ = -1;
};

Outcome run(std::vector<std::string> arguments) {
  const TestFolder folder;
  arguments.insert(arguments.begin(), "warpscope");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  Capture out(stdout, folder.path() / "out");
  Capture err(stderr, folder.path() / "err");
  Outcome outcome;
  outcome.status = cli::run_program(static_cast<int>(pointers.size()), pointers.data());
  outcome.err = err.finish();
  outcome.out = out.finish();
  return outcome;
}

std::string small_set(const TestFolder& folder) {
  tracegen::Options options = *tracegen::preset("small");
  (void)tracegen::generate(options, folder.path());
  return folder.path().string();
}

}  // namespace

TEST_CASE("info --json has every field, and nothing else on stdout", "[cli]") {
  const TestFolder folder;
  const Outcome outcome = run({"info", small_set(folder), "--json"});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.err.empty());
  simdjson::dom::parser parser;
  simdjson::dom::object document;
  REQUIRE(parser.parse(outcome.out).get(document) == simdjson::SUCCESS);
  std::set<std::string_view> keys;
  for (const auto field : document) keys.insert(field.key);
  CHECK(keys == std::set<std::string_view>{"schema",
                                           "nodes",
                                           "rank_files",
                                           "ranks",
                                           "gpus",
                                           "streams",
                                           "events",
                                           "slices",
                                           "slices_by_category",
                                           "launches",
                                           "runs",
                                           "connections",
                                           "fwdbwd",
                                           "steps",
                                           "annotations",
                                           "counters",
                                           "span_ns",
                                           "load_seconds",
                                           "resident_bytes",
                                           "peak_resident_bytes",
                                           "bytes_per_slice",
                                           "diagnostics"});
  CHECK(std::uint64_t(document["schema"]) == 1);
  CHECK(std::uint64_t(document["ranks"]) == 2);
  CHECK(std::uint64_t(document["nodes"].at(0)["gpus"]) == 2);
  CHECK(std::uint64_t(document["resident_bytes"]) > 0);
}

TEST_CASE("info --json tells which rank's file was cut short", "[cli]") {
  const TestFolder folder;
  const std::string event = R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":5})";
  folder.write("rank0.json", trace_of(event, R"("distributedInfo":{"rank":0})"));
  const std::string cut = trace_of(event + "," + event, R"("distributedInfo":{"rank":1})");
  folder.write("rank1.json", cut.substr(0, cut.rfind("ts")));
  const Outcome outcome = run({"info", folder.path().string(), "--json"});
  simdjson::dom::parser parser;
  simdjson::dom::array files;
  REQUIRE(parser.parse(outcome.out)["rank_files"].get(files) == simdjson::SUCCESS);
  REQUIRE(files.size() == 2);
  for (const simdjson::dom::element file : files) {
    const std::string_view name = file["file"];
    CHECK(bool(file["complete"]) == name.ends_with("rank0.json"));
    CHECK_FALSE(std::string_view(file["node"]).empty());
  }
}

TEST_CASE("mistakes end with 2 and say what to do", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  const std::string picture = (folder.path() / "x.png").string();
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"info"},
                                             {"info", path, "--nonsense"},
                                             {"inf", path},
                                             {"info", path, "--memory", "much"},
                                             {"info", path, "--memory", "1K"},
                                             {"info", path, "--no-store", "--save-store"},
                                             {"convert", path},
                                             {"convert", path, "--out", folder.path() / "no such" / "x.wscope"},
                                             {"snapshot", path},
                                             {"snapshot", path, "--out", picture, "--from", "5zz"},
                                             {"snapshot", path, "--out", picture, "--size", "10"},
                                             {"snapshot", path, "--out", picture, "--select", "dur>>"},
                                             {"snapshot", path, "--out", picture, "--scale", "90"},
                                             {"snapshot", path, "--out", picture, "--script", "jump:1"}}) {
    const Outcome outcome = run(arguments);
    INFO(arguments.front() << ' ' << arguments.back());
    CHECK(outcome.status == cli::kUsage);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("warpscope: "));
  }
  CHECK(run({"inf", path}).err.find("no command \"inf\"") != std::string::npos);
}

TEST_CASE("what cannot be read ends with 3 and a message, what is damaged with 0", "[cli]") {
  const TestFolder folder;
  for (const std::string& path :
       {(folder.path() / "absent").string(), folder.write("empty.json", "").string(),
        folder.write("other.json", R"({"a": 1})").string(), folder.write("x.json", "PK\x03\x04zip").string()}) {
    const Outcome outcome = run({"info", path});
    INFO(path);
    CHECK(outcome.status == cli::kNothingRead);
    CHECK(outcome.err.find(path) != std::string::npos);
  }
  const auto metadata =
      folder.write("metadata.json", trace_of(R"({"ph":"M","name":"process_name","pid":1,"args":{}})"));
  CHECK(run({"info", metadata.string()}).status == cli::kDone);
  CHECK(run({"info", metadata.string()}).out.find("no-slices") != std::string::npos);
}

TEST_CASE("convert writes what info then reads, without the traces", "[cli]") {
  const TestFolder folder;
  const std::string traces = small_set(folder);
  const std::string file = (TestFolder().path().string()) + ".wscope";
  const std::string before = run({"info", traces, "--json"}).out;
  const Outcome outcome = run({"convert", traces, "--out", file});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  std::filesystem::remove_all(traces);
  const Outcome after = run({"info", file, "--json"});
  CHECK(after.status == cli::kDone);
  const auto figure = [](const std::string& json, const char* key) {
    simdjson::dom::parser parser;
    return std::uint64_t(parser.parse(json)[key]);
  };
  for (const char* key : {"ranks", "gpus", "streams", "events", "slices", "launches", "runs", "connections", "fwdbwd",
                          "steps", "counters", "span_ns"}) {
    INFO(key);
    CHECK(figure(before, key) == figure(after.out, key));
  }
  std::filesystem::remove(file);
}

TEST_CASE("convert replaces nothing but what it wrote itself", "[cli]") {
  const TestFolder folder;
  const std::string traces = small_set(folder);
  const std::filesystem::path source = std::filesystem::directory_iterator(traces)->path();
  const auto size = std::filesystem::file_size(source);
  const std::filesystem::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& out : {source.string(), pipe.string(), traces, std::string("/dev/null"), std::string(),
                                 (folder.path() / "nowhere" / "job.wscope").string()}) {
    INFO(out);
    const Outcome outcome = run({"convert", traces, "--out", out});
    CHECK(outcome.status == cli::kUsage);
    CHECK_FALSE(outcome.err.empty());
  }
  CHECK(std::filesystem::file_size(source) == size);
  CHECK(std::filesystem::is_fifo(pipe));
  CHECK(std::filesystem::is_character_file("/dev/null"));

  const std::filesystem::path file = folder.path() / "job.wscope";
  const std::filesystem::path link = folder.path() / "link.wscope";
  std::filesystem::create_symlink(file, link);
  for (int again = 0; again < 2; ++again) CHECK(run({"convert", traces, "--out", link.string()}).status == cli::kDone);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(file)));
}

TEST_CASE("a store is written only when that is asked for, and then used", "[cli]") {
  const TestFolder folder;
  const TestFolder cache;
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  const std::string path = small_set(folder);
  CHECK(run({"info", path}).status == cli::kDone);
  CHECK(std::filesystem::is_empty(cache.path()));
  CHECK(run({"info", path, "--save-store"}).err.empty());
  const std::filesystem::path stores = cache.path() / "warpscope" / "stores";
  REQUIRE(std::filesystem::exists(stores));
  CHECK(std::distance(std::filesystem::directory_iterator(stores), std::filesystem::directory_iterator()) == 1);
  CHECK(run({"info", path}).status == cli::kDone);
  CHECK(run({"info", path, "--no-store"}).status == cli::kDone);
}

#if WARPSCOPE_GRAPHICS
TEST_CASE("a snapshot of the settings knows where things are kept, without a home too", "[cli]") {
  if (!gl::OffscreenContext::create(64, 64)) {
    WARN("skipped: there is no OpenGL without a display here");
    return;
  }
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

TEST_CASE("snapshot writes the picture asked for, and refuses what cannot be met", "[cli]") {
  if (!gl::OffscreenContext::create(64, 64)) {
    WARN("skipped: there is no OpenGL without a display here");
    return;
  }
  const TestFolder folder;
  const std::string path = small_set(folder);
  const std::string picture = (folder.path() / "x.png").string();
  const Outcome outcome = run({"snapshot", path, "--out", picture, "--size", "640x400", "--theme", "light", "--select",
                               "cat:kernel", "--bottom", "connections"});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.out.empty());
  const auto image = gl::read_png(picture);
  REQUIRE(image.ok());
  CHECK(image->width == 640);
  CHECK(image->height == 400);
  std::filesystem::remove(picture);
  for (const std::vector<std::string>& extra :
       std::vector<std::vector<std::string>>{{"--from", "5ms", "--to", "1ms"},
                                             {"--bottom", "nonsense"},
                                             {"--expand", "no such track"},
                                             {"--select", "name=\"no such slice\""},
                                             {"--page", "nowhere"}}) {
    std::vector<std::string> arguments{"snapshot", path, "--out", picture};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    INFO(extra.front());
    CHECK(run(arguments).status == cli::kUsage);
    CHECK_FALSE(std::filesystem::exists(picture));
  }
}
#endif
