// Consistency of the parser for any text: portion sizes do not matter, text truncated anywhere gives a prefix of the
// events, and no mutation causes out-of-bounds reads (checked by the address sanitizer) or excessive run time.
#include <random>

#include "tests/catch.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// A small trace with nearly every valid construct.
std::string small_trace() {
  return "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, \"name\": \"A \\\"B\\\" ]\"}\n  ],\n"
         "  \"distributedInfo\": {\"rank\": 0, \"world_size\": 8},\n  \"traceEvents\": [\n"
         "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 12, \"tid\": 13,\n"
         "    \"ts\": 1712195495519689.047, \"dur\": 12.5,\n    \"args\": {\n"
         "      \"External id\": 5, \"Input Dims\": [[16, 2], [], [[1]]], \"Call stack\": \"a.py(1): f\\\\;{[\"\n    "
         "}\n  },\n"
         "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void f<4, \\u00e9>(int)\", \"pid\": 0, \"tid\": "
         "\"stream 7\",\n"
         "    \"ts\": 100, \"dur\": 1e1,\n    \"args\": {\"stream\": 7, \"correlation\": 9007199254740993, \"grid\": "
         "[1, 1, 1]}\n  },\n"
         "  {\"ph\": \"s\", \"id\": 7, \"pid\": 0, \"tid\": 7, \"ts\": 100, \"cat\": \"ac2g\", \"name\": \"ac2g\"},"
         "{\"name\":\"process_name\",\"ph\":\"M\",\"ts\":1,\"pid\":12,\"tid\":0,\"args\":{\"name\":\"python\"}},\n"
         "  {\"args\": {\"v\": 2.5}, \"cat\": \"c\", \"name\": \"n\\ud83d\\ude00\", \"ph\": \"C\", \"pid\": 1, \"ts\": "
         "3}\n"
         "  ],\n  \"traceName\": \"a/b.json\",\n  \"baseTimeNanoseconds\": 1711929600000000000\n}\n";
}

/// Nearly every kind of corruption in one text.
std::string damaged_trace() {
  const auto event = [](const std::string& name, const std::string& args) {
    return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + name +
           "\", \"pid\": 0, \"tid\": 7, \"ts\": 5, \"dur\": 2, \"args\": " + args + "}";
  };
  return "{\"job\": \"a\nb\", \"INFO\": [\"x \"y\" z\",], \"traceEvents\": [" + event("a \"b\", \"c\": d", "{}") +
         ",\n" + event("c:\\dir\\", "{\"correlation\": 4}") + event("\x01\xff", "{\"a\": inf, \"correlation\": 3}") +
         ", ### {\"a\": 1}" + event("ok", "{\"correlation\": 2,}") + ",, " +
         event("open", "{\"grid\": [1, 2}").substr(0, 70) + ", " + event("odd", "{\"a\": \"b, \"c\": 1}") +
         ", null, [1], " + event("last", "{\"correlation\": 1}") + ",], \"traceName\": \"t\", }x";
}

void check_same(const Parsed& a, const Parsed& b) {
  CHECK(a.events == b.events);
  CHECK(a.metadata_texts == b.metadata_texts);
  CHECK(a.outcome.shape == b.outcome.shape);
  CHECK(a.outcome.truncated == b.outcome.truncated);
  if (a.outcome.shape == ingest::ParseOutcome::Shape::trace) CHECK(a.outcome.text_bytes == b.outcome.text_bytes);
  REQUIRE(a.diagnostics.all().size() == b.diagnostics.all().size());
  for (std::size_t i = 0; i < a.diagnostics.all().size(); ++i) {
    const Diagnostic& x = a.diagnostics.all()[i];
    const Diagnostic& y = b.diagnostics.all()[i];
    CHECK(x.code == y.code);
    CHECK(x.count == y.count);
    CHECK(x.offset == y.offset);
  }
}

ingest::ParseLimits blocks_of(std::size_t block) { return {block, std::size_t{64} << 20}; }

/// Changes, removes and duplicates some bytes.
std::string mutate(std::string text, std::mt19937& random) {
  constexpr std::string_view kBytes = "\"\\{}[],: \n0a-.e\x01\xff";
  const auto changes = 1 + random() % 6;
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = random() % text.size();
    const std::size_t length = 1 + random() % 12;
    switch (random() % 4) {
      case 0:
        text[at] = kBytes[random() % kBytes.size()];
        break;
      case 1:
        text[at] = static_cast<char>(random() % 256);
        break;
      case 2:
        text.erase(at, length);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), length));
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("fuzz: chunk sizes make no difference", "[kineto][fuzz]") {
  for (const std::string& text : {small_trace(), damaged_trace(), "[" + small_trace() + "," + damaged_trace() + "]"}) {
    const Parsed whole = parse_text(text);
    CHECK(whole.events.size() > 4);
    for (std::size_t block = 1; block < 130; ++block) check_same(whole, parse_text(text, blocks_of(block)));
    for (std::size_t portion = 1; portion < 40; ++portion)
      check_same(whole, parse_text(text, blocks_of(100), {portion, 7, 1, 2 * portion}));
  }
}

