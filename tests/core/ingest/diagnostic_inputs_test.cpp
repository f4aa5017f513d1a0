// Each diagnostic code is produced by some input: here by small ones, elsewhere where a test names the code.
#include <fstream>
#include <regex>
#include <set>

#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct Input {
  std::string code;
  std::string text;  ///< of the file
  std::string name = "rank0.json";
};

/// A trace of one sound kernel and this text after it, within the array of events.
std::string trace_with(const std::string& more) { return trace_of(kernel_event("gemm") + more); }

std::string event_with(const std::string& fields) { return ",{" + fields + ",\"pid\":0,\"tid\":7}"; }

const std::vector<Input>& inputs() {
  static const std::vector<Input> all{
      {"stray-text", trace_with(",,")},
      {"missing-time", trace_with(event_with(R"("ph":"X","cat":"kernel","name":"a","dur":3)"))},
      {"missing-duration", trace_with(event_with(R"("ph":"X","cat":"kernel","name":"a","ts":30)"))},
      {"missing-phase", trace_with(event_with(R"("cat":"kernel","name":"a","ts":30,"dur":3)"))},
      {"unknown-phase", trace_with(event_with(R"("ph":"?","cat":"kernel","name":"a","ts":30)"))},
      {"object-event", trace_with(event_with(R"("ph":"N","id":"0x1","name":"a","ts":30)"))},
      {"time-base-ignored",
       R"({"baseTimeNanoseconds":1700000000000000000,"traceEvents":[{"ph":"X","cat":"kernel","name":"a","pid":0,)"
       R"("tid":7,"ts":1700000000000000.5,"dur":3,"args":{"device":0,"stream":7}}]})"},
      {"memory-change-unreadable", "[[1,2,512,0],[2,x,512,0],[3,4,-512,0]]", "memory.raw.json"},
      {"memory-timeline-cut", "[[1,2,512,0],[2,2,512,0]", "memory.raw.json"},
      {"memory-category-unknown", "[[1,2,512,0],[2,2,512,99]]", "memory.raw.json"},
      {"metrics-file-empty", "", "system/incremental/2026010112/1767268800.algo-1.json"},
  };
  return all;
}

/// Need billions of events, or a disk that fails at one moment.
const std::set<std::string> kOutOfReach{"too-many-names", "memory-timeline-too-long", "memory-timeline-unreadable",
                                        "arguments-not-kept"};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

}  // namespace

TEST_CASE("small inputs produce the diagnostics they should", "[hostile]") {
  for (const Input& input : inputs()) {
    CAPTURE(input.code, input.text);
    const TestFolder folder;
    folder.write("sound.json", trace_with(""));
    folder.write(input.name, input.text);
    const auto profile = load(folder.path());
    REQUIRE(profile);
    CHECK(profile->diagnostics.count(input.code) >= 1);
    CHECK_FALSE(explain(input.code).empty());
  }
}

TEST_CASE("a test names each diagnostic code", "[hostile]") {
  const auto codes =
      matches(text_of(source_dir() / "core" / "base" / "diagnostic_codes.cpp"), R"(Explanation\{\s*"([a-z0-9-]+)\")");
  REQUIRE(codes.size() > 60);
  std::set<std::string> named = kOutOfReach;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "tests"))
    if (entry.path().extension() == ".cpp")
      named.merge(matches(text_of(entry.path()), "\"([a-z0-9]+(?:-[a-z0-9]+)+|cancelled|truncated)\""));
  for (const std::string& code : codes) {
    CAPTURE(code);
    CHECK(named.contains(code));
  }
}
