// `counters` writes a separate trace per rank that other viewers can show next to the original.
#include <simdjson.h>

#include <cmath>

#include "core/analysis/shared/memory_bandwidth.hpp"
#include "core/analysis/shared/queue_lengths.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/metrics_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

constexpr const char* kBase = R"("schemaVersion": 1, "baseTimeNanoseconds": 1700000000000000000)";

std::string two_launches() {
  TinyEvents events;
  events.launch(10, 1).launch(11.25, 2);
  events.run({.begin = 14, .length = 2, .correlation = 1}).run({.begin = 18.5, .length = 1, .correlation = 2});
  return events.text() + ",\n" +
         R"({"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":30,"dur":2,)"
         R"("args":{"device":0,"stream":7,"bytes":3000}})";
}

std::vector<std::string> counter_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; (at = text.find(R"({"ph":"C")", at)) != std::string::npos; ++at)
    lines.push_back(text.substr(at, text.find("}}", at) + 2 - at));
  return lines;
}

bool parses(const std::string& text) {
  simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
}

}  // namespace

TEST_CASE("counters are events on the trace's clock, with HTA's names", "[cli]") {
  const TestFolder folder;
  const std::string trace = folder.write("trace.json", trace_of(two_launches(), kBase)).string();
  const std::string out = (folder.path() / "out.json").string();
  const Outcome outcome = run({"counters", trace, "--out", out, "--no-store"});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("with 6 queue depth and bandwidth samples") != std::string::npos);
  CHECK(counter_lines(plain_text_of(out)) ==
        std::vector<std::string>{
            R"({"ph":"C","name":"Queue Length","pid":0,"id":7,"ts":10.000,"args":{"Queue Length":1}})",
            R"({"ph":"C","name":"Queue Length","pid":0,"id":7,"ts":11.250,"args":{"Queue Length":2}})",
            R"({"ph":"C","name":"Queue Length","pid":0,"id":7,"ts":14.000,"args":{"Queue Length":1}})",
            R"({"ph":"C","name":"Queue Length","pid":0,"id":7,"ts":18.500,"args":{"Queue Length":0}})",
            R"({"ph":"C","name":"Memcpy HtoD","pid":0,"ts":30.000,"args":{"Memcpy BW":1.5}})",
            R"({"ph":"C","name":"Memcpy HtoD","pid":0,"ts":32.000,"args":{"Memcpy BW":0}})"});
  const auto alone = load(out);
  REQUIRE(alone->ranks.size() == 1);
  CHECK(alone->ranks[0]->counts.slices == 0);
  CHECK(alone->ranks[0]->counts.events == 6);
  CHECK(alone->ranks[0]->properties.at("baseTimeNanoseconds") == "1700000000000000000");
}

TEST_CASE("counters writes one compressed file per rank, which is not loaded as a rank next to the traces", "[cli]") {
  const TestFolder folder;
  const std::string traces = small_set(folder);
  const auto before = load(traces);
  const TestFolder target;
  const fs::path out = target.path() / "counters";
  REQUIRE(run({"counters", traces, "--out", out.string(), "--no-store"}).status == cli::kDone);
  for (const auto& entry : fs::directory_iterator(out)) {
    INFO(entry.path());
    CHECK(entry.path().string().ends_with(".counters.json.gz"));
    CHECK(parses(plain_text_of(entry.path())));
  }
  const auto alone = load(out);
  REQUIRE(alone->ranks.size() == before->ranks.size());
  for (std::size_t r = 0; r < before->ranks.size(); ++r) {
    CHECK(alone->ranks[r]->number == before->ranks[r]->number);
    std::size_t samples = 0;
    for (const auto& queue : analysis::queue_lengths(*before, static_cast<std::uint32_t>(r), nullptr))
      samples += queue.length.times.size();
    for (const auto& bandwidth : analysis::memory_bandwidths(*before, static_cast<std::uint32_t>(r), nullptr, nullptr))
      samples += bandwidth.rate.times.size();
    CHECK(samples > 0);
    CHECK(alone->ranks[r]->counts.events == samples);
  }
  const Outcome again = run({"counters", traces, "--out", out.string(), "--no-store"});
  CHECK(again.status == cli::kUsage);
  CHECK(again.err.find("already exists; remove it first or choose another file") != std::string::npos);

  REQUIRE(run({"counters", traces, "--out", traces, "--no-store"}).status == cli::kDone);
  const auto beside = load(traces);
  REQUIRE(beside->ranks.size() == before->ranks.size());
  for (std::size_t r = 0; r < before->ranks.size(); ++r)
    CHECK(beside->ranks[r]->source.path == before->ranks[r]->source.path);
  CHECK(beside->diagnostics.count("counters-beside-traces") == before->ranks.size());
}

