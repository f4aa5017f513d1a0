// The corrupt files among the shared traces: each must give the results in the README's table.
#include <map>

#include "core/ingest/build/metadata.hpp"
#include "core/ingest/formats/trace_events/arguments.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/one_event.hpp"
#include "tests/core/ingest/stream_support.hpp"
#include "tests/shared_dir.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::optional<fs::path> malformed_dir() {
  const auto shared = shared_dir();
  if (shared && fs::is_directory(*shared / "traces" / "malformed")) return *shared / "traces" / "malformed";
  WARN("no shared traces here: the damaged files are not tried");
  return std::nullopt;
}

fs::path file_beginning(const fs::path& folder, const std::string& prefix) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(prefix)) return entry.path();
  return {};
}

Parsed parse_file(const fs::path& path) {
  auto stream = ingest::open_byte_stream(path.string());
  REQUIRE(stream.ok());
  return parse_stream(**stream);
}

struct Expected {
  std::string prefix;
  std::size_t events = 92;
  std::size_t repaired = 0;
  std::string code;  ///< the only diagnostic, or "" for none
};

const std::vector<Expected> kExpected{
    {"01_", 92, 1, "bare-quote"},
    {"02_", 92, 1, "stray-backslash"},
    {"03_", 92, 1, "control-character"},
    {"04_", 92, 1, "invalid-utf8"},
    {"05_", 92, 1, "not-a-number"},
    {"06_", 92, 0, "trailing-comma"},
    {"07_", 53, 0, "truncated"},
    {"08_", 92, 0, "array-not-closed"},
    {"09_", 92, 0, ""},
    {"11_", 36, 0, ""},
    {"13_", 92, 0, ""},
    {"14_", 92, 0, ""},
    {"15_", 92, 0, ""},
    {"16_", 92, 0, ""},
    {"17_", 92, 0, "duplicate-key"},
    {"18_", 92, 0, ""},
    {"19_", 92, 0, ""},
    {"20_", 93, 0, ""},
    {"21_", 11, 0, ""},
    {"22_", 20, 0, ""},
    {"24_", 92, 0, ""},
    {"25_", 92, 0, ""},
};

/// True if two events are equal except for names and arguments, which some of the files change.
bool same_but_texts(KeptEvent a, const KeptEvent& b) {
  a.offset = b.offset;
  a.repaired = b.repaired;
  a.name = b.name;
  a.arguments = b.arguments;
  return a == b;
}

}  // namespace

TEST_CASE("malformed: counts, repairs and diagnostics of every file", "[kineto][malformed]") {
  const auto folder = malformed_dir();
  if (!folder) return;
  for (const Expected& expected : kExpected) {
    INFO(expected.prefix);
    const Parsed parsed = parse_file(file_beginning(*folder, expected.prefix));
    CHECK(parsed.outcome.shape == ingest::ParseOutcome::Shape::trace);
    CHECK(parsed.events.size() == expected.events);
    CHECK(parsed.outcome.events == expected.events);
    CHECK(parsed.repaired() == expected.repaired);
    CHECK(parsed.diagnostics.all().size() == (expected.code.empty() ? 0 : 1));
    if (!expected.code.empty()) CHECK(parsed.diagnostics.count(expected.code) == 1);
    CHECK(parsed.outcome.truncated == (expected.prefix == "07_"));
  }
}

TEST_CASE("malformed: every file of the table has expectations", "[kineto][malformed]") {
  const auto folder = malformed_dir();
  if (!folder) return;
  for (const auto& entry : fs::directory_iterator(*folder)) {
    const std::string name = entry.path().filename().string();
    const std::string prefix = name.substr(0, 3);
    INFO(name);
    CHECK((name == "README.md" || prefix == "10_" || prefix == "12_" || prefix == "23_" ||
           std::any_of(kExpected.begin(), kExpected.end(), [&](const Expected& e) { return e.prefix == prefix; })));
  }
}

TEST_CASE("malformed: compressed copies give the same result", "[kineto][malformed]") {
  const auto folder = malformed_dir();
  if (!folder) return;
  for (const auto& entry : fs::directory_iterator(*folder)) {
    const std::string name = entry.path().filename().string();
    // There is nothing to compress without text, and the other files are already compressed.
    if (name == "README.md" || name.starts_with("10_") || name.starts_with("23_")) continue;
    const Parsed plain = parse_file(entry.path());
    std::string text = read_whole(entry.path());
    if (name.starts_with("24_") || name.starts_with("25_")) text = read_all(entry.path().string(), {}).text;
    for (const auto& [suffix, bytes] : {std::pair{".json.gz", gzip(text)}, {".json.zst", zstd(text)}}) {
      INFO(name << " as " << suffix);
      const TemporaryFile copy(bytes, suffix);
      const Parsed parsed = parse_file(copy.path());
      CHECK(parsed.events == plain.events);
      CHECK(parsed.metadata_texts == plain.metadata_texts);
      CHECK(parsed.outcome.shape == plain.outcome.shape);
      CHECK(parsed.outcome.truncated == plain.outcome.truncated);
      REQUIRE(parsed.diagnostics.all().size() == plain.diagnostics.all().size());
      for (std::size_t i = 0; i < plain.diagnostics.all().size(); ++i) {
        CHECK(parsed.diagnostics.all()[i].code == plain.diagnostics.all()[i].code);
        CHECK(parsed.diagnostics.all()[i].count == plain.diagnostics.all()[i].count);
        CHECK(parsed.diagnostics.all()[i].offset == plain.diagnostics.all()[i].offset);
      }
    }
  }
}

