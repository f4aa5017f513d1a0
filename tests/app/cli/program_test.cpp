// The command line as used in scripts: stdout and exit status.
#include <simdjson.h>
#include <sys/stat.h>

#include <iterator>
#include <set>

#include "tests/app/cli/run_program.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/environment.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("a command's help ends with its own exit statuses", "[cli]") {
  const auto help = [](std::vector<std::string> arguments) { return run(std::move(arguments)).out; };
  CHECK(help({"snapshot", "--help"}).find("fail-over") == std::string::npos);
  CHECK(help({"snapshot", "--help"}).find("Without a command") == std::string::npos);
  CHECK(help({"diff", "--help"}).find("1 slowdown exceeds the --fail-over limit") != std::string::npos);
  CHECK(help({"--help"}).find("1 slowdown exceeds diff's --fail-over limit") != std::string::npos);
}

TEST_CASE("info --json has every field and writes nothing else to stdout", "[cli]") {
  const TestFolder folder;
  const Outcome outcome = run({"info", small_set(folder), "--json"});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.err.empty());
  simdjson::dom::parser parser;
  simdjson::dom::object document;
  REQUIRE(parser.parse(outcome.out).get(document) == simdjson::SUCCESS);
  std::set<std::string_view> keys;
  for (const auto field : document) keys.insert(field.key);
  CHECK(keys == std::set<std::string_view>{"schema",          "nodes",          "rank_files",
                                           "ranks",           "gpus",           "streams",
                                           "events",          "slices",         "slices_by_category",
                                           "launches",        "runs",           "connections",
                                           "fwdbwd",          "steps",          "annotations",
                                           "counters",        "system_metrics", "span_ns",
                                           "load_seconds",    "resident_bytes", "peak_resident_bytes",
                                           "bytes_per_slice", "slice_bytes",    "resident_slice_bytes",
                                           "diagnostics"});
  CHECK(std::uint64_t(document["schema"]) == 2);
  CHECK(std::uint64_t(document["ranks"]) == 2);
  CHECK(std::uint64_t(document["nodes"].at(0)["gpus"]) == 2);
  CHECK(std::uint64_t(document["resident_bytes"]) > 0);
}