TEST_CASE("counters of a converted profile equal those of the original traces", "[cli]") {
  const TestFolder folder;
  const std::string trace = folder.write("trace.json", trace_of(two_launches(), kBase)).string();
  const std::string converted = (folder.path() / "job.wscope").string();
  REQUIRE(run({"convert", trace, "--out", converted, "--no-store"}).status == cli::kDone);
  const auto text_from = [&](const std::string& path, const char* name) {
    const fs::path out = folder.path() / name;
    CHECK(run({"counters", path, "--out", out.string(), "--no-store"}).status == cli::kDone);
    return plain_text_of(out);
  };
  CHECK(text_from(converted, "a.json") == text_from(trace, "b.json.gz"));
}

TEST_CASE("counters rejects impossible requests and writes nothing", "[cli]") {
  const TestFolder folder;
  const std::string traces = small_set(folder);
  const TestFolder one;
  const fs::path trace = one.write("trace.json", trace_of(two_launches(), kBase));
  const std::string before = plain_text_of(trace);
  const auto said = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "counters");
    arguments.emplace_back("--no-store");
    const Outcome outcome = run(std::move(arguments));
    CHECK(outcome.status == cli::kUsage);
    return outcome.err;
  };
  CHECK(said({traces, "--out", "all.json"}).find("is a single file, but there are") != std::string::npos);
  CHECK(said({trace.string(), "--out", "trace.txt"}).find("does not end in .json or .json.gz") != std::string::npos);
  CHECK(said({trace.string(), "--out", trace.string()}).find("already exists") != std::string::npos);
  CHECK(said({trace.string(), "--out", one.path().string()}).find("is a directory") != std::string::npos);
  CHECK(said({traces, "--rank", "99", "--out", "a.json"}).find("is not in this profile") != std::string::npos);
  CHECK(plain_text_of(trace) == before);
  CHECK(std::distance(fs::directory_iterator(one.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("counters exits with 4 if it cannot create the folder", "[cli]") {
  const TestFolder folder;
  const Outcome outcome = run({"counters", small_set(folder), "--out", "/proc/with", "--no-store"});
  CHECK(outcome.status == cli::kNotWritten);
  CHECK(outcome.err.find("/proc/with: cannot be created: ") != std::string::npos);
}

TEST_CASE("counters writes one of several ranks to one file", "[cli]") {
  const TestFolder folder;
  const std::string traces = small_set(folder);
  const auto profile = load(traces);
  const TestFolder target;
  const std::string out = (target.path() / "one.json.gz").string();
  const std::string rank = std::to_string(profile->ranks.back()->number);
  REQUIRE(run({"counters", traces, "--rank", rank, "--out", out, "--no-store"}).status == cli::kDone);
  CHECK(load(out)->ranks.front()->number == profile->ranks.back()->number);
}

TEST_CASE("counters for a truncated trace cover the part that was read", "[cli]") {
  const TestFolder folder;
  const std::string whole = trace_of(two_launches(), kBase);
  const fs::path cut = folder.write("cut.json", whole.substr(0, whole.size() - 30));
  const fs::path out = folder.path() / "counters.json";
  const Outcome outcome = run({"counters", cut.string(), "--out", out.string(), "--no-store"});
  CHECK(outcome.status == cli::kDone);
  CHECK(outcome.err.find("with 4 queue depth and bandwidth samples") != std::string::npos);
  CHECK(counter_lines(plain_text_of(out)).size() == 4);
}

TEST_CASE("counters writes valid JSON or nothing", "[cli]") {
  const TestFolder folder;
  int written = 0;
  const std::string sound = trace_of(two_launches(), kBase);
  const std::string_view wrong[] = {"]", "}", "{", "[", ":", ",,", "\"", "x", "1 2", "}{", "],[", "\"a\" \"b\""};
  for (std::size_t at = 30; at + 30 < sound.size(); at += 37)
    for (const std::string_view piece : wrong) {
      std::string text = sound;
      text.insert(at, piece);
      const fs::path trace = folder.write("trace.json", text);
      const fs::path out = folder.path() / "out.json";
      const Outcome outcome = run({"counters", trace.string(), "--out", out.string(), "--no-store"});
      INFO(text);
      INFO(outcome.err);
      CHECK(fs::exists(out) == (outcome.status == cli::kDone));
      if (!fs::exists(out)) continue;
      ++written;
      CHECK(parses(plain_text_of(out)));
      fs::remove(out);
    }
  CHECK(written > 0);
}

TEST_CASE("system metrics without traces or outside their folder are named as such", "[cli]") {
  const TestFolder folder;
  const std::string line = metrics_line("1783653720.000000", "1");
  folder.write("system/incremental/2026071004/1783653720.algo-1.json", line);
  const Outcome counters = run({"counters", folder.path().string(), "--no-store", "--out", "c.json"});
  CHECK(counters.status == cli::kNothingRead);
  CHECK(contains(counters.err, "contains no traces, only system metrics"));
  const Outcome info = run({"info", folder.write("m.json", line + line).string(), "--no-store"});
  CHECK(info.status == cli::kNothingRead);
  CHECK(contains(info.err, "looks like SageMaker's system metrics"));
}