TEST_CASE("malformed: files without events are errors with a reason", "[kineto][malformed]") {
  const auto folder = malformed_dir();
  if (!folder) return;
  const auto empty = ingest::open_byte_stream(file_beginning(*folder, "10_").string());
  REQUIRE_FALSE(empty.ok());
  CHECK(empty.error().message().find("empty") != std::string::npos);
  const auto error = parse_file(file_beginning(*folder, "12_")).outcome.why_no_trace("12");
  REQUIRE(error);
  CHECK(error->message().find("has no traceEvents; ") != std::string::npos);
}

TEST_CASE("malformed: a truncated gzip file gives all its complete events", "[kineto][malformed]") {
  const auto folder = malformed_dir();
  if (!folder) return;
  const Parsed parsed = parse_file(file_beginning(*folder, "23_"));
  CHECK(parsed.events.size() > 60);
  CHECK(parsed.outcome.failure);
  CHECK(parsed.diagnostics.count("input-damaged") == 1);
}

TEST_CASE("malformed: corruption affects only the events it touches", "[kineto][malformed]") {
  const auto folder = malformed_dir();
  if (!folder) return;
  const Parsed whole = parse_file(file_beginning(*folder, "24_"));
  for (const char* prefix :
       {"01_", "02_", "03_", "04_", "05_", "06_", "07_", "08_", "09_", "13_", "14_", "23_", "25_"}) {
    INFO(prefix);
    const Parsed parsed = parse_file(file_beginning(*folder, prefix));
    REQUIRE(parsed.events.size() <= whole.events.size());
    std::size_t names = 0;
    for (std::size_t i = 0; i < parsed.events.size(); ++i) {
      CHECK(same_but_texts(parsed.events[i], whole.events[i]));
      names += parsed.events[i].name != whole.events[i].name ? 1 : 0;
    }
    CHECK(names <= 1);
  }
}

TEST_CASE("malformed: values of corrupt fields", "[kineto][malformed]") {
  const auto folder = malformed_dir();
  if (!folder) return;
  const auto has_name = [&](const char* prefix, const std::string& name) {
    const Parsed parsed = parse_file(file_beginning(*folder, prefix));
    return std::any_of(parsed.events.begin(), parsed.events.end(), [&](const KeptEvent& e) { return e.name == name; });
  };
  CHECK(has_name("01_", R"({"device": "cpu", "dtype": "float32"}(12): run)"));
  CHECK(has_name("02_", R"(torch\cuda\__init__.py(219): _lazy_init)"));
  CHECK(has_name("03_", "torch/_inductor/config.py(0): \x01\x0b"));
  CHECK(has_name("04_", "bad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd name"));

  const Parsed big = parse_file(file_beginning(*folder, "20_"));
  CHECK(std::any_of(big.events.begin(), big.events.end(),
                    [](const KeptEvent& e) { return e.name.size() == 70'000 && e.correlation == 9007199254740993; }));
  const Parsed strings = parse_file(file_beginning(*folder, "15_"));
  CHECK(std::any_of(strings.events.begin(), strings.events.end(),
                    [](const KeptEvent& e) { return e.thread == "stream 7" && e.time && e.duration; }));
}

TEST_CASE("malformed: arguments of every event can be read again", "[kineto][malformed]") {
  const auto folder = malformed_dir();
  if (!folder) return;
  for (const auto& entry : fs::directory_iterator(*folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("10_") || name.starts_with("12_") || name.starts_with("README")) continue;
    INFO(name);
    trace::SourceFile source;
    source.path = entry.path().string();
    for (const KeptEvent& e : parse_file(entry.path()).events) {
      const auto text = tests::read_event_at(source, e.offset);
      REQUIRE(text.ok());
      CHECK(text->repaired == e.repaired);
      const std::string* const event_name = text->find("name");
      CHECK((event_name == nullptr ? std::string() : *event_name) == e.name);
      if (e.correlation) {
        REQUIRE(text->find("args.correlation") != nullptr);
        CHECK(*text->find("args.correlation") == std::to_string(*e.correlation));
      }
    }
  }
}

TEST_CASE("kineto: text that is not JSON is not a trace, whatever objects it contains") {
  const Parsed parsed = parse_text("0 x , {\"ph\": \"X\", \"name\": \"n\", \"ts\": 1, \"dur\": 1}]}");
  CHECK(parsed.outcome.shape == ingest::ParseOutcome::Shape::foreign);
  CHECK(parsed.events.empty());
  REQUIRE(parsed.outcome.why_no_trace("f"));
  CHECK(contains(parsed.outcome.why_no_trace("f")->what, "is not JSON; it starts with \"0 x , {"));
}