TEST_CASE("info --json marks ranks with truncated files", "[cli]") {
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

TEST_CASE("usage errors exit with 2 and give advice", "[cli]") {
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
  CHECK(run({"inf", path}).err.find("\"inf\" is neither a command nor a path") != std::string::npos);
}

TEST_CASE("a missing path is reported before a window opens", "[cli]") {
  const Variable x11("DISPLAY", nullptr);
  const Variable wayland("WAYLAND_DISPLAY", nullptr);
  const TestFolder folder;
  const std::string absent = (folder.path() / "absent").string();
  const Outcome window = run({absent});
  CHECK(window.status == cli::kNothingRead);
  CHECK(window.err == run({"info", absent}).err);
}

TEST_CASE("unreadable input exits with 3 and a message, corrupt input exits with 0", "[cli]") {
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

TEST_CASE("info reads a converted profile without the traces", "[cli]") {
  const TestFolder folder;
  const std::string traces = small_set(folder);
  const std::string file = (TestFolder().path().string()) + ".wscope";
  const std::string before = run({"info", traces, "--json"}).out;
  const Outcome outcome = run({"convert", traces, "--out", file});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("warpscope: wrote " + file + ": 2 ranks in "));
  CHECK(outcome.err.find(" (the traces: ") != std::string::npos);
  CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
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

TEST_CASE("convert replaces only converted profiles", "[cli]") {
  const TestFolder folder;
  const std::string traces = small_set(folder);
  const std::filesystem::path source = std::filesystem::directory_iterator(traces)->path();
  const auto size = std::filesystem::file_size(source);
  const std::filesystem::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& out : {source.string(), pipe.string(), traces, std::string("/dev/null"), std::string()}) {
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

TEST_CASE("a store is written only on request, and used afterwards", "[cli]") {
  const TestFolder folder;
  const TestFolder cache;
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  const std::string path = small_set(folder);
  CHECK(run({"info", path}).status == cli::kDone);
  CHECK(std::filesystem::is_empty(cache.path()));
  const std::string kept = run({"info", path, "--save-store"}).err;
  CHECK(kept.starts_with("warpscope: saved a store of "));
  CHECK(kept.ends_with("; the next load will use it\n"));
  CHECK(run({"info", path, "--save-store"}).err.starts_with("warpscope: a store already exists: "));
  const std::filesystem::path stores = cache.path() / "warpscope" / "stores";
  REQUIRE(std::filesystem::exists(stores));
  CHECK(std::distance(std::filesystem::directory_iterator(stores), std::filesystem::directory_iterator()) == 1);
  CHECK(run({"info", path}).status == cli::kDone);
  CHECK(run({"info", path, "--no-store"}).status == cli::kDone);

  const std::string file = (cache.path() / "job.wscope").string();
  const std::string both = run({"convert", path, "--out", file, "--save-store"}).err;
  CHECK(both.find("wrote " + file) < both.find("a store already exists"));
  CHECK(run({"info", file, "--save-store"}).err.find("no store needed") != std::string::npos);
}

TEST_CASE("a slice takes the same amount of memory from any source, and less until it is shown", "[cli]") {
  const TestFolder folder;
  const TestFolder out;
  const TestFolder cache;
  const Variable home("XDG_CACHE_HOME", cache.path().c_str());
  const std::string path = small_set(folder);
  const std::string file = (out.path() / "job.wscope").string();
  struct Figures {
    std::uint64_t whole = 0;
    std::uint64_t resident = 0;
    double per_slice = 0;
  };
  const auto figures_of = [](const std::string& what) {
    const Outcome outcome = run({"info", what, "--json"});
    simdjson::dom::parser parser;
    simdjson::dom::object document;
    REQUIRE(parser.parse(outcome.out).get(document) == simdjson::SUCCESS);
    Figures figures;
    figures.whole = document["slice_bytes"];
    figures.resident = document["resident_slice_bytes"];
    figures.per_slice = document["bytes_per_slice"];
    CHECK(figures.per_slice ==
          Approx(static_cast<double>(figures.whole) / static_cast<double>(std::uint64_t(document["slices"]))));
    return figures;
  };
  const Figures read = figures_of(path);
  REQUIRE(run({"convert", path, "--out", file, "--save-store"}).status == cli::kDone);
  const Figures kept = figures_of(path);
  const Figures converted = figures_of(file);
  CHECK(kept.whole == read.whole);
  CHECK(converted.whole == read.whole);
  CHECK(read.resident > read.whole * 9 / 10);
  CHECK(kept.resident < read.resident);
  CHECK(converted.resident < read.resident);
}

TEST_CASE("invalid memory sizes fail with advice", "[cli]") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  const auto said = [&](const std::string& size) {
    const Outcome outcome = run({"info", path, "--memory", size});
    CHECK(outcome.status == cli::kUsage);
    return outcome.err;
  };
  const std::string write = "; use a number with a unit, at least 64M, such as 8G or 512M\n";
  for (const char* const size : {"", " ", "-1", "much", "8X"}) {
    INFO(said(size));
    CHECK(said(size).ends_with(write));
  }
  CHECK(said("1K") == "warpscope: --memory 1K: is too small to show anything" + write);
  CHECK(run({"info", path, "--memory", "512M"}).status == cli::kDone);
  CHECK(run({"info", path, "--memory=1G"}).status == cli::kDone);
  CHECK(run({"info", path, "--memory", "100000000"}).status == cli::kDone);
}

TEST_CASE("a converted profile cannot be watched, and is recognized by content and name", "[cli]") {
  const TestFolder folder;
  const std::string traces = small_set(folder);
  const std::string file = (folder.path() / "converted.prof").string();
  REQUIRE(run({"convert", traces, "--out", file}).status == cli::kDone);
  for (const std::string& path : {file, folder.write("empty.wscope", "").string()}) {
    for (const auto& arguments : {std::vector<std::string>{"--watch", path}, {path, "--watch"}}) {
      const Outcome outcome = run(arguments);
      CHECK(outcome.status == cli::kUsage);
      CHECK(outcome.err.starts_with("warpscope: " + path + ": is a converted profile and never changes, so it "));
      CHECK(outcome.err.find("warpscope --watch DIR") != std::string::npos);
    }
  }
  const Outcome empty = run({"info", (folder.path() / "empty.wscope").string()});
  CHECK(empty.status == cli::kNothingRead);
  CHECK(empty.err.find("is not a converted profile: it is empty; copy the file again") != std::string::npos);
}