TEST_CASE("fuzz: chunk sizes make no difference in large real traces", "[kineto][fuzz]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces here");
    return;
  }
  for (const auto& entry : std::filesystem::directory_iterator(*shared / "traces" / "dlrm8")) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = read_whole(entry.path());
    const Parsed whole = parse_text(text, blocks_of(std::size_t{4} << 20));
    CHECK(whole.events.size() > 3000);
    for (const std::size_t block : {501, 4096, 65536, 100'000}) check_same(whole, parse_text(text, blocks_of(block)));
  }
}

TEST_CASE("fuzz: a trace truncated at any byte gives a prefix of its events", "[kineto][fuzz]") {
  const std::string text = small_trace();
  const Parsed whole = parse_text(text);
  REQUIRE(whole.diagnostics.empty());
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Parsed cut = parse_text(std::string_view(text).substr(0, size), blocks_of(64));
    INFO(size);
    REQUIRE(cut.events.size() <= whole.events.size());
    CHECK(std::equal(cut.events.begin(), cut.events.end(), whole.events.begin()));
    REQUIRE(cut.metadata_texts.size() <= whole.metadata_texts.size());
    CHECK(std::equal(cut.metadata_texts.begin(), cut.metadata_texts.end(), whole.metadata_texts.begin()));
    if (cut.outcome.shape == ingest::ParseOutcome::Shape::trace && size + 2 < text.size()) CHECK(cut.outcome.truncated);
  }
}

TEST_CASE("fuzz: mutated bytes are harmless for any chunk size", "[kineto][fuzz]") {
  std::mt19937 random(20'240'611);
  const std::vector<std::string> texts{small_trace(), damaged_trace()};
  for (int round = 0; round < (sanitized() ? 800 : 3000); ++round) {
    const std::string text = mutate(texts[static_cast<std::size_t>(round) % texts.size()], random);
    const Parsed whole = parse_text(text);
    const Parsed pieces = parse_text(text, blocks_of(1 + random() % 200), {1 + random() % 50, 1 + random() % 50});
    INFO(text);
    check_same(whole, pieces);
    if (whole.events != pieces.events) break;
    for (const Diagnostic& diagnostic : whole.diagnostics.all()) CHECK(diagnostic.example.size() <= 80);
  }
}

TEST_CASE("fuzz: one changed byte in a valid trace loses few events", "[kineto][fuzz]") {
  std::string text = "{\"traceEvents\": [";
  constexpr std::size_t kEvents = 200;
  for (std::size_t i = 0; i < kEvents; ++i) {
    text += i > 0 ? ",\n" : "\n";
    text += "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"launch\", \"pid\": 1, \"tid\": 2, \"ts\": " +
            std::to_string(i) + ", \"dur\": 1, \"args\": {\"cbid\": 211, \"correlation\": " + std::to_string(i) +
            ", \"dims\": [[1], \"x\"]}}";
  }
  text += "], \"traceName\": \"t\"}";
  std::mt19937 random(5);
  for (int round = 0; round < (sanitized() ? 500 : 2000); ++round) {
    std::string changed = text;
    const std::size_t at = 17 + random() % (text.size() - 40);
    changed[at] = "\"\\{}[],:x"[random() % 9];
    const Parsed parsed = parse_text(changed);
    INFO(changed.substr(at < 60 ? 0 : at - 60, 120));
    CHECK(parsed.events.size() >= kEvents - 2);
    CHECK(parsed.events.size() <= kEvents + 1);
  }
}

TEST_CASE("fuzz: hostile shapes stay cheap", "[kineto][fuzz]") {
  const auto harmless = [](const std::string& text) {
    const Parsed parsed = parse_text(text, {std::size_t{64} << 10, std::size_t{8} << 20});
    return parsed.outcome.events;
  };
  const std::size_t many = 1'000'000;
  CHECK(harmless("[" + std::string(many, '[')) == 0);
  CHECK(harmless("[{\"args\": " + std::string(many, '{')) == 0);
  CHECK(harmless(std::string(many, '{')) == 0);
  CHECK(harmless("[" + std::string(many, '"')) == 0);
  CHECK(harmless("[{\"name\": \"" + std::string(many, '\\')) == 0);
  CHECK(harmless("[{\"name\": \"" + std::string(many, '\0')) == 0);
  CHECK(harmless("[{\"ph\": \"X\", \"ts\": " + std::string(many, '9') + "}]") == 1);
  std::string starts = "[";
  while (starts.size() < many) starts += "{\"name\": ";
  CHECK(harmless(starts) == 0);
  std::string phases = "[";
  while (phases.size() < many) phases += "{\"ph\": ";
  harmless(phases);
  std::string nested = "[{\"ph\": \"X\", \"args\": ";
  for (std::size_t i = 0; i < many / 6; ++i) nested += "{\"a\":";
  nested += "1" + std::string(many / 6, '}') + "}]";
  CHECK(harmless(nested) == 1);
}
