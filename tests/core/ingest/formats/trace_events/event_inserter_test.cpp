#include "core/ingest/formats/trace_events/event_inserter.hpp"

#include <simdjson.h>

#include "core/ingest/bytes/text_stream.hpp"
#include "core/ingest/bytes/text_writer.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;

namespace {

/// A text that comes a few bytes at a time.
class Trickle final : public ByteStream {
 public:
  Trickle(std::string_view text, std::size_t step) : stream_(text), step_(step) {}
  Result<std::size_t> read(std::span<char> into) override {
    return stream_.read(into.first(std::min(into.size(), step_)));
  }
  [[nodiscard]] std::uint64_t consumed() const override { return stream_.consumed(); }
  [[nodiscard]] const FileStamp& stamp() const override { return stream_.stamp(); }

 private:
  TextStream stream_;
  std::size_t step_;
};

struct Copied {
  std::string text;
  Failure failure;
  bool cut_short = false;
};

/// With `events`, each given apart.
Copied copy_of(std::string_view text, const std::vector<std::string>& events, std::size_t step = 1 << 20) {
  Trickle stream(text, step);
  Copied result;
  std::size_t next = 0;
  const auto outcome = copy_with_events(
      stream, "trace.json",
      [&](std::string& out) {
        if (next < events.size()) out += events[next++];
        return next < events.size();
      },
      [&](std::string_view piece) -> Failure {
        result.text += piece;
        return {};
      });
  if (outcome)
    result.cut_short = outcome->cut_short;
  else
    result.failure = outcome.error();
  return result;
}

const std::vector<std::string> kTwo{R"({"name":"a"})", R"({"name":"b"})"};

/// The names of a document's events. Fails if it is not JSON.
std::vector<std::string> names_of(const std::string& json) {
  INFO(json);
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  REQUIRE(parser.parse(json).get(document) == simdjson::SUCCESS);
  const simdjson::dom::array events =
      document.is_array() ? document.get_array().value() : document["traceEvents"].get_array().value();
  std::vector<std::string> names;
  for (const simdjson::dom::element event : events) names.emplace_back(event["name"].get_string().value());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("events are inserted first in a trace, and the rest is unchanged") {
  const std::string text = R"({"schemaVersion": 1, "x": "traceEvents", "meta": {"traceEvents": [1, "]"]},
    "traceEvents": [
      {"name": "one \"[{", "args": {"list": [[], {}]}},
      {"name": "two", "args": {"traceEvents": [{"name": "none"}]}}
    ], "traceName": "]}"}
)";
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    const Copied copied = copy_of(text, kTwo, step);
    CHECK_FALSE(copied.failure);
    CHECK_FALSE(copied.cut_short);
    CHECK(names_of(copied.text) == Names{"a", "b", "one \"[{", "two"});
    std::string without = copied.text;
    const std::string added = "\n" + kTwo[0] + ",\n" + kTwo[1];
    const std::size_t at = without.find(added);
    REQUIRE(at != std::string::npos);
    without.erase(at, added.size());
    without.erase(without.find(",\n{\"name\": \"one"), 2);
    CHECK(without == text);
    CHECK(copy_of(text, {}, step).text == text);
  }
}

TEST_CASE("events are inserted into bare and empty lists") {
  CHECK(names_of(copy_of(R"([{"name": "one"}])", kTwo).text) == Names{"a", "b", "one"});
  CHECK(names_of(copy_of(R"([ ])", kTwo).text) == Names{"a", "b"});
  CHECK(names_of(copy_of(R"({"traceEvents":[]})", kTwo).text) == Names{"a", "b"});
  CHECK(names_of(copy_of(R"({"traceEvents":[]})", {}).text).empty());
  CHECK(names_of(copy_of(R"({"traceEvents":[{"name":"one"}], "more": [1]})", {}).text) == Names{"one"});
}

TEST_CASE("a truncated trace is closed after its last complete event") {
  const std::string text =
      R"({"schemaVersion": 1, "traceEvents": [{"name": "one"}, {"name": "two\"", "args": {"l": [1]}}],
    "traceName": "x"})";
  const std::size_t opens = text.find('[') + 1;
  const std::size_t first = text.find('}') + 1;
  const std::size_t second = text.find("}}]") + 2;
  for (const std::vector<std::string>& events : {kTwo, std::vector<std::string>()}) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      INFO("cut off after " << length << " bytes");
      const Copied copied = copy_of(std::string_view(text).substr(0, length), events, 5);
      CHECK(copied.failure.has_value() == (length < opens));
      if (copied.failure) {
        CHECK(copied.failure->message() == "trace.json: contains no list of events; give a trace");
        continue;
      }
      CHECK(copied.cut_short);
      CHECK(names_of(copied.text).size() == events.size() + (length >= first) + (length >= second));
    }
  }
}

TEST_CASE("a write error ends the copy") {
  TextStream stream(R"({"traceEvents": [{"name": "one"}]})");
  const auto outcome = copy_with_events(
      stream, "trace.json", [](std::string&) { return false; },
      [](std::string_view) -> Failure {
        return Error{"out.json", "is full", ""};
      });
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().where == "out.json");
}

TEST_CASE("a missing quote is an error with bounded memory") {
  const std::string text = R"({"traceEvents": [{"name": "one)" + std::string(std::size_t{66} << 20, ' ');
  const Copied copied = copy_of(text, kTwo);
  REQUIRE(copied.failure);
  CHECK(copied.failure->what == "contains an event of more than 64 MiB, so it is corrupt");
  CHECK(copied.text.size() < 1000);
}

TEST_CASE("text is written plain or compressed, and appears once complete") {
  const TestFolder folder;
  for (const auto packing : {TextWriter::Packing::none, TextWriter::Packing::gzip}) {
    const std::string file = (folder.path() / "out").string();
    std::filesystem::remove(file);
    {
      auto writer = TextWriter::create(file, packing);
      REQUIRE(writer);
      CHECK_FALSE(writer->write("begun"));
      CHECK_FALSE(std::filesystem::exists(file));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
    std::string text;
    for (std::size_t i = 0; i < 300'000; ++i) text += std::to_string(i * 7919);
    auto writer = TextWriter::create(file, packing);
    REQUIRE(writer);
    for (std::size_t at = 0; at < text.size(); at += 99'999)
      CHECK_FALSE(writer->write(std::string_view(text).substr(at, 99'999)));
    CHECK_FALSE(writer->finish());
    CHECK(plain_text_of(file) == text);
    CHECK(writer->bytes() == std::filesystem::file_size(file));
    CHECK((writer->bytes() < text.size()) == (packing == TextWriter::Packing::gzip));
  }
  CHECK_FALSE(TextWriter::create((folder.path() / "no" / "out").string(), TextWriter::Packing::none));
}
